import { createHash } from "node:crypto";
import { actOnReply, hearReply } from "../approvals/hear-reply.ts";
import type { Parts } from "../context.ts";
import type { Extraction } from "../extraction/extract.ts";
import type { InboxRecord } from "../inboxes/schema.ts";
import { stateOf } from "../inboxes/state.ts";
import type { Decisions, MessageAuth, MessageBodyRecord, MessageRecord } from "../messages/schema.ts";
import { stageBlob } from "../messages/stage-blob.ts";
import { storeNewMessage } from "../messages/store.ts";
import { hearUnsubscribe } from "../owners/hear-unsubscribe.ts";
import { leaveUpdates } from "../owners/leave-updates.ts";
import type { StagedBlob } from "../ports/blobs.ts";
import { actOnAnswer } from "../questions/act-on-reply.ts";
import { hearAnswer } from "../questions/hear-answer.ts";
import { iso } from "../schema.ts";
import { screenMail } from "../screening/screen-mail.ts";
import { addTask } from "../tasks/add.ts";
import { openTask } from "../tasks/open.ts";
import { addToThread, findThread, threadIdFor } from "../threads/attach.ts";
import { stopLoop } from "../threads/loop.ts";
import { unitOfWork } from "../unit-of-work.ts";
import { announce } from "./announce.ts";
import { borrowedName, isOwnMessage, knowSender } from "./know-sender.ts";
import type { ParsedMail } from "./parsed-mail.ts";
import type { ReadMail } from "./read-mail.ts";
import {
  automaticMarks,
  decideTask,
  isBelieved,
  isHuman,
  type Origin,
  shownHeaders,
  speaksForOwner,
  type TaskFacts,
} from "./rules.ts";

/** A mail that was read and whose sender was checked. */
export interface Evidence {
  mail: ReadMail;
  raw: StagedBlob;
  size_bytes: number;
  mail_from: string;
  origin: Origin;
  authentication: MessageAuth & { passes: boolean; forwarded_by: string | null; reasons: string[] };
  received_at: Date;
  client_id?: string | null;
}

/** What became of a mail for one inbox; it may have been paused or deleted while the mail was being read. */
export type Delivered =
  | { outcome: "stored" | "duplicate"; reason: null; message_id: string }
  | { outcome: "dropped" | "refused"; reason: "inbox_paused" | "inbox_expired" | "unknown_recipient"; message_id: null };

/** Takes a mail into one inbox: who wrote it, screening, the new words; then message, thread, event, task and jobs in one transaction. */
export async function deliver(parts: Parts, inbox: InboxRecord, evidence: Evidence, now: Date): Promise<Delivered> {
  const { mail, origin, authentication } = evidence;
  const from = (mail.from[0]?.address ?? "").toLowerCase();
  const sender = await knowSender(parts, inbox, from);
  const believed = isBelieved({ authenticated: authentication.passes, forwarded_by: authentication.forwarded_by });
  const safety = await screenMail(parts, inbox.screening, mail, {
    authenticated: believed,
    known: sender.known,
    display_name_of_known: sender.known
      ? null
      : await borrowedName(parts, inbox, { name: mail.from[0]?.name ?? "", address: from }),
    trusted: (sender.owner !== undefined || sender.allowlisted) && believed,
    auth: authentication,
  });
  const { attachments, staged } = await stageAttachments(parts, mail);
  const own_message = mail.message_id !== null && (await isOwnMessage(parts, inbox.id, mail.message_id));
  const marks = automaticMarks(mail, { mail_from: evidence.mail_from, origin, own_message });
  const suspicious = safety.mode !== "off" && safety.verdict === "suspicious";
  const held = suspicious && inbox.screening === "hold";
  const facts: TaskFacts = {
    origin,
    held,
    marks,
    owner: sender.owner !== undefined,
    allowlisted: sender.allowlisted,
    authenticated: authentication.passes,
    forwarded_by: authentication.forwarded_by,
    require_sender_auth: inbox.require_sender_auth,
  };
  const { extraction } = mail;
  const owner = speaksForOwner(facts) ? sender.owner : undefined;
  const heard = owner === undefined ? undefined : await hearReply(parts, owner, mail, extraction.extracted_text, now);
  const decides = heard !== undefined && heard.reading.verdict !== "unclear";
  const leaves =
    owner !== undefined && heard === undefined && (await hearUnsubscribe(parts, owner, mail, extraction.extracted_text));
  const answers =
    owner === undefined || heard !== undefined || leaves
      ? undefined
      : await hearAnswer(parts, owner, mail, extraction.extracted_text, now);
  const decision = decides ? decidesApproval : leaves ? endsUpdates : decideTask(facts);
  const labels = ["received", "unread"];
  if (origin === "injected") labels.push("injected");
  if (suspicious) labels.push("suspicious");
  if (held) labels.push("held");
  if (!believed) labels.push("untrusted");

  return unitOfWork<Delivered>(parts, inbox.account_id, now, async (work) => {
    work.require(work.get("inboxes", inbox.id).then((current) => endIf(closedReason(current, now))));
    const references = [...mail.references, mail.in_reply_to].filter((reference) => reference !== null);
    const thread = await findThread(work, inbox.id, references);
    const message: MessageRecord = {
      id: parts.makeId("msg"),
      account_id: inbox.account_id,
      inbox_id: inbox.id,
      thread_id: threadIdFor(thread, parts.makeId),
      direction: "inbound",
      channel: "email",
      from,
      from_name: mail.from[0]?.name || null,
      to: mail.to.map(({ address }) => address.toLowerCase()),
      cc: mail.cc.map(({ address }) => address.toLowerCase()),
      bcc: [],
      subject: mail.subject,
      extracted_text: extraction.extracted_text,
      status: "received",
      reply_to: mail.reply_to[0]?.address.toLowerCase() ?? null,
      in_reply_to: mail.in_reply_to,
      references: mail.references,
      message_id: mail.message_id,
      labels,
      provider: null,
      client_id: evidence.client_id ?? null,
      created_at: iso(now),
      attachments,
      delivery_events: [],
      auth: shownAuth(authentication),
      safety,
      size_bytes: evidence.size_bytes,
      authenticated: authentication.passes,
      dedupe_key: dedupeKey(mail, evidence.raw.hash),
      raw_hash: evidence.raw.hash,
    };
    const task = decision.made
      ? openTask(
          parts.makeId,
          message,
          {
            ...decision,
            owner_id: sender.owner?.id ?? null,
            update_task_id: thread?.update_task_id ?? answers?.update.task_id ?? null,
            answers_update_id: answers?.update.id ?? null,
            answer: answers?.answer ?? null,
          },
          now,
        )
      : undefined;
    const decisions: Decisions = {
      origin,
      ...(authentication.forwarded_by === null ? {} : { forwarded_by: authentication.forwarded_by }),
      authentication: authentication.reasons,
      automatic: marks,
      task: { made: decision.made, reason: decision.reason, task_id: task?.id ?? null },
    };
    const stored = storeNewMessage(work, message, { ...bodyOf(mail, message, extraction), decisions }, [evidence.raw, ...staged]);
    work.require(stored.then(({ record, inserted }) => endIf(inserted ? undefined : duplicateOf(record))));

    const joined = await addToThread(work, thread, message, { human: isHuman(facts), trusted: decision.trusted });
    if (!isHuman(facts)) await stopLoop(work, joined, message, now, { internal: origin === "internal", ...marks });
    announce(work, message, {
      held,
      owner,
      update_task_id: thread?.update_task_id ?? null,
      task_id: task?.id ?? null,
      answers,
    });
    if (leaves && owner !== undefined) await leaveUpdates(parts, work, { inbox, owner, message, now });
    if (answers !== undefined && owner !== undefined) await actOnAnswer(parts, work, answers, { inbox, message, owner, now });
    if (heard !== undefined && owner !== undefined) await actOnReply(parts, work, heard, { inbox, message, owner, now });
    if (task !== undefined) addTask(work, task);
    return { outcome: "stored", reason: null, message_id: message.id };
  }).catch(otherwise);
}

