import { readReplyAddress } from "../../catalogue/letter-words.ts";
import type { MailAddress, ParsedAttachment, ParsedMail } from "../../model/parsed-mail.ts";
import { decodeBase64 } from "../mime/transfer-encoding.ts";
import { parseMail } from "../parse.ts";
import { findWords, MIN_WORD_CHARS } from "./find-words.ts";
import { writeMail } from "./write-mail.ts";

/** What stands where a secret or a link was. */
export const LINK_REMOVED = "[link removed]";
/** What stands where a code was. */
export const CODE_REMOVED = "[code removed]";

/** Secrets remembered of one mail, to be looked up; more than any mail of a person holds. */
export const MAX_SECRETS = 100;

/** A text without secrets, and the secrets that it had. */
export interface Struck {
  text: string;
  secrets: string[];
}

/** Replaces every secret of a letter in a text, together with the link around it. */
export function strikeText(text: string): Struck {
  const found = findWords(text);
  if (found.length === 0) return { text, secrets: [] };
  let kept = "";
  let at = 0;
  for (const { start, end } of found) {
    const from = Math.max(at, linkStart(text, start));
    const to = linkEnd(text, end);
    if (to <= at) continue;
    kept += text.slice(at, from) + LINK_REMOVED;
    at = to;
  }
  return { text: kept + text.slice(at), secrets: found.map(({ secret }) => secret) };
}

/** Characters that are searched on each side of a secret for the link around it. */
const MAX_LINK_CHARS = 4_000;
const OUTSIDE_LINK = /[\s"'<>()[\]{}]/;

/** Where the link around a position begins; the position itself outside of links. */
function linkStart(text: string, position: number): number {
  let at = position;
  while (at > 0 && position - at < MAX_LINK_CHARS && !OUTSIDE_LINK.test(text.charAt(at - 1))) at -= 1;
  return at;
}

function linkEnd(text: string, position: number): number {
  let at = position;
  while (at < text.length && at - position < MAX_LINK_CHARS && !OUTSIDE_LINK.test(text.charAt(at))) at += 1;
  return at;
}

/** A mail whose texts have no secrets, and those that it had, at most `MAX_SECRETS`. */
export interface StruckMail<M> {
  mail: M;
  secrets: string[];
}

/** How deep nested mails are opened; deeper ones are searched as bytes. */
const MAX_NESTING = 5;

/** Whether `strikeMail` may find a secret in a mail. It copies the mail, nearly all of which have none. */
export function mayHoldSecrets(mail: ParsedMail): boolean {
  if (mail.attachments.length > 0) return true;
  const { from, sender, reply_to, to, cc, text } = mail;
  const people = [...from, ...reply_to, ...to, ...cc, ...(sender === null ? [] : [sender])];
  if (people.some(({ address }) => readReplyAddress(address) !== undefined)) return true;
  if (findWords(text).length > 0) return true;
  // One search through all the rest: nearly all strings are too short for a search of their own to pay off.
  const searched: string[] = [];
  forEachString(mail, (each) => {
    // Nearly always the new words are the body itself.
    if (each.length >= MIN_WORD_CHARS && each !== text) searched.push(each);
  });
  return findWords(searched.join("\n\n")).length > 0;
}

/** Hands over the strings anywhere in a value. */
function forEachString(value: unknown, take: (text: string) => void): void {
  if (typeof value === "string") take(value);
  else if (Array.isArray(value)) for (const each of value) forEachString(each, take);
  else if (value !== null && typeof value === "object" && !(value instanceof Uint8Array))
    for (const key in value) forEachString((value as Record<string, unknown>)[key], take);
}

/**
 * Strikes the secrets from everything that a mail says: headers, names, bodies, nested mails, attachments. Reply
 * addresses vanish from its address fields. Linear in the mail's size.
 */
export async function strikeMail<M extends ParsedMail>(mail: M, depth = 0): Promise<StruckMail<M>> {
  const secrets = new Set<string>();
  const note = (found: readonly string[]) => {
    for (const secret of found) if (secrets.size < MAX_SECRETS) secrets.add(secret);
  };
  // Nearly always the new words are the body itself.
  const known = new Map<string, string>();
  const strike = (text: string): string => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const struck = strikeText(text);
    note(struck.secrets);
    known.set(text, struck.text);
    return struck.text;
  };
  const person = ({ address, name }: MailAddress): MailAddress => {
    const id = readReplyAddress(address);
    if (id !== undefined) note([id]);
    return { address: id === undefined ? strike(address) : "", name: strike(name) };
  };
  const people = (all: MailAddress[]) => all.map(person).filter(({ address }) => address !== "");
  const { from, sender, reply_to, to, cc, attachments, ...rest } = mail;
  const struck: ParsedAttachment[] = [];
  for (const attachment of attachments) {
    const bytes =
      isMail(attachment) && depth < MAX_NESTING ? await strikeNested(attachment, note, depth) : undefined;
    struck.push(bytes === undefined ? strikeAttachment(attachment, strike) : { ...attachment, bytes });
  }
  const without = {
    ...(mapStrings(rest, strike) as typeof rest),
    from: from.map(person),
    sender: sender === null ? null : person(sender),
    reply_to: people(reply_to),
    to: people(to),
    cc: people(cc),
    attachments: struck,
  };
  return { mail: without as unknown as M, secrets: [...secrets] };
}

