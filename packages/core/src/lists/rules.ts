import { entriesFor } from "../allowlist/index.ts";
import type { ListType } from "../model/lists.ts";

/** Why an address is blocked: it is on a block list, or missing from an allow list in force. */
export type BlockReason = "block_list" | "allow_list";

/** The entries of one direction's lists that concern some addresses. */
export interface ListFacts {
  /** Whether the inbox's allow list has any entry. */
  inbox_allows: boolean;
  account_allows: boolean;
  /** Entries of all lists that equal an address or its domain; `inbox_id` is null for the account's lists. */
  entries: readonly { type: ListType; entry: string; inbox_id: string | null }[];
}

/**
 * Why an address is blocked, or null: block beats allow, account blocks always apply,
 * a non-empty allow list excludes everyone else, and an inbox's allow list replaces the account's. Entries
 * match a whole address or a whole domain, never a part.
 */
export function blockReason(
  address: string,
  { inbox_allows, account_allows, entries }: ListFacts,
): BlockReason | null {
  const names = entriesFor(address);
  const found = entries.filter(({ entry }) => names.includes(entry));
  if (found.some(({ type }) => type === "block")) return "block_list";
  if (!inbox_allows && !account_allows) return null;
  const allowed = found.some(
    ({ type, inbox_id }) => type === "allow" && (inbox_id !== null) === inbox_allows,
  );
  return allowed ? null : "allow_list";
}

/** The first blocked address. A mail without an address passes no allow list. */
export function firstBlocked(
  addresses: readonly string[],
  facts: ListFacts,
): { address: string; reason: BlockReason } | undefined {
  for (const address of addresses.length === 0 ? [""] : addresses) {
    const reason = blockReason(address, facts);
    if (reason !== null) return { address, reason };
  }
  return undefined;
}
