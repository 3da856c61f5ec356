import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { Line } from "../../model/fields.ts";
import type { ListEntry, ListType } from "../../model/lists.ts";
import { type EntryProof, entriesFor, isPhoneNumber, letsIn, normalizeEntry } from "../allowlist/rules.ts";

/** Why an address is on a list, as input. */
export const ListReason = Line(LIMITS.list_reason_chars);

/** An entry of a list as it is stored, and what it is. Fails with `invalid_entry`. */
export function checkEntry(text: string): Pick<ListEntry, "entry" | "entry_type"> {
  const entry = normalizeEntry(text);
  // A star is a valid character of an address, but the caller means a pattern, which would match nobody.
  if (entry === undefined || entry.includes("*")) throw fail("invalid_entry", { param: "entry" });
  return { entry, entry_type: isPhoneNumber(entry) ? "phone" : entry.includes("@") ? "email" : "domain" };
}

/** Why an address is blocked: it is on a block list, or missing from an allow list in force. */
export type BlockReason = "block_list" | "allow_list";

/** The entries of one direction's lists that concern some addresses. */
export interface ListFacts {
  /** Whether the inbox's allow list has any entry. */
  inbox_allows: boolean;
  account_allows: boolean;
  /** Entries of all lists that equal an address or its domain; `inbox_id` is null for the account's lists. */
  entries: readonly { type: ListType; entry: string; names: string; inbox_id: string | null }[];
}

/**
 * Returns why an address is blocked, or null: block beats allow, account blocks always apply, a non-empty allow list
 * excludes everyone else, and an inbox's allow list replaces the account's. Entries match a whole address or a whole
 * domain, never a part. A blocking entry applies to whoever has the address; an allowing one only to the one it was
 * made for.
 */
export function blockReason(
  address: string,
  { inbox_allows, account_allows, entries }: ListFacts,
  proof: EntryProof,
): BlockReason | null {
  const forms = entriesFor(address);
  const found = entries.filter(({ entry }) => forms.includes(entry));
  if (found.some(({ type }) => type === "block")) return "block_list";
  if (!inbox_allows && !account_allows) return null;
  const allowed = found.some(
    ({ type, inbox_id, entry, names }) =>
      type === "allow" &&
      (inbox_id !== null) === inbox_allows &&
      letsIn({ address: entry, names }, address, proof),
  );
  return allowed ? null : "allow_list";
}

/** The first blocked address. A mail without an address passes no allow list. */
export function firstBlocked(
  addresses: readonly string[],
  facts: ListFacts,
  proof: EntryProof,
): { address: string; reason: BlockReason } | undefined {
  for (const address of addresses.length === 0 ? [""] : addresses) {
    const reason = blockReason(address, facts, proof);
    if (reason !== null) return { address, reason };
  }
  return undefined;
}
