import { fail } from "../catalogue/errors.ts";
import type { MailAddress, MailHeader, ParsedMail } from "../model/parsed-mail.ts";
import { readAddresses } from "./mime/addresses.ts";
import { assembleBodies } from "./mime/bodies.ts";
import { decodeEncodedWords } from "./mime/encoded-words.ts";
import { type HeaderField, readHeaderFields, shownText, shownValue } from "./mime/header-fields.ts";
import { decodeUtf7 } from "./mime/legacy-charsets.ts";
import { readMailDate } from "./mime/mail-date.ts";
import { boundReferences, readMessageIds } from "./mime/message-ids.ts";
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
  const { parts, truncated } = readParts(fields, raw.subarray(block.body_start));
  const bodies = assembleBodies(parts);
  const charset = charsetOf(fields, raw.subarray(block.body_start));
  const shown = fields.map((field) => decodeEncodedWords(shownValue(field, charset)));
  const subject = shown[fields.findIndex(({ name }) => name === "subject")] ?? "";
  if (block.truncated || fields.length < block.fields.length) truncated.add("headers");
  return {
    headers: fields.map((field, index) => toHeader(field, shown[index] ?? "")),
    from: addressesOf(fields, "from", charset),
    from_headers: block.from_count,
    sender: addressesOf(fields, "sender", charset)[0] ?? null,
    reply_to: addressesOf(fields, "reply-to", charset),
    to: addressesOf(fields, "to", charset),
    cc: addressesOf(fields, "cc", charset),
    subject: wordReader(charset)(subject).replace(/\s+/g, " ").trim().slice(0, MAX_SUBJECT_CHARS),
    message_id: readMessageIds(valueOf(fields, "message-id") ?? "")[0] ?? null,
    in_reply_to: readMessageIds(valueOf(fields, "in-reply-to") ?? "")[0] ?? null,
    references: boundReferences(
      readMessageIds(
        fields
          .filter(({ name }) => name === "references")
          .map(({ value }) => value)
          .join(" "),
      ),
    ),
    date: readMailDate(valueOf(fields, "date") ?? ""),
    text: bodies.text,
    html: bodies.html,
    attachments: bodies.attachments,
    truncated: [...truncated, ...bodies.truncated],
  };
}

/** The addresses of every From header, as in `parseMail`, read from the header block alone. */
export function readAuthors(raw: Uint8Array): string[] {
  const end = Math.min(raw.length, MAX_HEADER_BLOCK_BYTES);
  const { fields } = readHeaderFields(raw, 0, end, MAX_HEADER_BYTES, "mail", "from");
  return addressesOf(fields.slice(0, MAX_HEADER_FIELDS), "from", undefined).map(({ address }) => address);
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
