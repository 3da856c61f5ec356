import { setTimeout } from "node:timers/promises";
import { MessageChannel, Worker } from "node:worker_threads";
import {
  fail,
  isErrorCode,
  type ReadingOptions,
  type ReadMail,
  type SenderFacts,
} from "@letterslot/core/ports";
import { workerEnvironment } from "@letterslot/node-kit";
import type { CheckedMail, CheckSettings } from "../sender/check-sender.ts";
import { answerOverPort } from "./port-dns.ts";
import {
  copyInSlices,
  type MailAnswer,
  type MailMessage,
  type MailReply,
  type MailTask,
  type NumberedTask,
  toStandaloneBytes,
} from "./worker-messages.ts";

/** Heap of one worker; parsed mail is limited well below this. */
const HEAP_MB = 80;
/** Young generation of a worker that reads many messages at a time; more would use memory without being faster. */
const YOUNG_HEAP_MB = 12;
/** Larger messages are copied in slices and handed over; posting would copy them in one turn of the event loop. */
const POSTED_BYTES = 1024 * 1024;
/** Time limit for a worker's report of its CPU time. */
const CPU_TIME_TIMEOUT_MS = 1_000;

/** Reads mail and checks senders, on any thread. Fails with the error code of the mail. */
export interface MailReader {
  read(raw: Uint8Array, options: ReadingOptions): Promise<ReadMail>;
  check(mail: CheckedMail, settings: CheckSettings): Promise<SenderFacts>;
}

/**
 * A worker thread that reads any number of messages at a time. When it ends, open tasks fail with
 * `WorkerEnded`.
 */
export interface WorkerHandle extends MailReader {
  /** `ready` once everything is loaded; earlier tasks wait for that. */
  state(): "starting" | "ready" | "ended";
  /** Calls `run` once the worker is ready, or at once if it is. */
  onReady(run: () => void): void;
  /**
   * Milliseconds without an answer while there were tasks, or, if `idle`, without tasks. Negative until the
   * worker is ready.
   */
  silence(): { idle: boolean; ms: number };
  /**
   * CPU time used so far in milliseconds; undefined if Node cannot tell or the worker is too busy to answer.
   */
  cpuTime(): Promise<number | undefined>;
  end(): Promise<void>;
}

/** The worker was terminated or ran out of memory before it finished the task. */
export class WorkerEnded extends Error {}

interface PendingTask {
  since: number;
  resolve: (answer: MailAnswer) => void;
  reject: (error: Error) => void;
}

/**
 * Starts a worker thread, whose young generation has so many megabytes. It accepts tasks at once, and keeps the process
 * alive only while it has any.
 */
