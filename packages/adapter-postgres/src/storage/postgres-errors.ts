import { fail } from "@letterslot/core/ports";

/**
 * SQLSTATE classes that blame the server and not the statement: no connection (08), too few resources (53),
 * shutdown or time-out (57), the disk (58), a lock time-out (55P03), a read-only server (25006).
 */
const SERVER_STATES = /^(?:08|53|57|58|55P03|25006)/;
/** Node's error codes for connections. */
const CONNECTION_CODES =
  /^(?:ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ENOENT|EACCES)/;
/** pg's messages about connections, which have no code. */
const CONNECTION_MESSAGES =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed|write after end)/;

/** SQLSTATEs but for class 40, which says more. Each has a digit, unlike those of Node's codes that have five letters. */
const REFUSAL_STATE = /^(?!40)(?=.*\d)[\dA-Z]{5}$/;

/** Serialization failures and deadlocks: PostgreSQL rolled the transaction back, and a retry can succeed. */
const CLASH_STATES = new Set(["40001", "40P01"]);

/** Within a transaction this can also mean that another one inserted the key since this one looked. */
const DUPLICATE_KEY = "23505";

/** Whether the server or the connection to it is at fault. */
export function isServerError(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isServerError);
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return SERVER_STATES.test(code) || CONNECTION_CODES.test(code) || CONNECTION_MESSAGES.test(error.message);
}

/** Whether the connection is unusable: broken, or a statement may still be running after our time-out. */
export function breaksConnection(error: unknown): boolean {
  return isServerError(error) || codeOf(error) === "storage_unavailable";
}

/** Whether a lock didn't come in time. */
export function missedTurn(error: unknown): boolean {
  return codeOf(error) === "55P03" || (error instanceof Error && missedTurn(error.cause));
}

/** Whether a transaction failed only because of concurrent ones. */
export function isClash(error: unknown): boolean {
  return CLASH_STATES.has(codeOf(error));
}

/** The answer to a commit was that the database has rolled back. */
export class RolledBack extends Error {
  constructor() {
    super("the transaction was rolled back by the database");
  }
}

/** Whether the database has refused something, so that the transaction is certainly not committed. */
export function isRefusal(error: unknown): boolean {
  return error instanceof RolledBack || (REFUSAL_STATE.test(codeOf(error)) && !isServerError(error));
}

/** Whether a record's key was taken. */
export function isDuplicate(error: unknown): boolean {
  return codeOf(error) === DUPLICATE_KEY;
}

/** The error to throw: `storage_unavailable` when the server is at fault, else the error itself. */
export function toPublicError(error: unknown): unknown {
  return isServerError(error) ? fail("storage_unavailable", { cause: error }) : error;
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === "string" ? code : "";
}
