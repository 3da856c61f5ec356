import { existsSync } from "node:fs";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import { type ExtractableMail, type Extraction, fail, isErrorCode, type ParsedMail } from "@letterslot/core";
import type { Piscina } from "piscina";
import type { MailauthResolver } from "./check-dns.ts";
import type { MailTask, MailTaskResult } from "./mail-worker.ts";
import { answerOverPort } from "./port-dns.ts";
import type { SignatureFacts } from "./signature-facts.ts";
import { createTurns } from "./turns.ts";

const DEFAULT_THREADS = 2;
/** Longer than all look-ups that one mail may cause, so that a slow DNS is told apart from a hostile mail. Nor does a mail wait longer. */
const DEFAULT_DEADLINE_MS = 15_000;
/** Of JavaScript objects in one worker; what mail turns into is bounded long before. */
const WORKER_HEAP_MB = 256;
const IDLE_MS = 30_000;
/** Costly mails that wait for a worker; more are put off, as the sender can come again. */
export const MAX_QUEUE = 200;

/** Threads that read mail which would hold up everything else. */
export interface MailWorkers {
  parse(raw: Uint8Array): Promise<ParsedMail>;
  extract(mail: ExtractableMail): Promise<Extraction>;
  readSignatureFacts(raw: Uint8Array, resolver: MailauthResolver): Promise<SignatureFacts>;
  close(): Promise<void>;
}

/**
 * Starts threads when they are needed and ends them when they are idle. A task over `deadline_ms` has its thread killed and fails
 * with `mail_too_complex`; one that got no thread within that time, or whose thread was ended by `close`, with `storage_unavailable`.
 */
export function createMailWorkers(options: { threads?: number; deadline_ms?: number } = {}): MailWorkers {
  const deadline_ms = options.deadline_ms ?? DEFAULT_DEADLINE_MS;
  const threads = options.threads ?? DEFAULT_THREADS;
  const takeTurn = createTurns({ at_once: threads, waiting: MAX_QUEUE, wait_ms: deadline_ms });
  let opening: Promise<Pool> | undefined;
  let closing = false;

  async function run(task: MailTask, transfer: MessagePort[]): Promise<MailTaskResult> {
    const endTurn = await takeTurn();
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), deadline_ms);
    try {
      opening ??= openPool(threads);
      const pool = await opening;
      return await pool.run(task, { signal: deadline.signal, transferList: transfer as never });
    } catch (cause) {
      throw fail(closing ? "storage_unavailable" : "mail_too_complex", { cause });
    } finally {
      clearTimeout(timer);
      endTurn();
    }
  }

  return {
    async parse(raw) {
      const result = await run({ kind: "parse", raw }, []);
      if ("mail" in result) return result.mail;
      throw fail("code" in result && isErrorCode(result.code) ? result.code : "mail_unreadable");
    },
    async extract(mail) {
      const result = await run({ kind: "extract", mail }, []);
      if ("extraction" in result) return result.extraction;
      throw fail("mail_too_complex");
    },
    async readSignatureFacts(raw, resolver) {
      const { port1, port2 } = new MessageChannel();
      answerOverPort(port1, resolver);
      try {
        const result = await run({ kind: "signatures", raw, dns: port2 }, [port2]);
        return "dkim" in result ? result : { dkim: [], arc: null };
      } finally {
        port1.close();
      }
    },
    async close() {
      closing = true;
      await (await opening)?.destroy();
    },
  };
}

type Pool = Piscina<MailTask, MailTaskResult>;

async function openPool(threads: number): Promise<Pool> {
  const { Piscina } = await import("piscina");
  return new Piscina({
    filename: workerFile(),
    name: "runMailTask",
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: WORKER_HEAP_MB },
  });
}

/** The worker beside this file: TypeScript when run from source, JavaScript when built. */
function workerFile(): string {
  const source = new URL("./mail-worker.ts", import.meta.url);
  return (existsSync(source) ? source : new URL("./mail-worker.js", import.meta.url)).href;
}
