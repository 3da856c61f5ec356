import { type MessagePort, parentPort } from "node:worker_threads";
import type { ReadingOptions, ReadMail, SenderAuth, SenderFacts } from "@letterslot/core";
import { readMail } from "@letterslot/core/worker";
import { createCachedDns } from "./cached-dns.ts";
import { type CheckSettings, checkSender, loadChecks } from "./check-sender.ts";
import { ownBytes } from "./own-bytes.ts";
import { resolveOverPort } from "./port-dns.ts";

/**
 * What the main thread asks of this one. Senders are checked with the settings that were sent under that
 * number before.
 */
export type MailTask =
  | { kind: "read"; raw: Uint8Array; options: ReadingOptions }
  | ({ kind: "check"; settings: number } & Parameters<SenderAuth["check"]>[0]);

/** Names are looked up over `port`: the resolver lives on the main thread. */
export interface SentSettings extends Omit<CheckSettings, "dns"> {
  number: number;
  port: MessagePort;
}

/** What comes in: settings, or the tasks of one turn of the main thread's event loop. */
export type MailMessage = SentSettings | { id: number; task: MailTask }[];

/**
 * What goes out: that all is loaded, or the answers of one turn. A failure is its code: errors lose theirs
 * between threads.
 */
export type MailReply = "ready" | MailAnswer[];

/** Why a task failed; with a code of the catalogue where that is the mail's fault. */
export interface MailFailure {
  code: string | null;
  message: string;
}

/** The answer to the task of that number. */
export type MailAnswer = { id: number } & (
  | { mail: ReadMail }
  | { facts: SenderFacts }
  | { failure: MailFailure }
);

/** How long an answer is believed here; the main thread believes it for minutes. */
const DNS_CACHE_MS = 10_000;

const checkers = new Map<number, CheckSettings>();
let answers: MailAnswer[] = [];

async function doTask(task: MailTask): Promise<{ mail: ReadMail } | { facts: SenderFacts }> {
  if (task.kind === "read") {
    const mail = await readMail(task.raw, task.options, () => performance.now());
    return {
      mail: { ...mail, attachments: mail.attachments.map((one) => ({ ...one, bytes: ownBytes(one.bytes) })) },
    };
  }
  const settings = checkers.get(task.settings);
  if (settings === undefined) throw new Error("there are no such settings");
  return { facts: await checkSender(task, settings) };
}

async function answer(id: number, task: MailTask): Promise<void> {
  const done = await doTask(task).catch((error: unknown) => ({ failure: failureOf(error) }));
  // What is done in this turn goes back at once.
  if (answers.push({ id, ...done }) > 1) return;
  process.nextTick(() => {
    parentPort?.postMessage(answers satisfies MailReply, []);
    answers = [];
  });
}

function failureOf(error: unknown): MailFailure {
  if (!(error instanceof Error)) return { code: null, message: String(error) };
  return { code: "code" in error ? String(error.code) : null, message: error.message };
}

// Nothing is read before it is ready: from then on there is a deadline.
await loadChecks();
parentPort?.on("message", (message: MailMessage) => {
  if (Array.isArray(message)) {
    for (const { id, task } of message) void answer(id, task);
    return;
  }
  const { number, port, timeout_ms, name } = message;
  const dns = createCachedDns({
    dns: { resolve: resolveOverPort(port) as never },
    timeout_ms,
    keep_ms: DNS_CACHE_MS,
  });
  checkers.set(number, { dns, timeout_ms, name });
});
parentPort?.postMessage("ready" satisfies MailReply, []);
