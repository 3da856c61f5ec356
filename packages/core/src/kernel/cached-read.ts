import type { Storage } from "../ports/storage.ts";

/** Reads a record, or answers what was read of that name, when nothing was committed since. */
export type CachedRead = <T extends object>(
  name: string,
  read: () => Promise<T | undefined>,
) => Promise<T | undefined>;

/** A record has some hundred bytes; an inbox full of metadata twenty thousand. */
const mostRecords = 1_000;

/**
 * Remembers what nearly every call reads, where the storage tells of commits; elsewhere another process may
 * have written, so all is read each time. Names of records that aren't there take no room.
 */
export function createCachedRead(storage: Pick<Storage, "version">): CachedRead {
  if (storage.version === undefined) return (_, read) => read();
  let known = new Map<string, object>();
  let version = Number.NaN;
  return async <T extends object>(name: string, read: () => Promise<T | undefined>) => {
    const current = storage.version?.() ?? Number.NaN;
    if (current !== version || known.size >= mostRecords) known = new Map();
    version = current;
    // A commit that comes while this is read replaces them.
    const records = known;
    const before = records.get(name) as T | undefined;
    if (before !== undefined) return before;
    const record = await read();
    if (record !== undefined) records.set(name, Object.freeze(record));
    return record;
  };
}
