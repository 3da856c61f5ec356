import { fail } from "../../../catalogue/errors.ts";
import { ownerCopiesOf } from "../../../kernel/access/authority.ts";
import { inboxDomain } from "../../../kernel/addresses/inbox-domain.ts";
import type { Services } from "../../../kernel/context.ts";
import type { Work } from "../../../kernel/work.ts";
import { spendBudget } from "../../../limits/budgets/index.ts";
import { takeFromPlan } from "../../../limits/plans/index.ts";
import { workOnContent } from "../../../mail/work-on-content.ts";
import { distinctAddresses, withoutAddresses } from "../../../model/address.ts";
import type { StoredAttachment } from "../../../model/attachments.ts";
import { iso } from "../../../model/fields.ts";
import type { InboxRecord } from "../../../model/inboxes.ts";
import type { Names } from "../../../model/mailbox.ts";
import type { MessageBodyRecord, MessageRecord } from "../../../model/messages.ts";
import type { ThreadRecord } from "../../../model/threads.ts";
import { trippedFault } from "../../canaries/index.ts";
import { storeMessage, textWords } from "../store.ts";
import { addToThread, threadIdFor } from "../threading/attach.ts";
import { findThread } from "../threading/find-thread.ts";
import { awaitReferences } from "../threading/join-threads.ts";

/** A mail ready to be queued: its addresses are checked and its attachments are stored. */
export interface Outgoing {
  to: string[];
  cc: string[];
  bcc: string[];
  reply_to: string | null;
  /** Display names by address. */
  names?: Names | undefined;
  subject: string;
  text: string | null;
  html: string | null;
  /** Additional headers, already checked. */
  headers: Record<string, string>;
  labels: string[];
  attachments: StoredAttachment[];
  client_id: string | null;
  /** The Message-ID that it replies to. */
  in_reply_to: string | null;
  references: string[];
  /** The thread it belongs to; null finds one by the references, or opens one. */
  thread_id: string | null;
  update_task_id?: string | null;
}

/** The text of a mail's bodies: the form that agents read, and the words by which it is found. */
export interface ReadBodies {
  extracted_text: string;
  /** The HTML part as agents read it; null without one. */
  extracted_html: string | null;
  /** Computed when the mail is stored, if missing. */
  text_words?: string;
}

/**
 * Reads the bodies of a mail to be sent; without a text part, agents read the text of its HTML. Long bodies take
 * long, so they are read before the transaction that queues the mail.
 */
export async function readBodies(
  services: Pick<Services, "contentWorker">,
  { text, html }: Pick<Outgoing, "text" | "html">,
): Promise<ReadBodies> {
  const extracted_text = text ?? (await workOnContent(services.contentWorker, "htmlToText", html ?? ""));
  const extracted_html = html === null ? null : await workOnContent(services.contentWorker, "safeHtml", html);
  return { extracted_text, extracted_html, text_words: await textWords(services, extracted_text) };
}

/**
 * Queues a mail in the caller's transaction: message, thread and send job are stored together. When a message
 * with the same client_id exists, returns that and `inserted: false`. Fails with `inbox_not_found`, and,
 * unless it is a `letter` of the service itself, with `inbox_paused`, `domain_not_verified`, `loop_stopped`, `plan_limit_exceeded` or, by the
 * budgets that count for the key that asks (`asked_by`), `budget_exceeded` or `recipient_outside_budget`.
 */
