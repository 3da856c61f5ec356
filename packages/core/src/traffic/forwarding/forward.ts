import { LetterslotError } from "../../catalogue/errors.ts";
import { FORWARDED_HEADER } from "../../catalogue/letter-words.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import type { Services } from "../../kernel/context.ts";
import { endJob } from "../../kernel/jobs/job-lease.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import type { Work } from "../../kernel/work.ts";
import { isPlainLines } from "../../mail/mime/compose-attachment.ts";
import { writeMail } from "../../mail/redaction/write-mail.ts";
import { checkUpdate } from "../../mailbox/canaries/index.ts";
import {
  composeMessage,
  forwardSubject,
  isHeld,
  type Outgoing,
  queueOutgoing,
  readBodies,
  stageBlob,
  truncate,
} from "../../mailbox/messages/index.ts";
import { iso } from "../../model/fields.ts";
import type { ForwardingFailure, ForwardingRecord } from "../../model/forwardings.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { JobRecord } from "../../model/jobs.ts";
import type { Decisions, ForwardedTo } from "../../model/message-facts.ts";
import type { MessageBodyRecord, MessageRecord } from "../../model/messages.ts";
import type { StagedBlob } from "../../ports/blobs.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { endForwarding, endingOf } from "./end.ts";
import { type Marks, markHeader, readMarks, wentRound } from "./marks.ts";
import { isOwn } from "./own-mail.ts";
import { noteOf, whyNot } from "./rules.ts";
import { withSkipped } from "./skipped.ts";

interface Forwarded {
  forwarding: ForwardingRecord;
  inbox: InboxRecord;
  message: MessageRecord;
  body: MessageBodyRecord;
  /** The rules that chose the mail; none where all mail is forwarded. */
  rule_ids: readonly string[];
}

/** Whether one of the rules that chose a mail may still forward it. */
type RuleCheck = (
  storage: Pick<StorageReader, "find">,
  rule_ids: readonly string[],
  now: Date,
) => Promise<boolean>;

/**
 * Forwards a mail to the address of a forwarding, once, however often it is asked to. What may not leave isn't sent: the
 * mail's history says why. A person decided it, so that of all checks only those for secrets of the account and
 * canaries count.
 */
export async function sendForwarded(services: Services, job: JobRecord, mayStill: RuleCheck): Promise<void> {
  const { storage, clock } = services;
  const now = clock.now();
  const found = await lookUp(storage, job);
  if (found === undefined) return endJob(storage, job);
  const { inbox } = found;
  const transaction = (run: (work: Work) => Promise<void>) =>
    unitOfWork(services, inbox.account_id, now, async (work) => {
      await endJob(work, job);
      await run(work);
    });
  const skip = (reason: string) =>
    transaction((work) => note(work, found, { outcome: "skipped", reason, message_id: null }));
  const marks = readMarks(services, [headerOf(found.body)]);
  // What isn't forwarded can't leak anything either, so that nothing is looked for in it.
  const stopFor = (reader: Pick<StorageReader, "get" | "find">, of: Forwarded) =>
    stopOf({ ...services, mayStill }, reader, of, marks, now);
  const stopped = await stopFor(storage, found);
  if (stopped !== undefined) return transaction((work) => stop(services, work, found, stopped, now));
  try {
    const wrapped = await wrap(services, found, marks);
    if (wrapped === undefined) return await skip("message_too_large");
    const { outgoing, staged, bytes } = wrapped;
    const { to, subject, text } = outgoing;
    const texts = [...to, subject, text ?? "", inbox.display_name ?? ""];
    await checkUpdate(services, inbox, texts, now, [bytes]);
    const read = await readBodies(services, outgoing);
    await transaction(async (work) => {
      // Whoever has ended the forwarding, or taken the mail away, meanwhile was told that it doesn't leave.
      const present = await lookUp(work, job);
      if (present === undefined) return;
      const late = await stopFor(work, present);
      if (late !== undefined) return stop(services, work, present, late, now);
      if (!(await isFirst(work, present, now))) return;
      staged.put(work);
      const how = { asked_by: null, findings: null };
      const { record } = await queueOutgoing(services, work, present.inbox, outgoing, read, now, how);
      await note(work, present, { outcome: "forwarded", reason: null, message_id: record.id });
    });
  } catch (error) {
    // What passes by itself is tried when the job comes again.
    if (!(error instanceof LetterslotError) || error.retryable) throw error;
    await skip(error.code);
  }
}

async function lookUp(
  storage: Pick<StorageReader, "get">,
  { subject_id, payload }: JobRecord,
): Promise<Forwarded | undefined> {
  const rule_ids = (payload["rule_ids"] ?? []) as string[];
  const [forwarding, message, body] = await Promise.all([
    storage.get("forwardings", String(payload["forwarding_id"])),
    storage.get("messages", subject_id),
    storage.get("message_bodies", subject_id),
  ]);
  const inbox = message && (await storage.get("inboxes", message.inbox_id));
  if (forwarding === undefined || message === undefined || body === undefined || inbox === undefined)
    return undefined;
  return forwarding.inbox_id === inbox.id ? { forwarding, inbox, message, body, rule_ids } : undefined;
}

const headerOf = ({ headers }: MessageBodyRecord): string => headers[FORWARDED_HEADER.toLowerCase()] ?? "";

/** Why a mail isn't forwarded. */
interface Stop {
  reason: string;
  /** Why its forwarding ends. */
  ended?: ForwardingFailure;
}

