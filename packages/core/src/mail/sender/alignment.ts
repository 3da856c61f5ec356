import { getDomain } from "tldts";

/**
 * The domain that owns a name by the public suffix list with its private part; the name itself where it has
 * no owner above it.
 */
export function organisationalDomain(domain: string): string {
  // A name that begins with a dot is none; the list's reader would take the rest of it.
  if (domain.startsWith(".")) return domain;
  return getDomain(domain, { allowPrivateDomains: true, validateHostname: false }) ?? domain;
}

/**
 * How a published policy wants names compared; `apart` holds names that the tree walk finds in another
 * organisation.
 */
export interface AlignmentMode {
  strict: boolean;
  apart: readonly string[];
}

/**
 * Whether a domain stands for an author's, which comes normalised. Strict: it is the same name. Relaxed: it
 * is of one organisation by the public suffix list (RFC 7489) and by the tree walk (RFC 9989); what either of
 * them refuses is not aligned.
 */
export function isAligned(domain: string, author: string, { strict, apart }: AlignmentMode): boolean {
  const name = asciiDomain(domain);
  if (name === author) return true;
  return (
    !strict &&
    name !== "" &&
    !apart.includes(name) &&
    organisationalDomain(name) === organisationalDomain(author)
  );
}

/** Whether a normalised name is a domain or lies below it. */
export function isSameOrSubdomain(name: string, domain: string): boolean {
  const parent = asciiDomain(domain);
  return parent !== "" && (name === parent || name.endsWith(`.${parent}`));
}

/**
 * A name that was looked up, in lower case and without a last dot. It is in ASCII already, and one that isn't
 * stands for nobody: what readers take for the same name is another one in the DNS.
 */
export function asciiDomain(domain: string): string {
  const name = domain.trim().toLowerCase().replace(/\.$/, "");
  return /[^\x00-\x7f]/.test(name) ? "" : name;
}

/**
 * A name as people write it, the same way, in ASCII: `bücher.example` is `xn--bcher-kva.example`. Empty where
 * it can be none.
 */
export function normaliseDomain(domain: string): string {
  const name = domain.trim().toLowerCase().replace(/\.$/, "");
  if (!/[^\x00-\x7f]/.test(name)) return name;
  return URL.canParse(`http://${name}`) ? new URL(`http://${name}`).hostname : "";
}
