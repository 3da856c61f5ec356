import { parentPort } from "node:worker_threads";
import { readMail } from "@letterslot/core/mail";
import type { ReadMail, SenderFacts } from "@letterslot/core/ports";
import { createCachedDns } from "../sender/cached-dns.ts";
import { type CheckSettings, checkSender } from "../sender/check-sender.ts";
import { resolveOverPort } from "./port-dns.ts";
import type { MailAnswer, MailFailure, MailMessage, MailReply, MailTask } from "./worker-messages.ts";

/** The time that DNS answers are cached here; the main thread caches them for minutes. */
const DNS_CACHE_MS = 10_000;

/** The time that an answer waits for those of other mails: each message wakes the main thread. */
const HOLD_ANSWERS_MS = 5;

const settings_by_number = new Map<number, CheckSettings>();
let answers: MailAnswer[] = [];
let held_since = 0;

async function runTask(task: MailTask): Promise<{ mail: ReadMail } | { facts: SenderFacts }> {
  if (task.kind === "read") {
    const mail = await readMail(task.raw, task.options, () => performance.now());
    const { struck } = mail;
    const taken = new Set<ArrayBufferLike>([task.raw.buffer]);
    const own = withOwnBytes(mail, taken);
    return { mail: { ...own, struck: struck && { ...struck, mail: withOwnBytes(struck.mail, taken) } } };
  }
  const settings = settings_by_number.get(task.settings);
  if (settings === undefined) throw new Error("these settings were never sent");
  return { facts: await checkSender(task, settings) };
}

async function answer(id: number, task: MailTask): Promise<void> {
  const result = await runTask(task).catch((error: unknown) => ({ failure: toFailure(error) }));
  if (answers.push({ id, ...result }) === 1) {
    held_since = performance.now();
    // After all messages that have arrived.
    setImmediate(postAnswers);
  } else if (performance.now() - held_since >= HOLD_ANSWERS_MS) postAnswers();
}

function postAnswers(): void {
  if (answers.length === 0) return;
  parentPort?.postMessage(answers satisfies MailReply, answers.flatMap(buffersOf));
  answers = [];
}

/** Smaller attachments are copied: they may be views of Node's pool. */
const POOLED_BYTES = 65_536;

/** A mail whose attachments share their bytes with nothing that is `taken`; takes theirs. */
function withOwnBytes<M extends Pick<ReadMail, "attachments">>(mail: M, taken: Set<ArrayBufferLike>): M {
  const attachments = mail.attachments.map((each) => {
    const is_own = each.bytes.length > POOLED_BYTES && !taken.has(each.bytes.buffer);
    const bytes = is_own ? each.bytes : new Uint8Array(each.bytes);
    taken.add(bytes.buffer);
    return { ...each, bytes };
  });
  return { ...mail, attachments };
}

/** The attachments' bytes, which are handed over instead of copied. */
function buffersOf(result: MailAnswer): ArrayBuffer[] {
  if (!("mail" in result)) return [];
  const { attachments, struck } = result.mail;
  const all = [...attachments, ...(struck?.mail.attachments ?? [])];
  const buffers = all.map(({ bytes }) => bytes.buffer);
  return buffers.filter((buffer) => buffer instanceof ArrayBuffer);
}

function toFailure(error: unknown): MailFailure {
  if (!(error instanceof Error)) return { code: null, message: String(error) };
  return { code: "code" in error ? String(error.code) : null, message: error.message };
}

parentPort?.on("message", (message: MailMessage) => {
  if (Array.isArray(message)) {
    for (const { id, task } of message) void answer(id, task);
    return;
  }
  const { number, port, timeoutMs: timeout_ms, name } = message;
  const dns = createCachedDns({
    dns: { resolve: resolveOverPort(port) as never },
    timeoutMs: timeout_ms,
    ttlMs: DNS_CACHE_MS,
  });
  settings_by_number.set(number, { dns, timeoutMs: timeout_ms, name });
});
// Deadlines start here, with everything loaded.
parentPort?.postMessage("ready" satisfies MailReply, []);
