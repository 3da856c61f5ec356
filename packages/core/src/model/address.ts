import { domainToASCII, domainToUnicode } from "node:url";

const MAX_LOCAL_BYTES = 64;
const MAX_DOMAIN_CHARS = 253;
const MAX_LABEL_CHARS = 63;
/** Longer texts are no addresses, and are not examined further. */
const MAX_ADDRESS_CHARS = 1_000;

/**
 * The characters of a domain before it is mapped: letters, digits, combining marks, hyphens, joiners, and the dots of
 * UTS 46. The library would also unescape `%41`, and end the name at a slash.
 */
const DOMAIN_TEXT = /^[\p{L}\p{N}\p{M}\u200c\u200d.\u3002\uff0e\uff61\uff0d-]+$/u;
const PLAIN_DOMAIN = /^[a-z0-9.-]+$/;
const DOMAIN_FORM = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;
/** A number at the end makes the name part of an IPv4 address. */
const NUMERIC_END = /(?:^|\.)(?:\d+|0x[\da-f]*)$/;
/** RFC 5321's atext, and letters beyond ASCII (RFC 6531) but no invisible, space or private-use characters. */
const DOT_STRING =
  /^(?:[\w!#$%&'*+/=?^`{|}~-]|(?![\p{C}\p{Z}])[^\x00-\x7f])+(?:\.(?:[\w!#$%&'*+/=?^`{|}~-]|(?![\p{C}\p{Z}])[^\x00-\x7f])+)*$/u;
/** A dot string of ASCII only, as nearly all are; it needs no normalisation. */
const PLAIN_DOT_STRING = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const QUOTED_STRING = /^"((?:[^"\\\p{C}\u2028\u2029]|\\[\x20-\x7e])*)"$/u;
/** Characters that normalisation turns into ASCII: a Kelvin sign is not a K. */
const BECOMES_ASCII = /[\u037e\u1fef\u212a]/;

const [DOT, HYPHEN, AT, PLUS, UNDERSCORE] = [0x2e, 0x2d, 0x40, 0x2b, 0x5f];
const isLetter = (code: number): boolean => code >= 0x61 && code <= 0x7a;
const isLetterOrDigit = (code: number): boolean => isLetter(code) || (code >= 0x30 && code <= 0x39);

/**
 * Whether an address is certainly in its canonical form, as nearly all are. Each mail asks a dozen times, and looking
 * at each character takes a tenth of the patterns' time. False proves nothing: the address may still be canonical.
 */
function isPlainAddress(text: string): boolean {
  let before = DOT;
  for (let at = 0; at <= MAX_LOCAL_BYTES && at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === AT) return before !== DOT && isPlainDomain(text, at + 1);
    if (code === DOT ? before === DOT : !isLetterOrDigit(code) && !isPlainSign(code)) return false;
    before = code;
  }
  return false;
}

const isPlainSign = (code: number): boolean => code === HYPHEN || code === PLUS || code === UNDERSCORE;

/**
 * Does the same for the domain that begins at `start`. Two hyphens may be those of an A-label, and a number that of an
 * IP address.
 */
function isPlainDomain(text: string, start: number): boolean {
  if (text.length - start > MAX_DOMAIN_CHARS) return false;
  let before = DOT;
  let label = start;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === DOT || code === HYPHEN) {
      if (before === DOT || before === HYPHEN || at - label > MAX_LABEL_CHARS) return false;
      if (code === DOT) label = at + 1;
    } else if (!isLetterOrDigit(code)) return false;
    before = code;
  }
  return before !== HYPHEN && text.length - label <= MAX_LABEL_CHARS && isLetter(text.charCodeAt(label));
}

/**
 * A domain in its canonical form: A-labels in lower case (UTS 46, non-transitional), at most 253 characters.
 * Undefined for anything else, such as an IP address or a name with a trailing dot.
 */
export function canonicalDomain(text: string): string | undefined {
  if (isPlainDomain(text, 0)) return text;
  if (text.length > MAX_ADDRESS_CHARS) return undefined;
  const domain = DOMAIN_FORM.test(text) ? text : mappedDomain(text);
  if (domain === undefined || domain.length > MAX_DOMAIN_CHARS || NUMERIC_END.test(domain)) return undefined;
  return domain.includes("xn--") && !isMapped(domain) ? undefined : domain;
}

/** A name with capitals or letters beyond ASCII, in lower case and as A-labels; undefined when it is none. */
function mappedDomain(text: string): string | undefined {
  if (!DOMAIN_TEXT.test(text)) return undefined;
  const lower = asciiLowerCase(text);
  const domain = PLAIN_DOMAIN.test(lower) ? lower : domainToASCII(text);
  return DOMAIN_FORM.test(domain) ? domain : undefined;
}

