import { resolve } from "node:path";
import { parseArgs } from "node:util";

/** Where a storage is: a DATA_DIR with its SQLite file, or a PostgreSQL database. */
export type StorageAddress = { kind: "sqlite"; folder: string } | { kind: "postgres"; url: string };

/** What the command was told. */
export interface MigrateStorageArguments {
  from: StorageAddress;
  to: StorageAddress;
  account_id: string | undefined;
}

/** What `letterslot-server migrate-storage --help` prints. */
export const usage = `Copies everything that a Letterslot keeps to another storage, then compares both sides.

Usage: letterslot-server migrate-storage --from <storage> --to <storage> [--account <id>]

  --from, --to   sqlite:<DATA_DIR> or postgres://user:password@host/database
  --account      Copies one account only, such as acct_…; others at the destination are left alone.

Stop every server on both sides first. Run it again after it was broken off: it goes on where it was.
`;

/** The command can't be done as it was written. */
export class MigrateStorageError extends Error {
  override name = "MigrateStorageError";
}

/** Reads the words after the command's name. Throws `MigrateStorageError`. */
export function readArguments(words: string[]): MigrateStorageArguments {
  const { from, to, account } = optionsOf(words);
  if (from === undefined || to === undefined)
    throw new MigrateStorageError(`--from and --to are needed.\n\n${usage}`);
  const read = { from: readAddress(from), to: readAddress(to), account_id: account };
  if (JSON.stringify(read.from) === JSON.stringify(read.to))
    throw new MigrateStorageError("--from and --to are the same storage.");
  return read;
}

function optionsOf(words: string[]) {
  const text = { type: "string" } as const;
  try {
    return parseArgs({ args: words, options: { from: text, to: text, account: text } }).values;
  } catch (error) {
    throw new MigrateStorageError(`${(error as Error).message}\n\n${usage}`);
  }
}

function readAddress(word: string): StorageAddress {
  const folder = /^sqlite:(?:\/\/)?(.+)$/.exec(word)?.[1];
  if (folder !== undefined) return { kind: "sqlite", folder: resolve(folder) };
  if (/^postgres(?:ql)?:\/\//.test(word)) return { kind: "postgres", url: word };
  // The word may hold a password: it is not repeated.
  throw new MigrateStorageError("A storage is sqlite:<DATA_DIR> or postgres://user:password@host/database.");
}
