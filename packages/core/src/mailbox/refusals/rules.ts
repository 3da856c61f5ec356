import { PERMISSION_NAMES } from "../../catalogue/permissions.ts";

const MINUTE_CHARS = "2026-01-01T00:00".length;

/** Whether a refusal is kept: the caller's own mistakes are, the service's failures are not. */
export const isKept = (status: number): boolean => status >= 400 && status < 500;

/**
 * What is kept of an error's `param`: the name of a field that the operation has, or of a permission or header. A name that
 * the caller made up isn't, as it may say anything.
 */
export function keptParam(param: string | undefined, fields: readonly string[]): string | null {
  const name = (param ?? "").replace(/[.[].*$/s, "");
  const known = fields.includes(name) || (PERMISSION_NAMES as readonly string[]).includes(name);
  return known ? name : null;
}

/** The key that refused calls of one minute share in order to be one record. */
export const minuteOf = ({
  caller_id,
  operation,
  code,
  inbox_id,
  at,
}: {
  caller_id: string;
  operation: string;
  code: string;
  inbox_id: string | null;
  at: string;
}): string => `${caller_id} ${operation} ${code} ${inbox_id} ${at.slice(0, MINUTE_CHARS)}`;
