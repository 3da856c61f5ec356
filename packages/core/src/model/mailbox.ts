import { LIMITS } from "../catalogue/limits.ts";
import { givenAddress } from "./address.ts";

/** A mailbox as callers give it: the address as it is shown and sent, and the display name before it. */
export interface NamedMailbox {
  address: string;
  /** Null when only the address was given. */
  name: string | null;
}

/** Display names by address. */
export type Names = Record<string, string>;

/** Controls and line breaks, which would end a header, and signs that change the direction of what follows. */
const FORBIDDEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const NAME_AND_ADDRESS = /^([^]*)<([^<>]*)>$/;
/** A word of a phrase (RFC 5322, 3.2.5): a quoted string, or an atom, in which dots and letters beyond ASCII stand too. */
const WORD = /"((?:[^"\\]|\\[^])*)"|([^\s()<>[\]:;@\\,"]+)/y;

/**
 * Reads `ada@example.com`, `Ada <ada@example.com>` or `"Lovelace, Ada" <ada@example.com>` (RFC 5322, 3.4). Undefined
 * for anything else: several mailboxes, groups, comments, control characters, encoded words (a name is given as
 * people read it), mailboxes that can only be written in quotes, and names that are too long.
 */
export function readMailbox(text: string): NamedMailbox | undefined {
  const [, phrase = "", bracketed] = NAME_AND_ADDRESS.exec(text.trim()) ?? [];
  const address = givenAddress(bracketed ?? text);
  if (address === undefined || address.startsWith('"')) return undefined;
  if (bracketed === undefined) return { address, name: null };
  const name = readPhrase(phrase);
  return name === undefined ? undefined : { address, name: name === "" ? null : name };
}

/** The display name of an address; null without one. */
export const nameOf = (address: string, names: Names): string | null =>
  Object.hasOwn(names, address) ? (names[address] ?? null) : null;

/** A mailbox as a person reads it: the name and the address, or the address alone. */
export function mailboxText(address: string, names: Names): string {
  const name = nameOf(address, names);
  return name === null ? address : `${name} <${address}>`;
}

/** The names of these addresses among others. */
export function namesOf(addresses: readonly (string | null)[], names: Names): Names {
  const kept = addresses.flatMap((address) => {
    const name = address === null ? null : nameOf(address, names);
    return name === null ? [] : [[address, name]];
  });
  return Object.fromEntries(kept);
}

function readPhrase(text: string): string | undefined {
  if (FORBIDDEN.test(text) || text.includes("=?") || !text.isWellFormed()) return undefined;
  const phrase = text.trim();
  const words: string[] = [];
  WORD.lastIndex = 0;
  while (WORD.lastIndex < phrase.length) {
    const [, quoted, atom] = WORD.exec(phrase) ?? [];
    const word = quoted?.replace(/\\([^])/g, "$1") ?? atom;
    if (word === undefined) return undefined;
    words.push(word);
    while (phrase[WORD.lastIndex] === " ") WORD.lastIndex += 1;
  }
  const name = words.join(" ").trim();
  return name.length > LIMITS.mailbox_name_chars ? undefined : name;
}
