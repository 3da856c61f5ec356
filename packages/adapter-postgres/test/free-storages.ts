import type { PostgresStorage } from "../src/storage/postgres-storage.ts";

/**
 * The storages that no test uses, empty and open. Test files of a worker share this module, so that a schema is only
 * created when a test needs one more than any before: creating one costs as much as some test files.
 */
export const freeStorages: PostgresStorage[] = [];

let created = 0;

/** The name of the worker's next schema. */
export const nextSchema = (): string => `features_${++created}`;
