import { existsSync } from "node:fs";
import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { setTimeout } from "node:timers/promises";
import { MessageChannel, Worker } from "node:worker_threads";
import {
  fail,
  isErrorCode,
  type ReadingOptions,
  type ReadMail,
  type SenderAuth,
  type SenderFacts,
} from "@letterslot/core";
import type { CheckSettings } from "./check-sender.ts";
import type { MailAnswer, MailMessage, MailReply, MailTask } from "./mail-worker.ts";
import { ownBytes } from "./own-bytes.ts";
import { answerOverPort } from "./port-dns.ts";

/** Of JavaScript objects in one thread; what mail turns into is bounded long before. */
const HEAP_MB = 256;
/** Of young objects: with more room a thread would be larger and no faster. */
const YOUNG_HEAP_MB = 24;
/** How long a thread may take to say what it has used. */
const ANSWER_MS = 1_000;

type Checked = Parameters<SenderAuth["check"]>[0];

/** What reads mail and checks its sender, on whichever thread. Fails with the code of the mail. */
export interface MailReader {
  read(raw: Uint8Array, options: ReadingOptions): Promise<ReadMail>;
  check(mail: Checked, settings: CheckSettings): Promise<SenderFacts>;
}

/**
 * A thread that reads any number of mails at a time. What it has not done when it ends fails with
 * `ThreadEnded`.
 */
export interface MailThread extends MailReader {
  /** `ready` when it has loaded all it needs; what it is asked before that waits. */
  state(): "starting" | "ready" | "ended";
  /** Calls `run` when it is ready: at once if it is. */
  onStart(run: () => void): void;
  /**
   * Milliseconds in which it has answered nothing, of those in which it had a task; or in which it has been
   * without any: `idle` says which. None before it is ready.
   */
  silence(): { idle: boolean; ms: number };
  /**
   * Milliseconds of processor time it has had; undefined where Node doesn't tell, or when it is too busy to
   * say within a second.
   */
  processorTime(): Promise<number | undefined>;
  end(): Promise<void>;
}

/** Why a thread has not done its task: somebody ended it, or it ran out of memory. */
export class ThreadEnded extends Error {}

interface Waiter {
  since: number;
  settle: (answer: MailAnswer) => void;
  reject: (error: Error) => void;
}

/** Starts a thread. It takes tasks at once, and keeps the process running only while it has any. */
export function startMailThread(): MailThread {
  const worker = new Worker(workerFile(), {
    name: "mail",
    env: threadEnvironment(),
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_HEAP_MB },
  });
  const known = new Map<CheckSettings, number>();
  const waiting = new Map<number, Waiter>();
  let unsent: { id: number; task: MailTask }[] = [];
  const copies = new Map<Uint8Array, Uint8Array>();
  let last_id = 0;
  let onStart: (() => void)[] = [];
  let done_at = Number.POSITIVE_INFINITY;
  let state: ReturnType<MailThread["state"]> = "starting";

  worker.unref();
  worker.on("message", (reply: MailReply) => {
    if (reply === "ready") {
      state = "ready";
      done_at = performance.now();
      for (const run of onStart) run();
      onStart = [];
      return;
    }
    for (const answer of reply) {
      const waiter = waiting.get(answer.id);
      waiting.delete(answer.id);
      waiter?.settle(answer);
    }
    done_at = performance.now();
    if (waiting.size === 0) worker.unref();
  });
  // Its last words are that it failed; what matters is that it is gone.
  worker.on("error", () => undefined);
  worker.on("exit", () => {
    state = "ended";
    for (const { reject } of waiting.values()) reject(new ThreadEnded());
    waiting.clear();
  });

  function send(message: MailMessage, transfer: MessageChannel["port2"][] = []): void {
    worker.postMessage(message, transfer);
  }

  /** The bytes of a mail, copied once for all that is asked of it in one turn of the event loop. */
  function bytesOf(raw: Uint8Array): Uint8Array {
    const bytes = copies.get(raw) ?? ownBytes(raw);
    copies.set(raw, bytes);
    return bytes;
  }

  /** What is asked in one turn of the event loop goes over together. */
  function ask(task: MailTask): Promise<MailAnswer> {
    if (state === "ended") return Promise.reject(new ThreadEnded());
    last_id += 1;
    const id = last_id;
    if (unsent.push({ id, task }) === 1) {
      process.nextTick(() => {
        send(unsent);
        unsent = [];
        copies.clear();
      });
    }
    if (waiting.size === 0) worker.ref();
    return new Promise((settle, reject) => waiting.set(id, { since: performance.now(), settle, reject }));
  }

  function numberOf(settings: CheckSettings): number {
    const number = known.get(settings);
    if (number !== undefined) return number;
    const { port1, port2 } = new MessageChannel();
    answerOverPort(port1, (name, type) => settings.dns.resolve(name, type as "TXT"));
    port1.unref();
    known.set(settings, known.size);
    const { timeout_ms, name } = settings;
    send({ number: known.size - 1, port: port2, timeout_ms, name }, [port2]);
    return known.size - 1;
  }

  return {
    state: () => state,
    onStart(run) {
      if (state === "ready") run();
      else onStart.push(run);
    },
    silence() {
      const [oldest] = waiting.values();
      return { idle: oldest === undefined, ms: performance.now() - Math.max(oldest?.since ?? 0, done_at) };
    },
    async read(raw, options) {
      const answer = await ask({ kind: "read", raw: bytesOf(raw), options });
      if ("mail" in answer) return answer.mail;
      throw failureIn(answer);
    },
    async check({ raw, envelope }, settings) {
      const answer = await ask({ kind: "check", raw: bytesOf(raw), envelope, settings: numberOf(settings) });
      if ("facts" in answer) return answer.facts;
      throw failureIn(answer);
    },
    processorTime: () =>
      Promise.race([processorTimeOf(worker), setTimeout(ANSWER_MS, undefined, { ref: false })]),
    async end() {
      await worker.terminate();
    },
  };
}

/** Node has it since 24.6. */
async function processorTimeOf(worker: Partial<Pick<Worker, "cpuUsage">>): Promise<number | undefined> {
  // A thread that has ended has no answer, and whoever waits for its mail hears of the end.
  const used = await worker.cpuUsage?.().catch(() => undefined);
  return used === undefined ? undefined : (used.user + used.system) / 1_000;
}

/**
 * Nothing of this process's own; but what Node keeps of compiled code halves a start, where this process has
 * it kept.
 */
function threadEnvironment(): Record<string, string> {
  const kept = getCompileCacheDir();
  return kept === undefined ? {} : { NODE_COMPILE_CACHE: dirname(kept) };
}

/**
 * The failure of a mail by its code. Any other is ours, and the mail is not refused for it: it is put off, as
 * when it is read here.
 */
function failureIn(answer: MailAnswer): Error {
  if (!("failure" in answer)) return new Error("a thread answered what it was not asked");
  const { code, message } = answer.failure;
  return code !== null && isErrorCode(code) ? fail(code) : new Error(`a thread failed at a mail: ${message}`);
}

/** The worker beside this file: TypeScript when run from source, JavaScript when built. */
function workerFile(): URL {
  const source = new URL("./mail-worker.ts", import.meta.url);
  return existsSync(source) ? source : new URL("./mail-worker.js", import.meta.url);
}
