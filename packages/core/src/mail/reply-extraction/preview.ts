import { MAX_PREVIEW_CHARS } from "./limits.ts";

/**
 * The numbers of characters to read: most text is dense, and only text full of blanks or invisible characters needs the
 * second attempt.
 */
const LOOKS = [1.5 * MAX_PREVIEW_CHARS, 4 * MAX_PREVIEW_CHARS];

/**
 * Returns the start of a text on one line: at most 200 characters, no control or invisible characters, "…" where it was
 * cut.
 */
export function previewOf(extracted_text: string): string {
  const [dense = "", whole = ""] = LOOKS.map((chars) => extracted_text.slice(0, chars));
  const first = onOneLine(dense);
  const enough = first.length > MAX_PREVIEW_CHARS || dense.length === extracted_text.length;
  const line = enough ? first : onOneLine(whole);
  if (line.length <= MAX_PREVIEW_CHARS && whole.length === extracted_text.length) return line;
  let cut = line.slice(0, MAX_PREVIEW_CHARS - 1);
  if (/[\ud800-\udbff]$/.test(cut)) cut = cut.slice(0, -1);
  return `${cut.trimEnd()}…`;
}

/** Few texts contain any; without them only runs of white space need work. */
const INVISIBLE = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]--\s]/v;

/** Text that certainly has none. */
const PLAIN = /^[\t-\r\x20-\x7e]*$/;
/** White space other than one space between two words. */
const OTHER_SPACE = /\s{2,}|[^\S ]/g;

function onOneLine(text: string): string {
  if (PLAIN.test(text) || !INVISIBLE.test(text)) return text.replace(OTHER_SPACE, " ").trim();
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\s]+/gu, (run) => (/[\s\p{Zl}\p{Zp}]/u.test(run) ? " " : ""))
    .trim();
}
