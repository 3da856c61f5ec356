import { addressKey } from "../../model/address.ts";
import { FREE_MAIL, organisationOf } from "../screening/signals/hosts.ts";
import { fold } from "./fold.ts";

/** Characters of one text that are looked at; what follows isn't. */
const MAX_CHARS = 200_000;
/** The domains from which on a mail says nothing of a single one. */
const MANY_DOMAINS = 50;

const ADDRESS = /[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu;
const HOST = /(?<![@\w.-])[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,7}\.[\p{L}]{2,24}(?![\w-])/gu;
const NUMBER = /(?<![\w+])(?:\+|00)?\(?\d[\d\s()./-]{5,24}\d(?!\w)/g;
/** Tags within a word, which a reader doesn't see. */
const TAG = /<[^<>]{0,2000}>/g;

/**
 * The addresses, phone numbers and organisations that words name, each in one form: `a:` an address, `n:` a number as
 * E.164, `d:` an organisation's domain. A mail with many domains names none of them, and a public mail provider names
 * nobody.
 */
export function mentionsIn(texts: readonly string[], { markup = false } = {}): Set<string> {
  const found = new Set<string>();
  const domains = new Set<string>();
  for (const text of texts) {
    if (text === "") continue;
    const cut = text.slice(0, MAX_CHARS);
    const folded = fold(cut);
    read(folded, found, domains);
    if (markup) read(fold(cut.replace(TAG, "")), found, domains);
  }
  if (domains.size < MANY_DOMAINS) for (const domain of domains) found.add(`d:${domain}`);
  return found;
}

function read(folded: string, found: Set<string>, domains: Set<string>): void {
  const hosts = (host: string) => {
    const domain = organisationOf(host);
    if (!FREE_MAIL.has(domain)) domains.add(domain);
  };
  if (folded.includes("@"))
    for (const [address] of folded.matchAll(ADDRESS)) {
      const key = addressKey(address.replace(/^[.'`]+/, ""));
      found.add(`a:${key}`);
      hosts(key.slice(key.lastIndexOf("@") + 1));
    }
  for (const [host] of folded.matchAll(HOST)) hosts(host);
  for (const [number] of folded.matchAll(NUMBER)) {
    const e164 = e164Of(number);
    if (e164 !== undefined) found.add(`n:${e164}`);
  }
}

/** A number as people write it, as E.164; without a country it is read as one of the US or Canada. */
export function e164Of(written: string): string | undefined {
  const digits = written.replace(/\D/g, "");
  if (written.startsWith("+")) return `+${digits}`;
  if (digits.startsWith("00")) return `+${digits.slice(2)}`;
  if (digits.length === 10) return `+1${digits}`;
  return digits.length === 11 && digits.startsWith("1") ? `+${digits}` : undefined;
}

/** The mentions that would name a recipient: an address with its organisation, or a number. */
export function mentionsOf(recipient: string): { exact: string; domain: string | undefined } {
  if (!recipient.includes("@")) return { exact: `n:${recipient}`, domain: undefined };
  const key = addressKey(recipient);
  const domain = organisationOf(key.slice(key.lastIndexOf("@") + 1));
  return { exact: `a:${key}`, domain: FREE_MAIL.has(domain) ? undefined : `d:${domain}` };
}
