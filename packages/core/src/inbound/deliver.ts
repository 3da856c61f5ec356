import { createHash } from "node:crypto";
import { isAllowlisted } from "../allowlist/rules.ts";
import type { Parts } from "../context.ts";
import { extract, previewOf } from "../extraction/extract.ts";
import type { InboxRecord } from "../inboxes/schema.ts";
import type { MessageAuth, MessageBodyRecord, MessageRecord } from "../messages/schema.ts";
import { showInEvent } from "../messages/show.ts";
import { storeMessage } from "../messages/store.ts";
import { isReady } from "../messages/terms.ts";
import type { OwnerRecord } from "../owners/schema.ts";
import { iso } from "../schema.ts";
import { screenMail } from "../screening/screen-mail.ts";
import { openTask } from "../tasks/open.ts";
import { showTask } from "../tasks/show.ts";
import { addToThread, findThread, threadIdFor } from "../threads/attach.ts";
import { stopLoop } from "../threads/loop.ts";
import { channels, unitOfWork, type Work } from "../unit-of-work.ts";
import type { ParsedMail } from "./parsed-mail.ts";
import { automaticMarks, decideTask, isHuman, type Origin, shownHeaders, speaksForOwner, type TaskFacts } from "./rules.ts";

/** A mail that was read and whose sender was checked. */
export interface Evidence {
  mail: ParsedMail;
  raw_hash: string | null;
  size_bytes: number;
  mail_from: string;
  origin: Origin;
  authentication: MessageAuth & { passes: boolean; reasons: string[] };
  received_at: Date;
  client_id?: string | null;
}

/** What became of a mail for one inbox. */
export interface Delivered {
  outcome: "stored" | "duplicate";
  reason: null;
  message_id: string;
}

/** Takes a mail into one inbox: who wrote it, screening, the new words; then message, thread, event, task and jobs in one transaction. */
export async function deliver(parts: Parts, inbox: InboxRecord, evidence: Evidence, now: Date): Promise<Delivered> {
  const { mail, origin, authentication } = evidence;
  const from = (mail.from[0]?.address ?? "").toLowerCase();
  const sender = await knowSender(parts, inbox, from);
  const safety = await screenMail(parts, inbox.screening, mail, {
    authenticated: authentication.passes,
    ...sender.facts,
    trusted: (sender.owner !== undefined || sender.allowlisted) && authentication.passes,
    auth: authentication,
  });
  const attachments = await storeAttachments(parts, mail);
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
    require_sender_auth: inbox.require_sender_auth,
  };
  const decision = decideTask(facts);
  const extraction = extract({ text: mail.text, html: mail.html, subject: mail.subject, is_reply: mail.in_reply_to !== null });
  const labels = ["received", "unread"];
  if (origin === "injected") labels.push("injected");
  if (suspicious) labels.push("suspicious");
  if (held) labels.push("held");
  if (!facts.authenticated) labels.push("untrusted");

  return unitOfWork(parts, inbox.account_id, now, async (work) => {
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
      preview: previewOf(extraction.extracted_text),
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
      auth: { spf: authentication.spf, dkim: authentication.dkim, dmarc: authentication.dmarc },
      safety,
      size_bytes: evidence.size_bytes,
      decisions: {
        origin,
        authenticated: authentication.passes,
        authentication: authentication.reasons,
        automatic: marks,
        task: { made: decision.made, reason: decision.reason, task_id: null },
      },
      dedupe_key: evidence.raw_hash === null ? null : dedupeKey(mail, evidence.raw_hash),
      raw_hash: evidence.raw_hash,
    };
    const task = decision.made
      ? openTask(parts.makeId, message, { ...decision, owner_id: sender.owner?.id ?? null, update_task_id: thread?.update_task_id ?? null }, now)
      : undefined;
    if (task !== undefined && message.decisions !== null) message.decisions.task.task_id = task.id;

    const { record, inserted } = await storeMessage(work, message, bodyOf(mail, message, extraction));
    if (!inserted) return { outcome: "duplicate", reason: null, message_id: record.id };

    const joined = await addToThread(work, thread, message, { human: isHuman(facts), trusted: decision.trusted });
    if (!isHuman(facts)) await stopLoop(work, joined, message, now, { internal: origin === "internal", ...marks });
    announce(parts, work, message, { held, owner: speaksForOwner(facts) ? sender.owner : undefined, update_task_id: thread?.update_task_id ?? null, task_id: task?.id ?? null });
    if (task !== undefined) {
      work.append("tasks", [task]);
      work.publish({ type: "task.received", inbox_id: inbox.id, data: { task: showTask(task) } });
      work.wake(channels.tasks(inbox.account_id));
    }
    return { outcome: "stored", reason: null, message_id: message.id };
  });
}

/** Notes the events of a message that came in or was released, and wakes those who wait for it. */
export function announce(
  parts: Parts,
  work: Work,
  message: MessageRecord,
  facts: { held: boolean; owner: OwnerRecord | undefined; update_task_id: string | null; task_id: string | null },
): void {
  const { inbox_id } = message;
  const shown = showInEvent(message, parts.options);
  work.publish({ type: facts.held ? "message.held" : "message.received", inbox_id, data: { message: shown } });
  if (facts.owner !== undefined) {
    const data = { message: shown, owner_id: facts.owner.id, task_id: facts.task_id, answers_task_id: facts.update_task_id };
    work.publish({ type: "owner.reply", inbox_id, data });
  }
  if (isReady(message)) work.wake(channels.inbox(inbox_id));
}

/** Who the sender is to the inbox. Owner and allowlist go by the address alone: whether it is to be believed is decided apart. */
export async function knowSender({ storage }: Parts, inbox: InboxRecord, from: string) {
  const domain = from.slice(from.lastIndexOf("@") + 1);
  const [[owner], entries, [known]] = await Promise.all([
    storage.find("owners", { where: { inbox_id: inbox.id, email: from }, limit: 1 }),
    storage.find("allowlist", { where: { inbox_id: inbox.id, address: { in: [from, domain] } }, limit: 2 }),
    storage.find("message_terms", { where: { inbox_id: inbox.id, term: { in: [`from:${from}`, `to:${from}`] } }, limit: 1 }),
  ]);
  return {
    owner: owner?.status === "verified" ? owner : undefined,
    allowlisted: isAllowlisted(entries, from),
    facts: { known: known !== undefined },
  };
}

async function isOwnMessage({ storage }: Parts, inbox_id: string, reference: string): Promise<boolean> {
  const rows = await storage.find("message_references", { where: { inbox_id, reference, own: true }, limit: 1 });
  return rows.length > 0;
}

async function storeAttachments({ blobs, makeId }: Parts, mail: ParsedMail): Promise<MessageRecord["attachments"]> {
  return Promise.all(
    mail.attachments.map(async ({ bytes, ...shown }) => ({ ...shown, id: makeId("att"), size_bytes: bytes.length, hash: await blobs.put(bytes) })),
  );
}

/** A peer that tries again sends the same Message-ID and the same bytes. */
function dedupeKey(mail: ParsedMail, raw_hash: string): string {
  return createHash("sha256").update(`${mail.message_id ?? ""}\n${raw_hash}`).digest("hex");
}

function bodyOf(mail: ParsedMail, message: MessageRecord, extraction: ReturnType<typeof extract>): MessageBodyRecord {
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
