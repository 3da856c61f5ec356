import { createHash } from "node:crypto";
import type { Services } from "../kernel/context.ts";
import { stageBlob } from "../messages/index.ts";
import { iso } from "../model/fields.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import type { MessageAuth, MessageBodyRecord, MessageRecord } from "../model/messages.ts";
import type { ParsedMail } from "../model/parsed-mail.ts";
import type { StagedBlob } from "../ports/blobs.ts";
import type { MailDecision } from "./decide.ts";
import type { Evidence } from "./evidence.ts";
import { addressOf } from "./look-up-sender.ts";
import { shownHeaders } from "./rules.ts";

/** Builds the message record of a mail. */
export function receivedMessage(
  { mail, raw, size_bytes, authentication, client_id = null }: Evidence,
  { labels, safety }: MailDecision,
  place: { id: string; inbox: InboxRecord; thread_id: string; attachments: MessageRecord["attachments"] },
  now: Date,
): MessageRecord {
  const { id, inbox, thread_id, attachments } = place;
  return {
    id,
    account_id: inbox.account_id,
    inbox_id: inbox.id,
    thread_id,
    direction: "inbound",
    channel: "email",
    from: addressOf(mail),
    from_name: mail.from[0]?.name || null,
    to: mail.to.map(({ address }) => address.toLowerCase()),
    cc: mail.cc.map(({ address }) => address.toLowerCase()),
    bcc: [],
    subject: mail.subject,
    extracted_text: mail.extraction.extracted_text,
    status: "received",
    reply_to: mail.reply_to[0]?.address.toLowerCase() ?? null,
    in_reply_to: mail.in_reply_to,
    references: mail.references,
    message_id: mail.message_id,
    labels,
    provider: null,
    client_id,
    created_at: iso(now),
    attachments,
    delivery_events: [],
    auth: shownAuth(authentication),
    safety,
    size_bytes,
    authenticated: authentication.passes,
    dedupe_key: dedupeKey(mail, raw.hash),
    raw_hash: raw.hash,
  };
}

/** Builds the body record: original texts, headers and the recorded decisions. */
export function receivedBody(
  { mail, origin, authentication }: Evidence,
  { facts, task }: MailDecision,
  { message_id, task_id }: { message_id: string; task_id: string | null },
): MessageBodyRecord {
  const { extracted_text, extracted_html, method, confidence, removed_chars } = mail.extraction;
  const { forwarded_by, reasons } = authentication;
  return {
    message_id,
    text: mail.text === extracted_text ? null : mail.text,
    html: mail.html,
    extracted_html: extracted_html === mail.html ? null : extracted_html,
    headers: shownHeaders(mail),
    extraction: { method, confidence, removed_chars },
    decisions: {
      origin,
      ...(forwarded_by === null ? {} : { forwarded_by }),
      authentication: reasons,
      automatic: facts.marks,
      task: { made: task.made, reason: task.reason, task_id },
    },
  };
}

/** Stages the bytes of a mail's attachments; returns them with their records for the message. */
export async function stageAttachments(services: Services, mail: ParsedMail) {
  const staged = await Promise.all(mail.attachments.map(({ bytes }) => stageBlob(services, bytes)));
  const attachments = mail.attachments.map(
    ({ bytes, ...shown }, index): MessageRecord["attachments"][number] => ({
      ...shown,
      id: services.makeId("att"),
      size_bytes: bytes.length,
      hash: (staged[index] as StagedBlob).hash,
    }),
  );
  return { attachments, staged };
}

const shownAuth = ({ spf, dkim, dmarc, arc }: MessageAuth): MessageAuth => ({
  spf,
  dkim,
  dmarc,
  ...(arc === undefined ? {} : { arc }),
});

/** Of 43: 132 bits are enough; a sender who forges a collision only loses a mail of their own. */
const DEDUPE_KEY_CHARS = 22;

/** A retry by the peer has the same Message-ID and the same bytes. */
function dedupeKey(mail: ParsedMail, raw_hash: string): string {
  return createHash("sha256")
    .update(`${mail.message_id ?? ""}\n${raw_hash}`)
    .digest("base64url")
    .slice(0, DEDUPE_KEY_CHARS);
}
