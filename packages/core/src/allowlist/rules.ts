import { addressKey, canonicalDomain } from "../model/address.ts";

/** What any mail can come from: wider than what an address may be as input, so that it can be blocked. */
const LOCAL_PART = /^(?:[^\s@<>()[\],;:"\\\u0000-\u001f\u007f-\u009f]{1,64}|"[^\r\n\0]{1,64}")$/;

/** A phone number in E.164: whom texts and calls are from. */
const PHONE_NUMBER = /^\+[1-9]\d{6,14}$/;

/** Whether an entry of a list, or a sender, is a phone number. */
export const isPhoneNumber = (entry: string): boolean => PHONE_NUMBER.test(entry);

/**
 * An address, domain or phone number as it is stored on a list and compared: addresses as `addressKey`, domains in
 * their canonical form, numbers in E.164. Undefined for anything else, such as a top-level domain.
 */
export function normalizeEntry(text: string): string | undefined {
  const entry = text.trim();
  if (isPhoneNumber(entry)) return entry;
  const at = entry.lastIndexOf("@");
  const domain = canonicalDomain(entry.slice(at + 1));
  if (domain?.includes(".") !== true) return undefined;
  if (at === -1) return domain;
  return LOCAL_PART.test(entry.slice(0, at)) ? addressKey(entry) : undefined;
}

/**
 * The entries that match an address: the address itself and its exact domain, never a parent domain; or a phone
 * number: only itself.
 */
export function entriesFor(address: string): string[] {
  if (isPhoneNumber(address)) return [address];
  const normalized = normalizeEntry(address);
  if (normalized === undefined || !normalized.includes("@")) return [];
  return [normalized, normalized.slice(normalized.lastIndexOf("@") + 1)];
}

/** Whether one of the entries is the address or its domain. */
export function isAllowlisted(entries: readonly { address: string }[], address: string): boolean {
  const accepted = entriesFor(address);
  return entries.some((entry) => accepted.includes(entry.address));
}
