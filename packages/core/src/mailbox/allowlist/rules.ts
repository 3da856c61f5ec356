import { addressKey, canonicalDomain } from "../../model/address.ts";
import { OUTSIDE } from "../../model/allowlist.ts";

/**
 * The local part of any possible sender: wider than for addresses given as input, so that any sender can be blocked.
 */
const LOCAL_PART = /^(?:[^\s@<>()[\],;:"\\\u0000-\u001f\u007f-\u009f]{1,64}|"[^\r\n\0]{1,64}")$/;

/** A phone number in E.164: the sender of texts and calls. */
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

/** The proof of a mail's author that admitting entries are matched against. */
export type EntryProof =
  | { kind: "person" | "none" }
  | {
      kind: "inbox";
      inbox_id: string;
      /** Its domain is a custom domain of the entry's account, or of that account's parent. */
      own_domain: boolean;
    };

/**
 * Whether an entry lets in a sender: its address or domain is theirs, and it was made for them. An inbox of this service is
 * let in by an entry that was made for that very inbox, or where its domain belongs to the same root account; and an entry
 * made for an inbox is for nobody outside.
 */
export function letsIn(
  entry: { address: string; names: string },
  sender: string,
  proof: EntryProof,
): boolean {
  if (!entriesFor(sender).includes(entry.address)) return false;
  if (proof.kind === "inbox")
    return entry.names === proof.inbox_id || (entry.names === OUTSIDE && proof.own_domain);
  return proof.kind === "none" || entry.names === OUTSIDE;
}
