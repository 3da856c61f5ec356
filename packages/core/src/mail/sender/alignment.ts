import { getDomain } from "tldts";

/**
 * Returns the organisational domain of a name by the public suffix list with its private part; the name itself if there
 * is none above it.
 */
export function organisationalDomain(domain: string): string {
  // A name that starts with a dot is invalid; the list's parser would use the rest of it.
  if (domain.startsWith(".")) return domain;
  return getDomain(domain, { allowPrivateDomains: true, validateHostname: false }) ?? domain;
}

/**
 * The alignment mode of a published policy; relaxed without one. `apart` are domains that the DNS tree walk places in
 * another organisation.
 */
export interface AlignmentMode {
  strict?: boolean | undefined;
  apart?: readonly string[] | undefined;
}

/**
 * Whether a domain is aligned with an author's normalised domain. Strict: they are equal. Relaxed: they
 * belong to one organisation both by the public suffix list (RFC 7489) and by the tree walk (RFC 9989).
 */
export function isAligned(domain: string, author: string, { strict, apart }: AlignmentMode = {}): boolean {
  const name = asciiDomain(domain);
  if (name === author) return true;
  return (
    !strict &&
    name !== "" &&
    !apart?.includes(name) &&
    organisationalDomain(name) === organisationalDomain(author)
  );
}

/** Whether a normalised name is a domain or lies below it. */
export function isSameOrSubdomain(name: string, domain: string): boolean {
  const parent = asciiDomain(domain);
  return parent !== "" && (name === parent || name.endsWith(`.${parent}`));
}

/**
 * Returns a domain that was looked up, in lower case and without a trailing dot. It must already be ASCII; any other is
 * rejected (empty), because a name that looks the same to readers is a different one in the DNS.
 */
export function asciiDomain(domain: string): string {
  const name = domain.trim().toLowerCase().replace(/\.$/, "");
  return /[^\x00-\x7f]/.test(name) ? "" : name;
}

/**
 * Normalises a domain as people write it in the same way and converts it to ASCII: `bücher.example` is
 * `xn--bcher-kva.example`. Empty when it is invalid.
 */
export function normaliseDomain(domain: string): string {
  const name = domain.trim().toLowerCase().replace(/\.$/, "");
  if (!/[^\x00-\x7f]/.test(name)) return name;
  return URL.canParse(`http://${name}`) ? new URL(`http://${name}`).hostname : "";
}
