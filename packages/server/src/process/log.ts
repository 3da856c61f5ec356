import type { Log } from "@letterslot/core/ports";
import { pino } from "pino";

const SECRET_FIELDS = new Set([
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
const REDACTED = "[redacted]";

/**
 * Creates the log: JSON lines. Fields that may contain a secret or a mail body are redacted, even if they are
 * logged by mistake.
 */
export function createLog(level: string, destination?: { write(line: string): void }): Log {
  const settings = {
    level,
    base: null,
    timestamp: createTimestamp(),
    serializers: { error: describeError },
    formatters: { log: (fields: Record<string, unknown>) => redact(fields, redactNested) },
  };
  return pino(settings, destination ?? outputOf(bufferedStdout(), process.stdout.isTTY));
}

/** Where lines go: as they are to programs, and to a terminal in words. */
function outputOf(output: { write(line: string): void }, terminal: boolean): { write(line: string): void } {
  return terminal ? { write: (line) => output.write(readableLine(line)) } : output;
}

const LEVEL_NAMES: Record<number, string> = {
  10: "trace",
  20: "debug",
  30: "info",
  40: "warn",
  50: "error",
  60: "fatal",
};
const PLAIN_VALUE = /^[\w.:/@*%+-]+$/;
/** Characters that a terminal would obey, besides those that JSON escapes. */
const OBEYED = /[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const LEVEL_CHARS = 5;

/** A line of the log for people: when, how grave, what, its fields, and the stack of an error below. */
export function readableLine(line: string): string {
  const { level, time, msg, error, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const { stack, ...told } =
    typeof error === "object" && error !== null ? (error as { stack?: unknown }) : {};
  const all = error === undefined ? fields : { ...fields, error: stack === undefined ? error : told };
  const words = Object.entries(all).map(([name, value]) => `${name}=${valueText(value)}`);
  const first = [
    String(time).slice("2026-01-01T".length, -"Z".length),
    (LEVEL_NAMES[Number(level)] ?? String(level)).padEnd(LEVEL_CHARS),
    JSON.stringify(msg ?? "").slice(1, -1),
    ...words,
  ].join(" ");
  const below =
    typeof stack === "string"
      ? stack.split("\n").map((each) => `  ${JSON.stringify(each).slice(1, -1)}`)
      : [];
  return `${[first, ...below].join("\n").replaceAll(OBEYED, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`)}\n`;
}

const valueText = (value: unknown): string =>
  typeof value === "string" && PLAIN_VALUE.test(value) ? value : JSON.stringify(value);

/** The time of a line as pino writes it (ISO 8601, UTC). Many lines share a millisecond, and so its text. */
function createTimestamp(): () => string {
  let last = Number.NaN;
  let text = "";
  return () => {
    const now = Date.now();
    if (now !== last) text = `,"time":"${new Date(now).toISOString()}"`;
    last = now;
    return text;
  };
}

/**
 * Standard output, written once per turn of the event loop, so that a request does not wait for a write of
 * each line. Remaining lines are written on exit.
 */
function bufferedStdout(): { write(line: string): void } {
  const { stdout } = process;
  let lines = "";
  const flush = () => {
    if (lines !== "") stdout.write(lines);
    lines = "";
  };
  // If the reader of the log disconnects, the server carries on.
  stdout.on("error", () => {});
  process.on("exit", flush);
  return {
    write(line) {
      if (lines === "") setImmediate(flush);
      lines += line;
    },
  };
}

/** Redacts secret fields by name, and converts the others with `shown`. */
function redact(
  fields: Record<string, unknown>,
  shown: (value: unknown) => unknown,
): Record<string, unknown> {
  let result = fields;
  for (const [name, value] of Object.entries(fields)) {
    const after = SECRET_FIELDS.has(name) ? REDACTED : shown(value);
    if (after === value) continue;
    if (result === fields) result = { ...fields };
    result[name] = after;
  }
  return result;
}

/** Skips errors: `describeError` selects their logged fields. */
function redactNested(value: unknown): unknown {
  if (typeof value !== "object" || value === null || value instanceof Error || Array.isArray(value))
    return value;
  return redact(value as Record<string, unknown>, (nested) => nested);
}

/**
 * An error with its stack and cause, but without properties added by libraries: they may hold mail or
 * credentials.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  const code = (error as { code?: unknown }).code;
  return {
    name,
    message,
    stack,
    // Not as `code`, which is redacted because owners' codes have that name.
    ...(code === undefined ? {} : { error_code: code }),
    ...(cause === undefined ? {} : { cause: describeError(cause) }),
  };
}
