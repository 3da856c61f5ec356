import { domainToASCII } from "node:url";

const domainForm =
  /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/;
const localPartForm = /^[^\s@<>()[\],;:"\\\u0000-\u001f\u007f-\u009f]{1,64}$/;

/**
 * The one form in which an address or a domain is stored and compared: lower case, the domain in ASCII.
 * Undefined for anything else; a top-level domain alone is no entry.
 */
export function normalEntry(text: string): string | undefined {
  const entry = text.trim().toLowerCase();
  const at = entry.lastIndexOf("@");
  const domain = domainToASCII(entry.slice(at + 1));
  if (!domainForm.test(domain)) return undefined;
  if (at === -1) return domain;
  const local = entry.slice(0, at);
  return localPartForm.test(local) ? `${local}@${domain}` : undefined;
}

/**
 * The entries that would let an address in: the address itself and its domain, never a parent domain or a
 * part of either.
 */
export function entriesFor(address: string): string[] {
  const normal = normalEntry(address);
  if (normal === undefined || !normal.includes("@")) return [];
  return [normal, normal.slice(normal.lastIndexOf("@") + 1)];
}

/** Whether one of the entries is the address or its domain. */
export function isAllowlisted(entries: readonly { address: string }[], address: string): boolean {
  const accepted = entriesFor(address);
  return entries.some((entry) => accepted.includes(entry.address));
}
