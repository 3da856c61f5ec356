import { addressParser } from "postal-mime";
import type { MailAddress } from "../../model/parsed-mail.ts";

import { normaliseEncodedWords } from "./encoded-words.ts";

/** The most addresses read from one header. */
export const MAX_ADDRESSES = 1_000;
const MAX_HEADER_CHARS = 65_536;
const MAX_NAME_CHARS = 500;

/**
 * Reads the addresses of a header value (RFC 5322 section 3.4), with groups unwrapped. An entry that isn't
 * `local@domain` has an empty `address` and its text in `name`, so that nothing that merely resembles an address is
 * taken for one.
 */
export function readAddresses(value: string): MailAddress[] {
  const read = value.slice(0, MAX_HEADER_CHARS);
  const plain = plainAddresses(read);
  if (plain !== null) return plain;
  const parsed = addressParser(normaliseEncodedWords(readable(read)), { flatten: true });
  return parsed
    .slice(0, MAX_ADDRESSES)
    .map((entry) => toAddress(entry.address ?? "", entry.name))
    .filter((entry) => entry.address !== "" || entry.name !== "");
}

const named = (word: string): string => `${word}(?: ${word})*`;
const NAME = named('[^\\s\\x00-\\x1f\\x7f"(),:;<>@\\\\=]+');
const QUOTED_NAME = named('[^\\s\\x00-\\x1f\\x7f"(<>@\\\\=]+');
const PLAIN_ADDRESS = "([\\w.+-]{1,64})@([a-zA-Z\\d](?:[a-zA-Z\\d.-]{0,250}[a-zA-Z\\d])?)";
/** `ada@a.example`, `Ada <ada@a.example>` or `"Moss, Ada" <ada@a.example>`, and the end or the comma after it. */
const PLAIN_ENTRY = new RegExp(
  `(?:(?:(?:"(${QUOTED_NAME})"|(${NAME})) ?)?<${PLAIN_ADDRESS}>|${PLAIN_ADDRESS})(?:, ?(?=[^])|$)`,
  "y",
);

/**
 * Reads the addresses of a value in the forms that nearly all mail has, as the library does; null for any other form.
 */
function plainAddresses(value: string): MailAddress[] | null {
  const found: MailAddress[] = [];
  PLAIN_ENTRY.lastIndex = 0;
  do {
    const match = PLAIN_ENTRY.exec(value);
    if (match === null) return null;
    const [, quoted, unquoted, local = match[5], domain = match[6]] = match;
    const name = quoted ?? unquoted ?? "";
    if (name.length > MAX_NAME_CHARS) return null;
    if (found.length < MAX_ADDRESSES) found.push({ address: `${local}@${domain?.toLowerCase()}`, name });
  } while (PLAIN_ENTRY.lastIndex < value.length);
  return found;
}

/** The signs of a value that the library may misread. */
const MISREAD = /[(\\]|"@|<@|<mailto:/i;
/** A source route (RFC 5322 section 4.4) or a scheme at the start of angle brackets. */
const BEFORE_ADDRESS = /mailto:|(?:@[\w.-]{1,255},?){1,20}:/iy;
/** The domain after a quoted local part, if nothing else belongs to its entry: `"x"@a.example <b@c>` is a name. */
const REST_OF_QUOTED = /@[^\s<>()\\,;:"@]+(?=\s{0,100}(?:$|[,;]))/y;

/**
 * Rewrites the parts that the library misreads: in comments, an @ and further parentheses become blanks, since it takes
 * addresses from comments and doesn't support nested comments; a quoted local part gets angle brackets, since it loses
 * its quotes without them; a source route or scheme before an address in angle brackets is omitted; an entry that is
 * nothing but comments is left out, since it would become a name.
 */
function readable(value: string): string {
  if (!MISREAD.test(value)) return value;
  const out: string[] = [];
  let depth = 0;
  let quote: number | undefined;
  let in_angle = false;
  let entry = 0;
  let has_words = false;
  for (let at = 0; at < value.length; at += 1) {
    const char = value[at] ?? "";
    if (char === "\\" && (quote !== undefined || depth > 0)) {
      out.push(depth > 0 ? " " : value.slice(at, at + 2));
      at += 1;
    } else if (quote !== undefined) {
      out.push(char);
      if (char !== '"') continue;
      const begins = !in_angle && /^[\s,;:]$/.test(out[quote - 1] ?? " ");
      const rest = begins ? matchAt(REST_OF_QUOTED, value, at + 1) : null;
      if (rest !== null) {
        out[quote] = '<"';
        out.push(rest, ">");
        at += rest.length;
      }
      quote = undefined;
    } else if (depth > 0) {
      if (char === "(") depth += 1;
      if (char === ")") depth -= 1;
      out.push(/[(@]/.test(char) || (char === ")" && depth > 0) ? " " : char);
    } else if (char === "\\" && value[at + 1] === '"') {
      // An escape outside quotes has no meaning: some senders escape a name's quotes twice.
      at += 1;
    } else {
      if (char === '"') quote = out.length;
      if (char === "(") depth = 1;
      if (char === "<") in_angle = true;
      if (char === ">") in_angle = false;
      const ends = !in_angle && /[,;:]/.test(char);
      if (ends && !has_words) out.fill(" ", entry);
      has_words = !ends && (has_words || !/[\s(<>]/.test(char));
      out.push(char);
      if (ends) entry = out.length;
      if (char === "<") at += matchAt(BEFORE_ADDRESS, value, at + 1)?.length ?? 0;
    }
  }
  if (depth === 0 && !has_words) out.fill(" ", entry);
  return out.join("");
}

function matchAt(sticky: RegExp, text: string, at: number): string | null {
  sticky.lastIndex = at;
  return sticky.exec(text)?.[0] ?? null;
}

function toAddress(address: string, name: string): MailAddress {
  const clean_name = clean(name).slice(0, MAX_NAME_CHARS);
  const match =
    /^((?:[^\s<>()[\]\\,;:"@\x00-\x1f\x7f]+|"(?:[^"\\\x00-\x1f\x7f]|\\[^\x00-\x1f\x7f])*"))@([^\s<>()\\,;:"@\x00-\x1f\x7f]+)$/.exec(
      address.trim(),
    );
  const too_long = address.length > 320;
  if (match === null || too_long)
    return { address: "", name: clean_name === "" ? clean(address).slice(0, MAX_NAME_CHARS) : clean_name };
  // Needless quotes are not part of the name (RFC 5322 section 3.4.1).
  const local = (match[1] ?? "").replace(/^"([^\s<>()[\]\\,;:"@]+)"$/, "$1");
  return { address: `${local}@${(match[2] ?? "").toLowerCase().replace(/\.$/, "")}`, name: clean_name };
}

function clean(text: string): string {
  return text
    .replace(/[\x00-\x1f\x7f]+/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}
