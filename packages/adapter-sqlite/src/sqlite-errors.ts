import { fail } from "@letterslot/core/ports";
import Database from "better-sqlite3";

/** Codes that blame the machine and not the statement: a full or failing disk, a locked or missing file. */
const MACHINE_CODES =
  /^SQLITE_(FULL|IOERR|BUSY|LOCKED|READONLY|CANTOPEN|NOMEM|PROTOCOL|CORRUPT|NOTADB|AUTH|PERM)/;

/** Whether the machine is at fault. */
export function isMachineError(error: unknown): error is Database.SqliteError {
  return error instanceof Database.SqliteError && MACHINE_CODES.test(error.code);
}

/** Whether another connection holds the lock. */
export function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY");
}

/** The error to throw: `storage_unavailable` when the machine is at fault, else the error itself. */
export function toPublicError(error: unknown): unknown {
  return isMachineError(error) ? fail("storage_unavailable", { cause: error }) : error;
}