/** Ends a transaction with another outcome than it set out for. Nearly every mail is new and its inbox open, so nothing waits to know. */
class Otherwise extends Error {
  readonly delivered: Delivered;
  constructor(delivered: Delivered) {
    super("the mail is not stored");
    this.delivered = delivered;
  }
}

function endIf(delivered: Delivered | undefined): void {
  if (delivered !== undefined) throw new Otherwise(delivered);
}

function otherwise(error: unknown): Delivered {
  if (error instanceof Otherwise) return error.delivered;
  throw error;
}

const duplicateOf = ({ id }: MessageRecord): Delivered => ({ outcome: "duplicate", reason: null, message_id: id });

const shownAuth = ({ spf, dkim, dmarc, arc }: MessageAuth): MessageAuth => ({
  spf,
  dkim,
  dmarc,
  ...(arc === undefined ? {} : { arc }),
});

/** Of a key's 43: 132 bits tell mails apart, and whoever makes two alike loses one of his own. */
const dedupeChars = 22;

const decidesApproval = {
  made: false,
  trusted: true,
  reason: "approval: the owner's answer decides what it was asked, so there is nothing to do",
};

const endsUpdates = {
  made: false,
  trusted: true,
  reason: "unsubscribe: the owner's mail ended their updates, so there is nothing to do",
};

/** Why an inbox takes no mail, as it stands within the transaction. */
function closedReason(inbox: InboxRecord | undefined, now: Date): Delivered | undefined {
  if (inbox === undefined) return { outcome: "refused", reason: "unknown_recipient", message_id: null };
  const state = stateOf(inbox, now);
  if (state === "paused") return { outcome: "dropped", reason: "inbox_paused", message_id: null };
  return state === "expired" ? { outcome: "refused", reason: "inbox_expired", message_id: null } : undefined;
}

async function stageAttachments(parts: Parts, mail: ParsedMail) {
  const staged = await Promise.all(mail.attachments.map(({ bytes }) => stageBlob(parts, bytes)));
  const attachments = mail.attachments.map(({ bytes, ...shown }, index): MessageRecord["attachments"][number] => ({
    ...shown,
    id: parts.makeId("att"),
    size_bytes: bytes.length,
    hash: (staged[index] as StagedBlob).hash,
  }));
  return { attachments, staged };
}

/** A peer that tries again sends the same Message-ID and the same bytes. */
function dedupeKey(mail: ParsedMail, raw_hash: string): string {
  return createHash("sha256")
    .update(`${mail.message_id ?? ""}\n${raw_hash}`)
    .digest("base64url")
    .slice(0, dedupeChars);
}

function bodyOf(mail: ParsedMail, message: MessageRecord, extraction: Extraction): Omit<MessageBodyRecord, "decisions"> {
  const { method, confidence, removed_chars } = extraction;
  return {
    message_id: message.id,
    text: mail.text === message.extracted_text ? null : mail.text,
    html: mail.html,
    extracted_html: extraction.extracted_html === mail.html ? null : extraction.extracted_html,
    headers: shownHeaders(mail),
    extraction: { method, confidence, removed_chars },
  };
}
