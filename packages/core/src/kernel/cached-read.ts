import type { Storage } from "../ports/storage.ts";

/** Reads a record, or returns the cached one of that name when nothing was committed since. */
export type CachedRead = <T extends object>(
  name: string,
  read: () => Promise<T | undefined>,
) => Promise<T | undefined>;

/** A record takes a few hundred bytes; an inbox full of metadata takes 20 kB. */
const MAX_RECORDS = 1_000;

/**
 * Caches hot rows until the next commit. Without a storage version another process may have written, so
 * nothing is cached. Missing records are not cached.
 */
export function createCachedRead(storage: Pick<Storage, "version">): CachedRead {
  if (storage.version === undefined) return (_, read) => read();
  let known = new Map<string, object>();
  let version = Number.NaN;
  return async <T extends object>(name: string, read: () => Promise<T | undefined>) => {
    const current = storage.version?.() ?? Number.NaN;
    if (current !== version || known.size >= MAX_RECORDS) known = new Map();
    version = current;
    // A commit during the read replaces the map.
    const records = known;
    const before = records.get(name) as T | undefined;
    if (before !== undefined) return before;
    const record = await read();
    if (record !== undefined) records.set(name, Object.freeze(record));
    return record;
  };
}
