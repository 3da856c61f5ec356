import { entriesFor } from "../allowlist/index.ts";
import type { ListType } from "../model/lists.ts";

/** Why an address is kept out: it is on a block list, or an allow list is in force that it is not on. */
export type Objection = "block_list" | "allow_list";

/** What the lists of one direction say about some addresses. */
export interface ListFacts {
  /** Whether the inbox's and the account's allow list hold anything at all. */
  inbox_allows: boolean;
  account_allows: boolean;
  /**
   * The entries of both that are one of the addresses or its domain; `inbox_id` is null for the account's.
   */
  entries: readonly { type: ListType; entry: string; inbox_id: string | null }[];
}

/**
 * What stands against an address (decisions, section 11): block beats allow, account blocks always apply, a
 * non-empty allow list keeps out the rest, and an inbox's allow list takes the place of the account's.
 * Compared are the whole address and its whole domain, never a part of either; null when nothing stands
 * against it.
 */
export function objectionTo(
  address: string,
  { inbox_allows, account_allows, entries }: ListFacts,
): Objection | null {
  const names = entriesFor(address);
  const found = entries.filter(({ entry }) => names.includes(entry));
  if (found.some(({ type }) => type === "block")) return "block_list";
  if (!inbox_allows && !account_allows) return null;
  const allowed = found.some(
    ({ type, inbox_id }) => type === "allow" && (inbox_id !== null) === inbox_allows,
  );
  return allowed ? null : "allow_list";
}

/**
 * The first of several addresses that something stands against. A mail without an address passes no allow
 * list.
 */
export function firstObjection(
  addresses: readonly string[],
  facts: ListFacts,
): { address: string; reason: Objection } | undefined {
  for (const address of addresses.length === 0 ? [""] : addresses) {
    const reason = objectionTo(address, facts);
    if (reason !== null) return { address, reason };
  }
  return undefined;
}