/** Why a mail isn't forwarded, by what is stored; undefined if it is. */
async function stopOf(
  services: Pick<Services, "options"> & { mayStill: RuleCheck },
  storage: Pick<StorageReader, "get" | "find">,
  found: Forwarded,
  marks: Marks,
  now: Date,
): Promise<Stop | undefined> {
  const { forwarding, rule_ids } = found;
  if (forwarding.status !== "verified") return { reason: "not_verified" };
  const ended = await endingOf(services, storage, forwarding, now);
  if (ended !== undefined) return { reason: ended, ended };
  const by_rules = rule_ids.length > 0 && !forwarding.everything;
  if (by_rules && !(await services.mayStill(storage, rule_ids, now))) return { reason: "rule_ended" };
  const reason = await reasonNot(storage, found, marks);
  return reason === undefined ? undefined : { reason };
}

/** Notes that a mail isn't forwarded, and ends its forwarding where that is why. */
async function stop(
  services: Pick<Services, "options">,
  work: Work,
  found: Forwarded,
  { reason, ended }: Stop,
  now: Date,
): Promise<void> {
  if (ended !== undefined) await endForwarding(services, work, found.forwarding, ended, now);
  if (reason === "rule_ended") work.job({ kind: "rule.check", subject_id: found.inbox.id });
  await note(work, found, { outcome: "skipped", reason, message_id: null });
}

async function reasonNot(
  storage: Pick<StorageReader, "get">,
  { inbox, message, body: { decisions } }: Forwarded,
  marks: Marks,
): Promise<string | undefined> {
  const { labels, channel } = message;
  return whyNot({
    held: isHeld(message),
    letter: decisions?.letter !== undefined,
    phone: channel !== "email",
    imported: labels.includes("imported"),
    injected: labels.includes("injected"),
    automatic: decisions !== null && decisions.automatic.strong !== null,
    own: decisions !== null && (await isOwn(storage, inbox, decisions)),
    went_round: wentRound(marks),
  });
}

interface Wrapped {
  outgoing: Outgoing;
  staged: StagedBlob;
  /** The forwarded mail itself. */
  bytes: Uint8Array;
}

/** Wraps a mail in another one, as it is stored: without secrets of letters. Undefined where it is too large. */
async function wrap(
  services: Services,
  { forwarding, inbox, message, body }: Forwarded,
  marks: Marks,
): Promise<Wrapped | undefined> {
  const bytes = await nestedMail(services, message, body);
  if (bytes.length > LIMITS.message_bytes) return undefined;
  const staged = await stageBlob(services, bytes);
  const { from, from_name, subject, created_at } = message;
  const attachment = {
    ...{ id: services.makeId("att"), filename: `${message.id}.eml`, content_type: "message/rfc822" },
    ...{ content_id: null, disposition: "attachment" as const },
    ...{ size_bytes: bytes.length, hash: staged.hash },
  };
  const outgoing: Outgoing = {
    ...{ to: [forwarding.given_email ?? forwarding.email], cc: [], bcc: [], reply_to: null },
    subject: truncate(forwardSubject(subject), LIMITS.subject_chars),
    text: noteOf({ inbox_email: inbox.email, from, from_name, subject, created_at }),
    html: null,
    headers: { "Auto-Submitted": "auto-generated", ...markHeader(services, forwarding, marks) },
    labels: ["forwarded"],
    attachments: [attachment],
    // It answers nothing, and stands in no conversation.
    ...{ client_id: null, in_reply_to: null, references: [], thread_id: null },
  };
  return { outgoing, staged, bytes };
}

/** The bytes of a mail, in the form in which a mail may hold another: 7-bit, in short lines (RFC 2046, 5.2.1). */
async function nestedMail(
  services: Services,
  message: MessageRecord,
  body: MessageBodyRecord,
): Promise<Uint8Array> {
  const raw = message.raw_hash === null ? undefined : await services.blobs.get(message.raw_hash);
  if (raw === undefined) return composeMessage(services, message, body);
  if (isPlainLines(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength))) return raw;
  return writeMail(await services.parser.parse(raw, { screeningTimeoutMs: null }));
}

/** Notes that a mail is forwarded now; false if it was before, by another job. */
async function isFirst(work: Work, { forwarding, message }: Forwarded, now: Date): Promise<boolean> {
  const expires_at = iso(new Date(now.getTime() + LIMITS.forwarded_kept_ms));
  const name = `forwarded:${forwarding.id}:${message.id}`;
  return (await work.insert("counters", { name, count: 1, expires_at })).inserted;
}

/** Notes with the mail what came of it. */
async function note(
  work: Work,
  { forwarding, message, rule_ids }: Forwarded,
  came: Pick<ForwardedTo, "outcome" | "reason" | "message_id">,
): Promise<void> {
  const body = await work.get("message_bodies", message.id);
  if (body?.decisions == null) return;
  const decisions = {
    ...body.decisions,
    forwarded_to: [...(body.decisions.forwarded_to ?? []), { forwarding_id: forwarding.id, ...came }],
  };
  const { reason } = came;
  const noted =
    reason === null
      ? decisions
      : rule_ids.reduce<Decisions>(
          (so_far, id) => withSkipped(so_far, id, { action: "forward_to", reason }),
          decisions,
        );
  await work.update("message_bodies", { message_id: message.id }, { decisions: noted });
}
