import { hash } from "node:crypto";
import { LIMITS } from "../catalogue/limits.ts";
import type { Services } from "../kernel/context.ts";
import { stageBlob } from "../messages/index.ts";
import { givenAddress } from "../model/address.ts";
import { iso } from "../model/fields.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import type { Names } from "../model/mailbox.ts";
import type { MessageAuth, MessageBodyRecord, MessageRecord } from "../model/messages.ts";
import type { MailAddress, ParsedMail } from "../model/parsed-mail.ts";
import type { StagedBlob } from "../ports/blobs.ts";
import type { MailDecision } from "./decide.ts";
import type { Evidence } from "./evidence.ts";
import { authenticationRank, shownHeaders } from "./rules.ts";

/** Builds the message record of a mail. */
export function receivedMessage(
  evidence: Evidence,
  { labels, safety }: MailDecision,
  place: Pick<MessageRecord, "id" | "thread_id" | "attachments" | "dedupe_key"> & { inbox: InboxRecord },
  now: Date,
): MessageRecord {
  const { mail, raw, size_bytes, authentication, client_id = null } = evidence;
  const { id, inbox, thread_id, attachments, dedupe_key } = place;
  return {
    id,
    account_id: inbox.account_id,
    inbox_id: inbox.id,
    thread_id,
    direction: "inbound",
    channel: "email",
    from: shownAddress(mail.from[0]?.address ?? ""),
    from_name: mail.from[0]?.name || null,
    to: shownRecipients(evidence, inbox, mail.to).map(({ address }) => shownAddress(address)),
    cc: mail.cc.map(({ address }) => shownAddress(address)),
    bcc: [],
    names: receivedNames(mail),
    subject: mail.subject,
    extracted_text: mail.extraction.extracted_text,
    status: "received",
    reply_to: mail.reply_to[0] === undefined ? null : shownAddress(mail.reply_to[0].address),
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
    redacted: evidence.redacted,
    authenticated: authentication.passes,
    dedupe_key,
    raw_hash: raw.hash,
    phone: null,
  };
}

/** The display names of a mail's recipients and of Reply-To, by address; of one address the first. */
function receivedNames({ to, cc, reply_to }: ParsedMail): Names {
  const names = [...to, ...cc, ...reply_to].flatMap(({ address, name }) =>
    name === "" || address === ""
      ? []
      : [[shownAddress(address), name.slice(0, LIMITS.mailbox_name_chars)] as const],
  );
  return Object.fromEntries(names.toReversed());
}

/** The recipients as the agent sees them: a letter's reply address is a secret, and stands for the inbox. */
function shownRecipients(
  { letter }: Evidence,
  { email }: InboxRecord,
  to: readonly MailAddress[],
): readonly MailAddress[] {
  const inbox = { address: email, name: "" };
  return letter === undefined || to.some(({ address }) => address === email) ? to : [inbox, ...to];
}

/** Builds the body record: original texts, headers and the recorded decisions. */
export function receivedBody(
  { mail, origin, authentication, compared_with }: Evidence,
  { facts, task, word }: MailDecision,
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
      ...(facts.doubt === null ? {} : { doubt: facts.doubt }),
      ...(facts.replayed ? { replayed: true } : {}),
      ...(word === undefined ? {} : { word: { letter_id: word.letter_id, missing: word.missing } }),
      rank: authenticationRank(facts),
      ...(compared_with === undefined ? {} : { compared_with }),
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

/** An address of a mail as shown and replied to; a malformed one as it is. */
const shownAddress = (address: string): string => givenAddress(address) ?? address;

const shownAuth = ({ spf, dkim, dmarc, arc }: MessageAuth): MessageAuth => ({
  spf,
  dkim,
  dmarc,
  ...(arc === undefined ? {} : { arc }),
});

/** Of 43: 132 bits are enough; a sender who forges a collision only loses a mail of their own. */
const DEDUPE_KEY_CHARS = 22;

/**
 * By what a copy of a mail is found: author, Message-ID and content, whatever its way here added. Without a
 * Message-ID, or with content that was not read whole, only the same bytes are a copy. An injected mail is
 * never the copy of a real one, and an answer to a letter is never the copy of other mail.
 */
export function dedupeKey(
  { mail, raw, origin, letter }: Evidence,
  attachments: readonly { hash: string; filename: string; content_type: string }[],
): string {
  const { message_id, subject, date, text, html, in_reply_to, references } = mail;
  const people = [mail.from, mail.to, mail.cc, mail.reply_to];
  const files = attachments.map((file) => [file.hash, file.filename, file.content_type]);
  const content =
    message_id === null || mail.truncated.length > 0
      ? raw.hash
      : JSON.stringify([subject, date, text, html, in_reply_to, references, people, files]);
  const door = origin === "injected" ? "injected" : (letter?.record.hash ?? "");
  return hash("sha256", `${door}\n${message_id ?? ""}\n${content}`, "base64url").slice(0, DEDUPE_KEY_CHARS);
}
