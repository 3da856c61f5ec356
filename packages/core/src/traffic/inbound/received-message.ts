import { hash } from "node:crypto";
import { LIMITS } from "../../catalogue/limits.ts";
import type { Services } from "../../kernel/context.ts";
import { boundReferences } from "../../mail/mime/message-ids.ts";
import { findWords } from "../../mail/redaction/find-words.ts";
import { stageBlob } from "../../mailbox/messages/index.ts";
import { distinctAddresses, givenAddress } from "../../model/address.ts";
import { iso } from "../../model/fields.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { Names } from "../../model/mailbox.ts";
import type { MessageAuth } from "../../model/message-facts.ts";
import type { MessageBodyRecord, MessageRecord } from "../../model/messages.ts";
import type { MailAddress, ParsedMail } from "../../model/parsed-mail.ts";
import type { StagedBlob } from "../../ports/blobs.ts";
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
  const [reply_to = null, ...more_reply_to] = distinctAddresses(
    mail.reply_to.map(({ address }) => shownAddress(address)),
  );
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
    unaddressed: mail.unaddressed.map(({ field, name }) => ({
      field,
      name: name.slice(0, LIMITS.mailbox_name_chars),
    })),
    subject: mail.subject,
    extracted_text: mail.extraction.extracted_text,
    status: "received",
    reply_to,
    more_reply_to,
    envelope_to: cameTo(evidence, inbox),
    in_reply_to: mail.in_reply_to,
    references: boundReferences(mail.references),
    message_id: mail.message_id,
    labels,
    provider: null,
    client_id,
    created_at: iso(now),
    attachments,
    delivery_events: [],
    auth: shownAuth(authentication, mail),
    outbound_findings: null,
    safety,
    size_bytes,
    redacted: evidence.redacted,
    authenticated: authentication.passes,
    dedupe_key,
    raw_hash: raw.hash,
    owner_copies: [],
    phone: null,
    attention: labels.includes("held") ? "held" : null,
  };
}

/** The display names of a mail's recipients and of Reply-To, by address; of one address the first. */
function receivedNames({ to, cc, reply_to }: ParsedMail): Names {
  const names = [...to, ...cc, ...reply_to].flatMap(({ address, name }) =>
    name === "" ? [] : [[shownAddress(address), name.slice(0, LIMITS.mailbox_name_chars)] as const],
  );
  return Object.fromEntries(names.toReversed());
}

/** The address that a mail came to, with its tag; that of the inbox alone where the other is or has a secret. */
function cameTo({ came_to = "", letter }: Evidence, { email }: InboxRecord): string {
  const is_secret = letter !== undefined || findWords(came_to).length > 0;
  return came_to === "" || is_secret ? email : shownAddress(came_to);
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
  { mail, origin, authentication, proof, compared_with, stub }: Evidence,
  { facts, task, word, rules }: MailDecision,
  { message_id, task_id }: { message_id: string; task_id: string | null },
): MessageBodyRecord {
  const { extracted_text, extracted_html, method, confidence, removed_chars, links } = mail.extraction;
  const { forwarded_by, reasons } = authentication;
  return {
    message_id,
    text: mail.text === extracted_text ? null : mail.text,
    html: mail.html,
    extracted_html: extracted_html === mail.html ? null : extracted_html,
    headers: shownHeaders(mail),
    extraction: { method, confidence, removed_chars, ...(links.length > 0 ? { links } : {}) },
    decisions: {
      origin,
      ...(forwarded_by === null ? {} : { forwarded_by }),
      authentication: reasons,
      automatic: facts.marks,
      proof: proof.kind,
      ...(proof.kind === "inbox"
        ? { sent_by: { inbox_id: proof.inbox_id, account_id: proof.account_id } }
        : {}),
      ...(facts.doubt === null ? {} : { doubt: facts.doubt }),
      ...(facts.untrusted_reason === null ? {} : { untrusted_reason: facts.untrusted_reason }),
      ...(facts.replayed ? { replayed: true } : {}),
      ...(word === undefined ? {} : { word: { letter_id: word.letter_id, missing: word.missing } }),
      rank: authenticationRank(facts),
      ...(compared_with === undefined ? {} : { compared_with }),
      ...(stub === undefined ? {} : { letter: stub.kind ?? "unknown" }),
      ...(rules.matched.length === 0 ? {} : { rules: rules.matched }),
      task: { made: task.made, reason: task.reason, task_id },
    },
  };
}

/** Stages the bytes of a mail's attachments; returns them with their records for the message. */
export async function stageAttachments(services: Services, mail: Pick<ParsedMail, "attachments">) {
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

const shownAuth = (
  { spf, dkim, dmarc, arc }: MessageAuth,
  { unverified_signature }: Evidence["mail"],
): MessageAuth => ({
  spf,
  dkim,
  dmarc,
  ...(arc === undefined ? {} : { arc }),
  ...(unverified_signature ? { smime: "unverified" } : {}),
});

/** Of 43: 132 bits are enough; a sender who forges a collision only loses a mail of their own. */
const DEDUPE_KEY_CHARS = 22;

/**
 * Returns the key by which copies of a mail are recognised: author, Message-ID and content, regardless of what was
 * added in transit. Without a Message-ID, or with content that was not read completely, only the same bytes are a
 * copy. An injected mail is never the copy of a real one, and an answer to a letter is never the copy of other mail.
 */
export function dedupeKey(
  { mail, raw, origin, letter }: Evidence,
  attachments: readonly { hash: string; filename: string; content_type: string }[],
): string {
  const { message_id, subject, date, text, html, in_reply_to, references } = mail;
  const { unaddressed } = mail;
  const people = [
    mail.from,
    mail.to,
    mail.cc,
    mail.reply_to,
    ...(unaddressed.length > 0 ? [unaddressed] : []),
  ];
  const files = attachments.map((file) => [file.hash, file.filename, file.content_type]);
  const content =
    message_id === null || mail.truncated.length > 0
      ? raw.hash
      : JSON.stringify([subject, date, text, html, in_reply_to, references, people, files]);
  const door = origin === "injected" ? "injected" : (letter?.record.hash ?? "");
  return hash("sha256", `${door}\n${message_id ?? ""}\n${content}`, "base64url").slice(0, DEDUPE_KEY_CHARS);
}
