import { fail } from "../catalogue/errors.ts";
import type { MailAddress, MailHeader, ParsedMail, Unaddressed } from "../model/parsed-mail.ts";
import { readAddresses } from "./mime/addresses.ts";
import { assembleBodies } from "./mime/bodies.ts";
import { decodeEncodedWords } from "./mime/encoded-words.ts";
import { type HeaderField, readHeaderFields, shownText, shownValue } from "./mime/header-fields.ts";
import { decodeUtf7 } from "./mime/legacy-charsets.ts";
import { readMailDate } from "./mime/mail-date.ts";
import { boundReferences, MAX_REFERENCES_READ, readMessageIds } from "./mime/message-ids.ts";
import { readParts } from "./mime/parts.ts";

/** Bytes kept of the header block; one folded 200 KB header stops other parsers for seconds. */
export const MAX_HEADER_BYTES = 65_536;
/** Header fields kept per mail. */
export const MAX_HEADER_FIELDS = 1_000;
/** A mail with a larger header block is refused. */
export const MAX_HEADER_BLOCK_BYTES = 1_048_576;
/** A larger raw mail is refused; whatever brings mail in has a lower limit. */
export const MAX_MAIL_BYTES = 41_943_040;
const MAX_SUBJECT_CHARS = 2_000;

/**
 * Parses a raw mail (RFC 5322, RFC 2045 to 2049, RFC 2231, RFC 3676, RFC 6532) in linear time. What exceeds a
 * limit is cut and named in `truncated`. Fails with `mail_too_complex` when the mail or its header block is
 * too large, and with `mail_unreadable` when there is nothing to read. postal-mime parses address lists that
 * aren't plain; the rest is parsed here, because no available library keeps raw 8-bit headers and UTF-7 or limits the
 * number of parts.
 */
export async function parseMail(raw: Uint8Array): Promise<ParsedMail> {
  if (raw.length > MAX_MAIL_BYTES) throw fail("mail_too_complex");
  const block = readHeaderFields(raw, 0, raw.length, MAX_HEADER_BYTES);
  if (block.body_start > MAX_HEADER_BLOCK_BYTES) throw fail("mail_too_complex");
  if (block.fields.length === 0 && block.body_start >= raw.length) throw fail("mail_unreadable");
  const fields = block.fields.slice(0, MAX_HEADER_FIELDS);
  const { parts, truncated, unverified_signature } = readParts(fields, raw, block.body_start);
  const bodies = assembleBodies(parts);
  const charset = charsetOf(fields, raw.subarray(block.body_start));
  const shown = fields.map((field) => decodeEncodedWords(shownValue(field, charset)));
  const subject = shown[fields.findIndex(({ name }) => name === "subject")] ?? "";
  if (block.truncated || fields.length < block.fields.length) truncated.add("headers");
  const from = addressesOf(fields, "from", charset);
  const [sender] = addressesOf(fields, "sender", charset);
  const entries = {
    ...{ from, sender: sender === undefined ? [] : [sender] },
    reply_to: addressesOf(fields, "reply-to", charset),
    ...{ to: addressesOf(fields, "to", charset), cc: addressesOf(fields, "cc", charset) },
  };
  return {
    headers: fields.map((field, index) => toHeader(field, shown[index] ?? "")),
    from,
    from_headers: block.from_count,
    sender: entries.sender.find(hasAddress) ?? null,
    reply_to: entries.reply_to.filter(hasAddress),
    to: entries.to.filter(hasAddress),
    cc: entries.cc.filter(hasAddress),
    unaddressed: unaddressedAmong(entries),
    subject: wordReader(charset)(subject)
      .replace(/[\x00-\x1f\x7f\x85\u2028\u2029]+/g, " ")
      .trim()
      .slice(0, MAX_SUBJECT_CHARS),
    message_id: readMessageIds(valueOf(fields, "message-id") ?? "")[0] ?? null,
    in_reply_to: readMessageIds(valueOf(fields, "in-reply-to") ?? "")[0] ?? null,
    references: boundReferences(
      readMessageIds(
        fields
          .filter(({ name }) => name === "references")
          .map(({ value }) => value)
          .join(" "),
      ),
      MAX_REFERENCES_READ,
    ),
    date: readMailDate(valueOf(fields, "date") ?? ""),
    text: bodies.text,
    html: bodies.html,
    attachments: bodies.attachments,
    content_bytes: bodies.content_bytes,
    truncated: [...truncated, ...bodies.truncated],
    unverified_signature,
  };
}

/** The addresses of every From header, as in `parseMail`, read from the header block alone. */
export function readAuthors(raw: Uint8Array): string[] {
  const end = Math.min(raw.length, MAX_HEADER_BLOCK_BYTES);
  const { fields } = readHeaderFields(raw, 0, end, MAX_HEADER_BYTES, "mail", "from");
  return addressesOf(fields.slice(0, MAX_HEADER_FIELDS), "from", undefined).map(({ address }) => address);
}

const hasAddress = ({ address }: MailAddress): boolean => address !== "";

/** The entries without an address, by their header. */
function unaddressedAmong(entries: Record<Unaddressed["field"], MailAddress[]>): Unaddressed[] {
  const all: Unaddressed[] = [];
  for (const field of ["from", "sender", "reply_to", "to", "cc"] as const)
    for (const { address, name } of entries[field]) if (address === "") all.push({ field, name });
  return all.slice(0, MAX_UNADDRESSED);
}

function toHeader({ name, value }: HeaderField, shown: string): MailHeader {
  // Unfolded values have none of these.
  return { name, value: shown === value ? value : shown.replace(/[\r\n\0]+/g, " ") };
}

function valueOf(fields: HeaderField[], name: string): string | undefined {
  return fields.find((field) => field.name === name)?.value;
}

/** Addresses are read from the bytes; the charset applies only to the names. */
function addressesOf(fields: HeaderField[], name: string, charset: string | undefined): MailAddress[] {
  const addresses: MailAddress[] = [];
  for (const field of fields) {
    if (field.name !== name) continue;
    const words = wordReader(charset);
    for (const entry of readAddresses(field.value)) {
      const raw = field.legacy === true && /^[\x00-\xff]*$/.test(entry.name);
      addresses.push({
        address: entry.address,
        name: words(raw ? shownText(entry.name, charset) : entry.name),
      });
    }
  }
  return addresses;
}

/** Further entries without an address are not told. */
const MAX_UNADDRESSED = 100;
/** Bytes of a body that are searched for the charset of its first part. */
const CHARSET_WITHIN_BYTES = 4_096;

/** The charset that the mail declares first, for its text or the first part. */
function charsetOf(fields: HeaderField[], body: Uint8Array): string | undefined {
  const named = /charset\s*=\s*"?([\w.:-]{1,64})/i;
  const type = valueOf(fields, "content-type") ?? "";
  const head = /^\s*multipart\//i.test(type)
    ? Buffer.from(body.subarray(0, CHARSET_WITHIN_BYTES)).toString("latin1")
    : "";
  return (named.exec(type) ?? named.exec(head))?.[1];
}

/**
 * Senders of UTF-7 bodies used it in headers too. It is decoded only for display, never where it could
 * produce an address.
 */
function wordReader(charset: string | undefined): (text: string) => string {
  const utf7 = /^(?:unicode-1-1-)?utf-?7$/i.test(charset ?? "");
  return utf7 ? (text) => decodeUtf7(text).replace(/[\x00-\x1f\x7f]+/g, " ") : (text) => text;
}
