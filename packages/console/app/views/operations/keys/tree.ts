import type { Key } from "@letterslot/client";

/** A key, and how far it is below the first one that it descends from. */
export interface Placed {
  key: Key;
  depth: number;
}

/** Whether a key can be used now. */
export function works(
  { revoked_at, expires_at }: Pick<Key, "revoked_at" | "expires_at">,
  now = Date.now(),
): boolean {
  return revoked_at === null && (expires_at === null || Date.parse(expires_at) > now);
}

/** Keys in the order of a tree: under each those that it created. A key whose creator isn't among them begins a tree. */
export function treeOf(keys: readonly Key[]): Placed[] {
  const ids = new Set(keys.map(({ id }) => id));
  const under = (parent: string, depth: number): Placed[] =>
    keys
      .filter(({ parent_key_id }) => parent_key_id === parent)
      .flatMap((key) => [{ key, depth }, ...under(key.id, depth + 1)]);
  return keys
    .filter(({ parent_key_id }) => parent_key_id === null || !ids.has(parent_key_id))
    .flatMap((key) => [{ key, depth: 0 }, ...under(key.id, 1)]);
}

/** All that descend from a key. A list of the newest keys has them all once it has the key itself. */
export function descendantsOf(id: string, keys: readonly Key[]): Key[] {
  return keys
    .filter(({ parent_key_id }) => parent_key_id === id)
    .flatMap((key) => [key, ...descendantsOf(key.id, keys)]);
}
