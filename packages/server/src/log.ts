import type { Log } from "@letterslot/core";

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

/** How much each kind of entry matters, in the numbers that readers of such logs know. */
const levels = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60, silent: Infinity };

/**
 * The log of the process: a line of JSON for each entry, none below `level`. What could hold a secret or a mail body is struck out
 * even if it is passed by mistake.
 */
export function createLog(level: keyof typeof levels, destination: { write(line: string): void } = turnByTurn()): Log {
  const entry = (kind: keyof Log): Log["info"] => {
    if (levels[kind] < levels[level]) return () => {};
    return (fields, msg) => {
      const { error, ...others } = struckOut(fields, struckOutWithin);
      const told = error === undefined ? others : { ...others, error: describeError(error) };
      destination.write(`${jsonOf({ level: levels[kind], time: new Date().toISOString(), ...told, msg })}\n`);
    };
  };
  return { info: entry("info"), warn: entry("warn"), error: entry("error") };
}

/** JSON, without the fields when one of them can't be written: to log is never what goes wrong. */
function jsonOf(entry: { level: number; time: string; msg: string }): string {
  try {
    return JSON.stringify(entry);
  } catch {
    const { level, time, msg } = entry;
    return JSON.stringify({ level, time, msg, fields: "can't be written" });
  }
}

/** Standard output, written once a turn: no request is held up by a write for each line. What is left at the end is written then. */
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
function struckOut(fields: Record<string, unknown>, shown: (value: unknown) => unknown): Record<string, unknown> {
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
  if (typeof value !== "object" || value === null || value instanceof Error || Array.isArray(value)) return value;
  return struckOut(value as Record<string, unknown>, (within) => within);
}

/** An error with its stack and cause, but without the values that libraries hang on errors: those can be mail or credentials. */
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
