import { addressKey } from "../model/address.ts";
import type { MailAddress, ParsedMail } from "../model/parsed-mail.ts";
import type { Extraction, ReadingOptions, ReadMail, StatedFields } from "../model/read-mail.ts";
import { findWords } from "./letter-words/find-words.ts";
import { MAX_SECRETS, mayHoldSecrets, secretsInRaw, strikeMail } from "./letter-words/strike.ts";
import { extractNewText } from "./new-words/extract.ts";
import { parseMail } from "./parse.ts";
import { screenContent } from "./screening/screen.ts";

/**
 * Reads a raw mail on the calling thread: parses it, extracts the new text and screens the content. Fails
 * like `parseMail`. `steady` is a monotonic clock in milliseconds.
 */
export async function readMail(
  raw: Uint8Array,
  options: ReadingOptions,
  steady: () => number,
): Promise<ReadMail> {
  return readContent(await parseMail(raw), options, steady, raw);
}

/** Does what `readMail` does, for a mail that is already parsed. */
export async function readContent(
  parsed: ParsedMail,
  { stated, screening_timeout_ms }: ReadingOptions,
  steady: () => number,
  raw: Uint8Array,
): Promise<ReadMail> {
  const mail = stated === undefined ? parsed : withStated(parsed, stated);
  const read: ReadMail = {
    ...mail,
    extraction: newWordsOf(mail),
    screened: screenedWithin(mail, screening_timeout_ms, steady),
    struck: null,
  };
  return { ...read, struck: await struckOf(read, raw, stated !== undefined) };
}

/** The mail without the secrets of letters; null when it has none, as nearly all mail. */
async function struckOf(read: ReadMail, raw: Uint8Array, is_stated: boolean): Promise<ReadMail["struck"]> {
  const in_raw = secretsInRaw(raw, read.truncated.length > 0);
  if (in_raw.length === 0 && ((!is_stated && isPlain(read)) || !mayHoldSecrets(read))) return null;
  const { mail, secrets } = await strikeMail(read);
  const all = [...new Set([...secrets, ...in_raw])].slice(0, MAX_SECRETS);
  return all.length === 0 ? null : { mail, secrets: all };
}

/** Whether the raw mail shows all of a mail's words as they are: then searching it is enough. */
const isPlain = ({ html, attachments, headers }: ReadMail): boolean =>
  html === null &&
  attachments.length === 0 &&
  !headers.some(
    ({ name, value }) =>
      (name === "content-transfer-encoding" && !/^\s*(?:7bit|8bit|binary)\s*$/i.test(value)) ||
      (name === "content-type" &&
        !/^\s*text\/plain\s*(?:;\s*charset\s*=\s*"?(?:utf-8|us-ascii)"?\s*)?$/i.test(value)),
  ) &&
  findWords(headers.map(({ value }) => value).join("\n\n")).length === 0;

function newWordsOf({ text, html, subject, in_reply_to, from: [sender] }: ParsedMail): Extraction {
  return extractNewText({ text, html, subject, is_reply: in_reply_to !== null, sender });
}

function screenedWithin(
  mail: ParsedMail,
  timeout_ms: number | null,
  steady: () => number,
): ReadMail["screened"] {
  if (timeout_ms === null) return null;
  const end = steady() + timeout_ms;
  try {
    return screenContent(mail, () => steady() > end);
  } catch (error) {
    return { error: String(error instanceof Error ? error.stack : error) };
  }
}

const isSame = (one: MailAddress | undefined, { address }: MailAddress): boolean =>
  one !== undefined && addressKey(one.address) === addressKey(address);

/** Stated fields override those of the raw mail: they say what a test is about. */
function withStated(mail: ParsedMail, { from, headers, ...bodies }: StatedFields): ParsedMail {
  const author = mail.from[0];
  const said = { ...mail, ...bodies, headers: [...headers, ...mail.headers] };
  if (from === undefined) return said;
  return {
    ...said,
    from: [
      {
        address: from.address,
        name: from.name === "" && isSame(author, from) ? (author?.name ?? "") : from.name,
      },
    ],
    from_headers: 1,
  };
}
