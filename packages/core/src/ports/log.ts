/** Where core tells operators what happened. Fields never hold secrets or mail bodies. */
export interface Log {
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}

/** A log that says nothing. */
export const silentLog: Log = { info() {}, warn() {}, error() {} };
