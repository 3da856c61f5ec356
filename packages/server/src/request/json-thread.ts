import { fail } from "@letterslot/core/ports";
import type { JsonAnswer, JsonTask } from "./json-worker.ts";
import { createTaskThread } from "./task-thread.ts";

/** The worker beside this file: TypeScript from source, JavaScript when built. */
const workerFile = (): URL => new URL("./json-worker.ts", import.meta.url); // built: ./json-worker.js
const thread = createTaskThread<JsonTask, JsonAnswer>(workerFile);

/** The thread is ended after a longer text. */
const LARGE_BYTES = 4 * 1024 * 1024;

/**
 * Parses a large JSON text (RFC 8259, UTF-8) in a thread, one text at a time, so that the event loop is free
 * meanwhile. Takes the pieces away from the caller. Fails with `invalid_json`.
 */
export async function parseInThread(pieces: Uint8Array[]): Promise<unknown> {
  const large = pieces.reduce((sum, { length }) => sum + length, 0) > LARGE_BYTES;
  const answer = await thread.ask({ pieces }, { transfer: transferred(pieces), large });
  if ("invalid" in answer) throw fail("invalid_json");
  return answer.value;
}

/** The buffers that can be moved instead of copied: those that hold nothing else. */
const transferred = (pieces: Uint8Array[]): ArrayBuffer[] => [
  ...new Set(
    pieces
      .filter(({ buffer, byteLength }) => buffer.byteLength === byteLength)
      .map(({ buffer }) => buffer as ArrayBuffer),
  ),
];
