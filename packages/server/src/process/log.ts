import type { Log } from "@letterslot/core";
import { pino } from "pino";

const secretNames = new Set([
  "authorization",
  "api_key",
  "secret",
  "password",
  "token",
  "code",
  "code_hash",
  "link_hash",
  "raw",
  "text",
  "html",
]);
const censor = "[redacted]";

/**
 * The log of the process: JSON lines. What could hold a secret or a mail body is struck out even if it is
 * passed by mistake.
 */
export function createLog(level: string, destination?: { write(line: string): void }): Log {
  const settings = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { error: describeError },
    formatters: { log: (fields: Record<string, unknown>) => struckOut(fields, struckOutWithin) },
  };
  return pino(settings, destination ?? turnByTurn());
}

/**
 * Standard output, written once a turn: no request is held up by a write for each line. What is left at the
 * end is written then.
 */
function turnByTurn(): { write(line: string): void } {
  const { stdout } = process;
  let lines = "";
  const flush = () => {
    if (lines !== "") stdout.write(lines);
    lines = "";
  };
  // Who reads the log may go away; the work goes on.
  stdout.on("error", () => {});
  process.on("exit", flush);
  return {
    write(line) {
      if (lines === "") setImmediate(flush);
      lines += line;
    },
  };
}

/** The fields with secrets struck out by their names; others as `shown` has them. */
function struckOut(
  fields: Record<string, unknown>,
  shown: (value: unknown) => unknown,
): Record<string, unknown> {
  let result = fields;
  for (const [name, value] of Object.entries(fields)) {
    const after = secretNames.has(name) ? censor : shown(value);
    if (after === value) continue;
    if (result === fields) result = { ...fields };
    result[name] = after;
  }
  return result;
}

/** Errors are not looked into: `describeError` chooses what is said of them. */
function struckOutWithin(value: unknown): unknown {
  if (typeof value !== "object" || value === null || value instanceof Error || Array.isArray(value))
    return value;
  return struckOut(value as Record<string, unknown>, (within) => within);
}

/**
 * An error with its stack and cause, but without the values that libraries hang on errors: those can be mail
 * or credentials.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  const code = (error as { code?: unknown }).code;
  return {
    name,
    message,
    stack,
    // Under a name of its own: `code` is struck out, since owners' codes go by it.
    ...(code === undefined ? {} : { error_code: code }),
    ...(cause === undefined ? {} : { cause: describeError(cause) }),
  };
}