const isMail = ({ content_type, filename }: ParsedAttachment): boolean =>
  content_type.startsWith("message/") || /\.(?:eml|mht|mhtml)$/i.test(filename);

/** A nested mail, rewritten if it holds secrets; undefined when it has none that its parts show. */
async function strikeNested(
  { bytes }: ParsedAttachment,
  note: (secrets: readonly string[]) => void,
  depth: number,
): Promise<Uint8Array | undefined> {
  const parsed = await parseMail(bytes).catch(() => undefined);
  if (parsed === undefined) return undefined;
  const struck = await strikeMail(parsed, depth + 1);
  note(struck.secrets);
  return struck.secrets.length === 0 ? undefined : writeMail(struck.mail);
}

/** Strings anywhere in a value, changed; bytes and other values as they are. */
export function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((each) => mapStrings(each, change));
  if (value === null || typeof value !== "object" || value instanceof Uint8Array) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapStrings(each, change)]));
}

/** An attachment without secrets. Its bytes are read as text in each way that text is written. */
function strikeAttachment(attachment: ParsedAttachment, strike: (text: string) => string): ParsedAttachment {
  const { bytes, filename, content_id, content_type } = attachment;
  const holds_base64 = /^(?:text|message|multipart)\//.test(content_type) || isMail(attachment);
  return {
    ...attachment,
    filename: strike(filename),
    content_id: content_id === null ? null : strike(content_id),
    bytes: strikeBytes(bytes, strike, holds_base64),
  };
}

/**
 * Bytes without secrets. They are read one byte a character, in which UTF-8, UTF-16, quoted-printable and what is
 * not text at all keep their letters; base64 within them is decoded. What has no secret stays as it is.
 */
function strikeBytes(bytes: Uint8Array, strike: (text: string) => string, holds_base64: boolean): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  const struck = strike(holds_base64 ? strikeBase64(text, strike) : text);
  return struck === text ? bytes : Buffer.from(struck, "latin1");
}

/** Lines of base64: nested mails and calendars hold bodies in it. */
const BASE64_BLOCK =
  /(?:[A-Za-z0-9+/]{60,998}={0,2}\r?\n)+[A-Za-z0-9+/]{0,998}={0,2}|[A-Za-z0-9+/]{76,998}={0,2}/g;
/** A short body or an encoded word. */
const BASE64_SHORT = /(?<=\r?\n\r?\n|\?[bB]\?)[A-Za-z0-9+/]{40,998}={0,2}/g;

function strikeBase64(text: string, strike: (text: string) => string): string {
  if (!holdsBase64(text)) return text;
  const decodeAndStrike = (block: string): string => {
    const decoded = Buffer.from(decodeBase64(Buffer.from(block, "latin1"))).toString("latin1");
    return strike(decoded) === decoded ? block : LINK_REMOVED;
  };
  return text.replace(BASE64_BLOCK, decodeAndStrike).replace(BASE64_SHORT, decodeAndStrike);
}

/** Shorter runs of its signs aren't decoded. */
const MIN_BASE64_CHARS = 40;

/** Whether a text has that many signs of base64 in a row: one of them is at a multiple of their number. */
function holdsBase64(text: string): boolean {
  for (let at = MIN_BASE64_CHARS - 1; at < text.length; at += MIN_BASE64_CHARS) {
    if (!isBase64(text.charCodeAt(at))) continue;
    let start = at;
    while (at - start < MIN_BASE64_CHARS - 1 && isBase64(text.charCodeAt(start - 1))) start -= 1;
    let end = at + 1;
    while (end - start < MIN_BASE64_CHARS && isBase64(text.charCodeAt(end))) end += 1;
    if (end - start === MIN_BASE64_CHARS) return true;
  }
  return false;
}

/** A letter, a digit, "+" or "/". */
const isBase64 = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 47 && code <= 57) || code === 43;

/**
 * The secrets in a raw mail, also where no parser looks: before and after its parts, in headers and parts beyond
 * the limits. `truncated`: what the parser cut is decoded here.
 */
export function secretsInRaw(raw: Uint8Array, truncated: boolean): string[] {
  const secrets = new Set<string>();
  const find = (text: string): string => {
    for (const { secret } of findWords(text)) if (secrets.size < MAX_SECRETS) secrets.add(secret);
    return text;
  };
  strikeBytes(raw, find, truncated);
  return [...secrets];
}