export function startMailWorker(young_mb = YOUNG_HEAP_MB): WorkerHandle {
  const worker = new Worker(workerFile(), {
    name: "mail",
    env: workerEnvironment(),
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: young_mb },
  });
  const settings_numbers = new Map<CheckSettings, number>();
  const pending = new Map<number, PendingTask>();
  let unsent: NumberedTask[] = [];
  const copies = new Map<Uint8Array, Uint8Array>();
  const copying = new Map<Uint8Array, Promise<Uint8Array<ArrayBuffer>>>();
  const handed_over = new Set<ArrayBuffer>();
  let last_id = 0;
  let ready_listeners: (() => void)[] = [];
  let last_answer_at = Number.POSITIVE_INFINITY;
  let state: ReturnType<WorkerHandle["state"]> = "starting";

  worker.unref();
  worker.on("message", (reply: MailReply) => {
    if (reply === "ready") {
      state = "ready";
      last_answer_at = performance.now();
      for (const run of ready_listeners) run();
      ready_listeners = [];
      return;
    }
    for (const answer of reply) {
      const task = pending.get(answer.id);
      pending.delete(answer.id);
      task?.resolve(answer);
    }
    last_answer_at = performance.now();
    if (pending.size === 0) worker.unref();
  });
  // An error is followed by the exit event, which handles it.
  worker.on("error", () => undefined);
  worker.on("exit", () => {
    state = "ended";
    for (const { reject } of pending.values()) reject(new WorkerEnded());
    pending.clear();
  });

  function send(message: MailMessage, transfer: (MessageChannel["port2"] | ArrayBuffer)[] = []): void {
    worker.postMessage(message, transfer);
  }

  /** Copies the bytes of a message at most once per turn of the event loop. */
  function bytesOf(raw: Uint8Array): Uint8Array | Promise<Uint8Array> {
    if (raw.length > POSTED_BYTES) return copyOf(raw);
    const bytes = copies.get(raw) ?? toStandaloneBytes(raw);
    copies.set(raw, bytes);
    return bytes;
  }

  /** The tasks that need a large message at the same time share a copy, which the worker gets with them. */
  async function copyOf(raw: Uint8Array): Promise<Uint8Array> {
    const copy = copying.get(raw) ?? copyInSlices(raw);
    copying.set(raw, copy);
    const bytes = await copy;
    copying.delete(raw);
    handed_over.add(bytes.buffer);
    return bytes;
  }

  /** Tasks of one turn of the event loop are posted together: each message may have to wake the worker. */
  function runTask(task: MailTask): Promise<MailAnswer> {
    if (state === "ended") return Promise.reject(new WorkerEnded());
    last_id += 1;
    const id = last_id;
    if (unsent.push({ id, task }) === 1) {
      setImmediate(() => {
        send(unsent, [...handed_over]);
        unsent = [];
        copies.clear();
        handed_over.clear();
      });
    }
    if (pending.size === 0) worker.ref();
    return new Promise((resolve, reject) => pending.set(id, { since: performance.now(), resolve, reject }));
  }

  function numberOf(settings: CheckSettings): number {
    const known = settings_numbers.get(settings);
    if (known !== undefined) return known;
    const { port1, port2 } = new MessageChannel();
    answerOverPort(port1, (name, type) => settings.dns.resolve(name, type as "TXT"));
    port1.unref();
    const number = settings_numbers.size;
    settings_numbers.set(settings, number);
    const { timeoutMs: timeout_ms, name } = settings;
    send({ number, port: port2, timeoutMs: timeout_ms, name }, [port2]);
    return number;
  }

  return {
    state: () => state,
    onReady(run) {
      if (state === "ready") run();
      else ready_listeners.push(run);
    },
    silence() {
      const [oldest] = pending.values();
      return {
        idle: oldest === undefined,
        ms: performance.now() - Math.max(oldest?.since ?? 0, last_answer_at),
      };
    },
    async read(raw, options) {
      const bytes = bytesOf(raw);
      const task = (shown: Uint8Array) => runTask({ kind: "read", raw: shown, options });
      const answer = await (bytes instanceof Promise ? bytes.then(task) : task(bytes));
      if ("mail" in answer) return answer.mail;
      throw toError(answer);
    },
    async check({ raw, envelope }, settings) {
      const bytes = bytesOf(raw);
      const task = (shown: Uint8Array) =>
        runTask({ kind: "check", raw: shown, envelope, settings: numberOf(settings) });
      const answer = await (bytes instanceof Promise ? bytes.then(task) : task(bytes));
      if ("facts" in answer) return answer.facts;
      throw toError(answer);
    },
    cpuTime: () =>
      Promise.race([cpuTimeOf(worker), setTimeout(CPU_TIME_TIMEOUT_MS, undefined, { ref: false })]),
    async end() {
      await worker.terminate();
    },
  };
}

/** Needs Node 24.6 or later. */
async function cpuTimeOf(worker: Partial<Pick<Worker, "cpuUsage">>): Promise<number | undefined> {
  // Rejects if the worker has ended, which the exit event reports.
  const used = await worker.cpuUsage?.().catch(() => undefined);
  return used === undefined ? undefined : (used.user + used.system) / 1_000;
}

/**
 * Restores the error of a failed task. One without a catalogue code is not the mail's fault: the mail is not
 * rejected but retried, as when the calling thread reads it.
 */
function toError(answer: MailAnswer): Error {
  if (!("failure" in answer)) return new Error("the mail worker gave the wrong kind of answer");
  const { code, message } = answer.failure;
  return code !== null && isErrorCode(code) ? fail(code) : new Error(`the mail worker failed: ${message}`);
}

/** The worker's file: TypeScript from source; the build puts the compiled worker beside this code. */
const workerFile = (): URL => new URL("./mail-worker.ts", import.meta.url); // built: ./mail-worker.js
