import { resolve } from "node:path";
import { parseArgs } from "node:util";

/** The address of a storage: a DATA_DIR with its SQLite file, or a PostgreSQL database. */
export type StorageAddress = { kind: "sqlite"; folder: string } | { kind: "postgres"; url: string };

/** The command's arguments. */
export interface MigrateStorageArguments {
  from: StorageAddress;
  to: StorageAddress;
  account_id: string | undefined;
}

/** The output of `letterslot-server migrate-storage --help`. */
export const USAGE = `Copies all data of a Letterslot server to another storage, then compares both.

Usage: letterslot-server migrate-storage --from <storage> --to <storage> [--account <id>]

  --from, --to   sqlite:<DATA_DIR> or postgres://user:password@host/database
  --account      Copies only this account (acct_…). Other accounts in the destination are not changed.

Stop all servers that use either storage first. If the command is interrupted, run it again to continue.

Examples:
  letterslot-server migrate-storage --from sqlite:./data --to postgres://mail@localhost/mail
`;

/** The command cannot be run with these arguments. */
export class MigrateStorageError extends Error {
  override name = "MigrateStorageError";
}

/** Parses the arguments after the command's name. Throws `MigrateStorageError`. */
export function readArguments(args: string[]): MigrateStorageArguments {
  const { from, to, account } = optionsOf(args);
  if (from === undefined || to === undefined)
    throw new MigrateStorageError(`--from and --to are required.\n\n${USAGE}`);
  const addresses = { from: readAddress(from), to: readAddress(to), account_id: account };
  if (JSON.stringify(addresses.from) === JSON.stringify(addresses.to))
    throw new MigrateStorageError("--from and --to are the same storage.");
  return addresses;
}

function optionsOf(args: string[]) {
  const text = { type: "string" } as const;
  try {
    return parseArgs({ args, options: { from: text, to: text, account: text } }).values;
  } catch (error) {
    throw new MigrateStorageError(`${(error as Error).message}\n\n${USAGE}`);
  }
}

function readAddress(address: string): StorageAddress {
  const folder = /^sqlite:(?:\/\/)?(.+)$/.exec(address)?.[1];
  if (folder !== undefined) return { kind: "sqlite", folder: resolve(folder) };
  if (/^postgres(?:ql)?:\/\//.test(address)) return { kind: "postgres", url: address };
  // The address may contain a password, so the message does not repeat it.
  throw new MigrateStorageError(
    "A storage must be sqlite:<DATA_DIR> or postgres://user:password@host/database.",
  );
}
