import { hash } from "node:crypto";
import { fail } from "../catalogue/errors.ts";
import { canonicalJson } from "./idempotency.ts";

/** One page of a list, and where the next one begins. */
export interface Page<T> {
  object: "list";
  data: T[];
  has_more: boolean;
  next_cursor: string | null;
}

/**
 * Reads one page. `filter` is all that decides what the list holds: the cursor carries its hash, so that a
 * cursor of another list or of changed filters is `invalid_cursor`. `read` answers up to `limit` items beyond
 * `after`, in the list's order; `position` says where an item stands in it.
 */
export async function pageOf<T>(list: {
  filter: Record<string, unknown>;
  limit: number;
  cursor: string | undefined;
  read(after: string | undefined, limit: number): Promise<T[]>;
  position(item: T): string;
}): Promise<Page<T>> {
  const items = await list.read(positionOf(list.cursor, list.filter), list.limit + 1);
  const data = items.slice(0, list.limit);
  const last = data.at(-1);
  const has_more = items.length > list.limit && last !== undefined;
  return {
    object: "list",
    data,
    has_more,
    next_cursor: has_more ? cursorAt(list.position(last), list.filter) : null,
  };
}

/** The opaque cursor that goes on after a position. */
export function cursorAt(position: string, filter: Record<string, unknown>): string {
  return Buffer.from(`${filterHash(filter)}.${position}`).toString("base64url");
}

/** The position in a cursor; fails with `invalid_cursor` when it belongs to another list or other filters. */
export function positionOf(cursor: string | undefined, filter: Record<string, unknown>): string | undefined {
  if (cursor === undefined) return undefined;
  const text = Buffer.from(cursor, "base64url").toString("utf8");
  const prefix = `${filterHash(filter)}.`;
  if (!text.startsWith(prefix) || text.length === prefix.length)
    throw fail("invalid_cursor", { param: "cursor" });
  return text.slice(prefix.length);
}

const filterHash = (filter: Record<string, unknown>): string =>
  hash("sha256", canonicalJson(filter), "hex").slice(0, 12);
