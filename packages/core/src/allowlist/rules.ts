import { domainToASCII } from "node:url";

const DOMAIN =
  /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/;
const LOCAL_PART = /^[^\s@<>()[\],;:"\\\u0000-\u001f\u007f-\u009f]{1,64}$/;

/**
 * Normalizes an address or domain for storage and comparison: lower case, the domain in ASCII. Undefined for
 * anything else, such as a top-level domain.
 */
export function normalizeEntry(text: string): string | undefined {
  const entry = text.trim().toLowerCase();
  const at = entry.lastIndexOf("@");
  const domain = domainToASCII(entry.slice(at + 1));
  if (!DOMAIN.test(domain)) return undefined;
  if (at === -1) return domain;
  const local = entry.slice(0, at);
  return LOCAL_PART.test(local) ? `${local}@${domain}` : undefined;
}

/** The entries that match an address: the address itself and its exact domain, never a parent domain. */
export function entriesFor(address: string): string[] {
  const normalized = normalizeEntry(address);
  if (normalized === undefined || !normalized.includes("@")) return [];
  return [normalized, normalized.slice(normalized.lastIndexOf("@") + 1)];
}

/** Whether one of the entries is the address or its domain. */
export function isAllowlisted(entries: readonly { address: string }[], address: string): boolean {
  const accepted = entriesFor(address);
  return entries.some((entry) => accepted.includes(entry.address));
}
