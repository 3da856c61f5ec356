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
  return pino(settings, destination ?? bufferedStdout());
}

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
