import type { Log } from "@letterslot/core";
import { pino } from "pino";

const secretNames = [
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
];

/** The log of the process: JSON lines. What could hold a secret or a mail body is struck out even if it is passed by mistake. */
export function createLog(level: string, destination?: { write(line: string): void }): Log {
  const settings = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { error: describeError },
    redact: { paths: secretNames.flatMap((name) => [name, `*.${name}`]), censor: "[redacted]" },
  };
  return destination === undefined ? pino(settings) : pino(settings, destination);
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
