import { fail } from "../../catalogue/errors.ts";
import { foldForSearch } from "../../mail/search-words.ts";
import type { ContactRecord } from "../../model/contacts.ts";

/** One address as the mail of several inboxes shows it. */
export type Folded = Omit<ContactRecord, "inbox_id" | "place" | "account_id"> & { inbox_ids: string[] };

/** Adds what one more inbox's mail says of the same address. */
export function fold(
  before: Folded | undefined,
  { inbox_id, place: _place, account_id: _account, ...one }: ContactRecord,
  most: number,
): Folded {
  if (before === undefined) return { ...one, inbox_ids: [inbox_id] };
  const newer = one.last_message_id > before.last_message_id;
  const names = newer ? [...one.names, ...before.names] : [...before.names, ...one.names];
  return {
    address: one.address,
    names: [...new Set(names)].slice(0, most),
    first_seen_at: one.first_seen_at < before.first_seen_at ? one.first_seen_at : before.first_seen_at,
    last_in_at: later(before.last_in_at, one.last_in_at),
    last_out_at: later(before.last_out_at, one.last_out_at),
    in_count: before.in_count + one.in_count,
    out_count: before.out_count + one.out_count,
    auth_pass: before.auth_pass + one.auth_pass,
    auth_fail: before.auth_fail + one.auth_fail,
    last_message_id: newer ? one.last_message_id : before.last_message_id,
    inbox_ids: [...before.inbox_ids, inbox_id],
  };
}

function later(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}

/** Whether an address or one of its names contains a text, as search compares texts. */
export const isAskedFor = ({ address, names }: Pick<Folded, "address" | "names">, folded: string): boolean =>
  [address, ...names].some((text) => foldForSearch(text).includes(folded));

/**
 * The inbox that metadata is kept for; empty for the account. A caller that is held to inboxes keeps its own. Fails with
 * `permission_denied` where it is held to several and names none.
 */
export function keptFor(inbox_ids: readonly string[] | null, named: string | undefined): string {
  if (named !== undefined) return named;
  const [inbox_id = "", ...others] = inbox_ids ?? [];
  if (others.length > 0)
    throw fail("permission_denied", {
      param: "inbox_id",
      message: "The caller is held to several inboxes: name the one that the metadata is for.",
    });
  return inbox_id;
}
