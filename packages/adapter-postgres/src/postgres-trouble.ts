import { fail } from "@letterslot/core";

/**
 * SQLSTATE classes that speak of the server and not of the statement: no connection (08), too few resources
 * (53), shutting down or a time-out (57), the disk (58), a lock not had in time (55P03), a server that only
 * reads (25006).
 */
const troubleStates = /^(?:08|53|57|58|55P03|25006)/;
/** What Node says of a connection. */
const troubleCodes = /^(?:ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ENOENT|EACCES)/;
/** What pg says of a connection, which has no code. */
const troubleWords =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed|write after end)/;

/**
 * Transactions that PostgreSQL takes back so that the others are as if alone: run again, they can succeed.
 */
const clashStates = new Set(["40001", "40P01"]);

/**
 * Two records with one key. Within a transaction it can also mean that another one took the key since this
 * one looked.
 */
const DUPLICATE_KEY = "23505";

/** Whether the server or the way to it is at fault. */
export function isTrouble(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isTrouble);
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return troubleStates.test(code) || troubleCodes.test(code) || troubleWords.test(error.message);
}

/**
 * Whether a connection may not be used further: because of the server, or a time-out of ours that can leave a
 * statement under way.
 */
export function leavesInDoubt(error: unknown): boolean {
  return isTrouble(error) || codeOf(error) === "storage_unavailable";
}

/** Whether a transaction failed only because of others. */
export function isClash(error: unknown): boolean {
  return clashStates.has(codeOf(error));
}

/** Whether a record's key was taken. */
export function isDuplicate(error: unknown): boolean {
  return codeOf(error) === DUPLICATE_KEY;
}

/**
 * The error to hand out: trouble with the server is `storage_unavailable`, anything else comes out as it is.
 */
export function outwardError(error: unknown): unknown {
  return isTrouble(error) ? fail("storage_unavailable", { cause: error }) : error;
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === "string" ? code : "";
}