export async function queueOutgoing(
  services: Pick<Services, "makeId" | "options">,
  work: Work,
  inbox: InboxRecord,
  mail: Outgoing,
  { extracted_text, extracted_html, text_words }: ReadBodies,
  now: Date,
  send: {
    letter?: boolean;
    asked_by?: string | null;
    payload?: Record<string, unknown>;
    findings?: MessageRecord["outbound_findings"];
  } = {},
): Promise<{ record: MessageRecord; body: MessageBodyRecord; inserted: boolean }> {
  const { makeId } = services;
  // Read again in the transaction: the inbox may have been deleted or paused meanwhile.
  const current = await work.get("inboxes", inbox.id);
  if (current === undefined) throw fail("inbox_not_found");
  if (current.status === "paused" && send.letter !== true) throw fail("inbox_paused");
  const tripped = send.letter === true ? null : trippedFault(current);
  if (tripped !== null) throw tripped;
  if (send.letter !== true && !(await inboxDomain(services, work, current)).sends)
    throw fail("domain_not_verified");
  const { thread, follows } = await threadOf(work, inbox, mail);
  if (thread?.loop_stopped_at != null && send.letter !== true) throw fail("loop_stopped");

  const { owner_copies, ...copied } = await withCopies(services, work, current, mail, send.letter === true);
  const id = makeId("msg");
  const message: MessageRecord = {
    id,
    account_id: inbox.account_id,
    inbox_id: inbox.id,
    thread_id: threadIdFor(thread, makeId),
    direction: "outbound",
    channel: "email",
    from: inbox.email,
    from_name: inbox.display_name,
    to: mail.to,
    ...copied,
    owner_copies,
    names: mail.names ?? {},
    subject: mail.subject,
    extracted_text,
    status: "queued",
    reply_to: mail.reply_to,
    in_reply_to: mail.in_reply_to,
    references: mail.references,
    message_id: `<${id.slice("msg_".length)}@${inbox.domain}>`,
    labels: ["sent", ...mail.labels.filter((label) => label !== "sent")],
    provider: null,
    client_id: mail.client_id,
    created_at: iso(now),
    attachments: mail.attachments,
    delivery_events: [],
    auth: null,
    outbound_findings: send.findings ?? null,
    safety: null,
    size_bytes:
      (mail.text?.length ?? 0) +
      (mail.html?.length ?? 0) +
      mail.attachments.reduce((sum, { size_bytes }) => sum + size_bytes, 0),
    redacted: false,
    authenticated: false,
    dedupe_key: null,
    raw_hash: null,
    unaddressed: [],
    envelope_to: null,
    more_reply_to: [],
    phone: null,
    attention: null,
  };
  const body: MessageBodyRecord = {
    message_id: id,
    text: mail.text === extracted_text ? null : (mail.text ?? ""),
    html: mail.html,
    extracted_html: extracted_html === mail.html ? null : extracted_html,
    headers: mail.headers,
    extraction: null,
    decisions: null,
  };
  const { record, inserted } = await storeMessage(work, message, body, text_words);
  if (!inserted) return { record, body: (await work.get("message_bodies", record.id)) ?? body, inserted };
  if (send.letter !== true) {
    // Copies are the service's own: neither quotas nor budgets count them.
    const asked = { ...message, cc: mail.cc, bcc: mail.bcc };
    const recipients = distinctAddresses([...asked.to, ...asked.cc, ...asked.bcc]).length;
    await takeFromPlan(services, work, inbox.account_id, "monthly_sends", recipients, now);
    work.require(spendBudget(work, send.asked_by ?? null, asked, now));
  }

  if (!follows) awaitReferences(work, message);
  await addToThread(work, thread, message, {
    human: false,
    trusted: true,
    update_task_id: mail.update_task_id ?? null,
  });
  work.job({ kind: "message.send", subject_id: id, payload: send.payload ?? {} });
  return { record, body, inserted };
}

/** The recipients of a mail with those in charge of its inbox, who get a copy unless they get the mail anyway. */
async function withCopies(
  services: Pick<Services, "options">,
  work: Work,
  inbox: InboxRecord,
  { to, cc, bcc }: Outgoing,
  letter: boolean,
): Promise<Pick<MessageRecord, "cc" | "bcc" | "owner_copies">> {
  const copies = letter ? [] : await ownerCopiesOf(services, work, inbox);
  const owner_copies = withoutAddresses(copies, [...to, ...cc, ...bcc]);
  if (inbox.owner_copy === "cc") return { cc: [...cc, ...owner_copies], bcc, owner_copies };
  return { cc, bcc: [...bcc, ...owner_copies], owner_copies };
}

async function threadOf(
  work: Work,
  inbox: InboxRecord,
  mail: Outgoing,
): Promise<{ thread: ThreadRecord | undefined; follows: boolean }> {
  const thread = mail.thread_id === null ? undefined : await work.get("threads", mail.thread_id);
  if (thread !== undefined && thread.inbox_id === inbox.id) return { thread, follows: true };
  return findThread(work, inbox.id, mail.references);
}
