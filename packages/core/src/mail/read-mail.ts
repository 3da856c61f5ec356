import { addressKey } from "../model/address.ts";
import type { ParsedMail } from "../model/parsed-mail.ts";
import type { Extraction, ReadingOptions, ReadMail, StatedFields } from "../model/read-mail.ts";
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
  return readContent(await parseMail(raw), options, steady);
}

/** Does what `readMail` does, for a mail that is already parsed. */
export function readContent(
  parsed: ParsedMail,
  { stated, screening_timeout_ms }: ReadingOptions,
  steady: () => number,
): ReadMail {
  const mail = stated === undefined ? parsed : withStated(parsed, stated);
  return {
    ...mail,
    extraction: newWordsOf(mail),
    screened: screenedWithin(mail, screening_timeout_ms, steady),
  };
}

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

/** Stated fields override those of the raw mail: they say what a test is about. */
function withStated(mail: ParsedMail, { from, headers }: StatedFields): ParsedMail {
  const author = mail.from[0];
  return {
    ...mail,
    headers: [...headers, ...mail.headers],
    from: [{ address: from, name: author !== undefined && addressKey(author.address) === addressKey(from) ? author.name : "" }],
    from_headers: 1,
  };
}
