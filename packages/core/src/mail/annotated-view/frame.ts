import { randomBytes } from "node:crypto";

const MARK_BYTES = 8;

/**
 * A mark that no mail can contain: 16 random hexadecimal digits, new for each answer. It delimits what others
 * wrote in a text for a language model.
 */
export const newMark = (): string => randomBytes(MARK_BYTES).toString("hex");

/**
 * Text that others wrote, between two lines with a mark that it can't contain. `what` names it in our own words,
 * such as `the text of an attachment`. The text is cleaned as `cleanText` does.
 */
export function framed(what: string, text: string, mark: string): string {
  return [`[${mark} begin: ${what}]`, cleanText(text), `[${mark} end]`].join("\n");
}

// C0 and C1 but tab and line feed; marks that change the direction of what follows; characters that show nothing
// and can carry text: zero-width ones, fillers, tags and variation selectors.
const INVISIBLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;
/** Scripts and emoji need one joiner between two of theirs: a run of them, or one after a Latin letter, carries text. */
const IDLE_JOINERS = /(?<=^|[\u0000-\u02ff])[\u200c\u200d]+|[\u200c\u200d]{2,}|[\u200c\u200d]+(?=$|\s)/gu;
const LINE_BREAK = /\r\n?|[\u0085\u2028\u2029\v\f]/g;

/** A text without control characters and without characters that show nothing; line breaks are `\n`. */
export const cleanText = (text: string): string =>
  text.replace(LINE_BREAK, "\n").replace(INVISIBLE, "").replace(IDLE_JOINERS, "");

/** Most names and subjects: visible ASCII with single spaces, which needs no cleaning. */
const CLEAN_LINE = /^[!-~]+(?: [!-~]+)*$/;

/** A text on one line, cleaned as `cleanText` does, with at most `max_chars` characters; `…` stands for the rest. */
export function cleanLine(text: string, max_chars: number): string {
  if (text.length <= max_chars && CLEAN_LINE.test(text)) return text;
  const line = cleanText(text).replace(/\s+/gu, " ").trim();
  const points = [...line.slice(0, 2 * max_chars)];
  const cut = points.length > max_chars || line.length > 2 * max_chars;
  return cut ? `${points.slice(0, max_chars - 1).join("")}…` : line;
}

/**
 * A stranger's words, such as a display name or a subject, in double quotes on one line, at most `max_chars`
 * characters long: quotes and backslashes in it are escaped, so it can't end its own quotes.
 */
export const quoteLine = (text: string, max_chars: number): string =>
  JSON.stringify(cleanLine(text, max_chars));