/** Whether each A-label encodes a name that is already mapped, so that no name has two A-labels. */
function isMapped(domain: string): boolean {
  const name = domainToUnicode(domain);
  return !/(?:^|\.)xn--/.test(name) && domainToASCII(name) === domain;
}

/**
 * Returns an address as it is shown and sent: the local part as given (NFC, without needless quotes), the domain in its
 * canonical form. Undefined when it is not an address: the local part violates RFC 5321, is longer than 64 bytes, or
 * reads like another one (NFKC would change it).
 */
export function givenAddress(text: string): string | undefined {
  if (isPlainAddress(text)) return text;
  if (text.length > MAX_ADDRESS_CHARS) return undefined;
  const trimmed = text.trim();
  const at = trimmed.lastIndexOf("@");
  const local = givenLocalPart(trimmed.slice(0, Math.max(at, 0)));
  const domain = canonicalDomain(trimmed.slice(at + 1));
  return local === undefined || domain === undefined ? undefined : `${local}@${domain}`;
}

/**
 * Returns an address in its canonical form, which comparisons use: as `givenAddress`, with the local part in lower
 * case. Undefined when it is not an address.
 */
export function canonicalAddress(text: string): string | undefined {
  if (isPlainAddress(text)) return text;
  const given = givenAddress(text);
  return given === undefined ? undefined : lowerCase(given);
}

const lowerCase = (text: string): string => text.toLowerCase().normalize("NFC");

/**
 * Returns the key by which any text in place of an address is compared: its canonical form, else the text with its
 * ASCII letters in lower case, which never equals the canonical form of another.
 */
export function addressKey(text: string): string {
  return canonicalAddress(text) ?? keyOfMalformed(text.trim());
}

function keyOfMalformed(text: string): string {
  const at = text.lastIndexOf("@");
  const tail = text.slice(at + 1);
  return `${asciiLowerCase(text.slice(0, at + 1))}${canonicalDomain(tail) ?? asciiLowerCase(tail)}`;
}

/** Returns the forms in which people search for an address: as it is, and with its international domain as written. */
export function searchedForms(address: string): string[] {
  if (!address.includes("xn--")) return [address];
  const at = address.lastIndexOf("@");
  return [address, `${address.slice(0, at + 1)}${domainToUnicode(address.slice(at + 1))}`];
}

/** Returns the addresses in order, each mailbox once, in its first spelling. */
export function distinctAddresses(addresses: readonly string[]): string[] {
  const seen = new Set<string>();
  return addresses.filter((address) => {
    const key = addressKey(address);
    return !seen.has(key) && seen.add(key);
  });
}

/** Returns the addresses without those of the same mailboxes as `except`. */
export function withoutAddresses(addresses: readonly string[], except: readonly string[]): string[] {
  const keys = new Set(except.map(addressKey));
  return addresses.filter((address) => !keys.has(addressKey(address)));
}

/** Puts A to Z in lower case and changes nothing else, because other letters may become ASCII ones. */
export const asciiLowerCase = (text: string): string =>
  text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** A local part without needless quotes and escapes, in NFC. */
function givenLocalPart(text: string): string | undefined {
  if (text.length <= MAX_LOCAL_BYTES && PLAIN_DOT_STRING.test(text))
    return text.includes("=?") ? undefined : text;
  const quoted = QUOTED_STRING.exec(text)?.[1];
  const plain = (quoted?.replace(/\\(.)/gu, "$1") ?? text).normalize("NFC");
  if (BECOMES_ASCII.test(text) || plain.normalize("NFKC") !== plain || plain.includes("=?")) return undefined;
  const isAtoms = DOT_STRING.test(plain);
  if (!isAtoms && quoted === undefined) return undefined;
  const local = isAtoms ? plain : `"${plain.replace(/["\\]/g, "\\$&")}"`;
  // In lower case, a letter may take more bytes.
  return Buffer.byteLength(local) > MAX_LOCAL_BYTES || Buffer.byteLength(lowerCase(local)) > MAX_LOCAL_BYTES
    ? undefined
    : local;
}

/** Whether mail to an address comes to the inbox with the address `own`: the same one, in any case, with any tag. */
export const isAddressOf = (own: string, address: string): boolean =>
  withoutTag(addressKey(address)) === addressKey(own);

/** The address without its tag: `ada+anything@example.com` is delivered to `ada@example.com`. */
export function withoutTag(address: string): string {
  const at = address.lastIndexOf("@");
  const plus = address.indexOf("+");
  return plus > 0 && plus < at ? address.slice(0, plus) + address.slice(at) : address;
}
