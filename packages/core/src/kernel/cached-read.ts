import type { TableName } from "../model/tables.ts";
import type { Storage } from "../ports/storage.ts";

/**
 * Reads a record, or returns the cached one of that name when nothing was committed since to `tables`: all that `read`
 * looks into. A cached record is returned without a promise, since each mail looks up a dozen.
 */
export type CachedRead = <T extends object>(
  name: string,
  tables: readonly TableName[],
  read: () => Promise<T | undefined>,
) => T | Promise<T | undefined>;

/** A record takes a few hundred bytes; an inbox full of metadata takes 20 kB. */
const MAX_RECORDS = 1_000;

/**
 * Caches hot rows until their tables change. Without a storage version another process may have written, so
 * nothing is cached. Missing records are not cached.
 */
export function createCachedRead(storage: Pick<Storage, "version">): CachedRead {
  const { version } = storage;
  if (version === undefined) return (_, __, read) => read();
  const known = new Map<string, { record: object; version: number }>();
  const readAnew = async <T extends object>(
    name: string,
    current: number,
    read: () => Promise<T | undefined>,
  ): Promise<T | undefined> => {
    const record = await read();
    if (known.size >= MAX_RECORDS) known.clear();
    // The version from before the read: a commit during it makes the next one read anew.
    if (record === undefined) known.delete(name);
    else known.set(name, { record: Object.freeze(record), version: current });
    return record;
  };
  return <T extends object>(
    name: string,
    tables: readonly TableName[],
    read: () => Promise<T | undefined>,
  ) => {
    const current = version(tables);
    const before = known.get(name);
    if (before?.version === current) return before.record as T;
    return readAnew(name, current, read);
  };
}
