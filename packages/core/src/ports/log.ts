/** Log for operators. Fields never contain secrets or mail bodies. */
export interface Log {
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}

/** A log that discards everything. */
export const silentLog: Log = { info() {}, warn() {}, error() {} };
