import { fail } from "@letterslot/core";
import Database from "better-sqlite3";

/**
 * Codes that speak of the machine and not of the statement: no room, a failing disk, a file that is locked or
 * gone.
 */
const trouble = /^SQLITE_(FULL|IOERR|BUSY|LOCKED|READONLY|CANTOPEN|NOMEM|PROTOCOL|CORRUPT|NOTADB|AUTH|PERM)/;

/** Whether the machine is at fault. */
export function isTrouble(error: unknown): error is Database.SqliteError {
  return error instanceof Database.SqliteError && trouble.test(error.code);
}

/** Whether another connection holds the lock. */
export function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY");
}

/**
 * The error to hand out: trouble with the machine is `storage_unavailable`, anything else comes out as it is.
 */
export function outwardError(error: unknown): unknown {
  return isTrouble(error) ? fail("storage_unavailable", { cause: error }) : error;
}
