import { existsSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { fail } from "@letterslot/core";
import type { JsonAnswer, JsonTask } from "./json-worker.ts";

/** A worker that had nothing to do for this long is ended, which frees its memory. */
const IDLE_MS = 2_000;
const MAX_HEAP_MB = 256;

let worker: Worker | undefined;
let last: Promise<unknown> = Promise.resolve();
let idle: NodeJS.Timeout | undefined;

/**
 * Parses a large JSON text (RFC 8259, UTF-8) in a thread, one text at a time, so that the event loop is free
 * meanwhile. Takes the pieces away from the caller. Fails with `invalid_json`.
 */
export function parseInThread(pieces: Uint8Array[]): Promise<unknown> {
  const answered = last.then(() => ask({ pieces }));
  last = answered.catch(() => undefined);
  return answered.then((answer) => {
    if ("invalid" in answer) throw fail("invalid_json");
    return answer.value;
  });
}

async function ask(task: JsonTask): Promise<JsonAnswer> {
  clearTimeout(idle);
  const running = (worker ??= startWorker());
  const { promise, resolve, reject } = Promise.withResolvers<JsonAnswer>();
  const ended = () => reject(new Error("the thread that parses JSON has ended"));
  running.once("message", resolve).once("error", reject).once("exit", ended);
  running.ref();
  running.postMessage(task, transferred(task.pieces));
  try {
    return await promise;
  } finally {
    running.removeAllListeners("message").removeAllListeners("error").off("exit", ended);
    running.on("error", () => undefined);
    running.unref();
    idle = setTimeout(() => end(running), IDLE_MS);
    idle.unref();
  }
}

function startWorker(): Worker {
  const started = new Worker(workerFile(), { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
  started.once("exit", () => {
    if (worker === started) worker = undefined;
  });
  return started;
}

function end(running: Worker): void {
  if (worker === running) worker = undefined;
  void running.terminate();
}

/** The buffers that can be moved instead of copied: those that hold nothing else. */
const transferred = (pieces: Uint8Array[]): ArrayBuffer[] => [
  ...new Set(
    pieces
      .filter(({ buffer, byteLength }) => buffer.byteLength === byteLength)
      .map(({ buffer }) => buffer as ArrayBuffer),
  ),
];

/** The worker beside this file: TypeScript from source, JavaScript when built. */
function workerFile(): URL {
  const source = new URL("./json-worker.ts", import.meta.url);
  return existsSync(source) ? source : new URL("./json-worker.js", import.meta.url);
}
