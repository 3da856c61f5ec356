import type { PostgresStorage } from "../src/postgres-storage.ts";

/**
 * The storages that no test uses, empty and open. Test files of a worker share this module, so that a schema is made
 * when a test needs one more than any before, not for each file: making one costs as much as some files.
 */
export const freeStorages: PostgresStorage[] = [];

let created = 0;

/** The name of the worker's next schema. */
export const nextSchema = (): string => `features_${++created}`;
