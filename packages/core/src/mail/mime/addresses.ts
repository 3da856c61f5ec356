import { addressParser } from "postal-mime";
import type { MailAddress } from "../../model/parsed-mail.ts";

import { normaliseEncodedWords } from "./encoded-words.ts";

/** Further addresses in one header are not read. */
export const MAX_ADDRESSES = 1_000;
const MAX_HEADER_CHARS = 65_536;
const MAX_NAME_CHARS = 500;

/**
 * The addresses of a header value (RFC 5322 section 3.4), with groups unwrapped. An entry that isn't
 * `local@domain` has an empty `address` and its text in `name`, so that nothing that merely resembles an
 * address is taken for one.
 */
export function readAddresses(value: string): MailAddress[] {
  const parsed = addressParser(normaliseEncodedWords(plainComments(value.slice(0, MAX_HEADER_CHARS))), {
    flatten: true,
  });
  return parsed
    .slice(0, MAX_ADDRESSES)
    .map((entry) => toAddress(entry.address ?? "", entry.name))
    .filter((entry) => entry.address !== "" || entry.name !== "");
}

/**
 * When a value has only a comment, the library extracts an address from it, so remove every @ from comments.
 */
function plainComments(value: string): string {
  let depth = 0;
  let quoted = false;
  return value.replace(/\\[^]|["()@]/g, (mark) => {
    if (mark === '"' && depth === 0) quoted = !quoted;
    if (mark === "(" && !quoted) depth += 1;
    if (mark === ")" && depth > 0) depth -= 1;
    return depth > 0 && mark === "@" ? " " : mark;
  });
}

function toAddress(address: string, name: string): MailAddress {
  const clean_name = clean(name).slice(0, MAX_NAME_CHARS);
  const match =
    /^((?:[^\s<>()[\]\\,;:"@\x00-\x1f\x7f]+|"[^"\x00-\x1f\x7f]*"))@([^\s<>()\\,;:"@\x00-\x1f\x7f]+)$/.exec(
      address.trim(),
    );
  const too_long = address.length > 320;
  if (match === null || too_long)
    return { address: "", name: clean_name === "" ? clean(address).slice(0, MAX_NAME_CHARS) : clean_name };
  return { address: `${match[1]}@${(match[2] ?? "").toLowerCase().replace(/\.$/, "")}`, name: clean_name };
}

function clean(text: string): string {
  return text
    .replace(/[\x00-\x1f\x7f]+/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}
