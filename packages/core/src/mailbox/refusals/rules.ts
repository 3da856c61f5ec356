import { PERMISSION_NAMES } from "../../catalogue/permissions.ts";
import type { RefusalRecord } from "../../model/refusals.ts";

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

/** What calls of one minute have in common that are one record. */
export const minuteOf = ({
  caller_id,
  operation,
  code,
  at,
}: {
  caller_id: string;
  operation: string;
  code: string;
  at: string;
}): string => `${caller_id} ${operation} ${code} ${at.slice(0, MINUTE_CHARS)}`;

/** What a list of refusals is narrowed to. */
export interface RefusalFilter {
  status?: number | undefined;
  code?: string | undefined;
  operation?: string | undefined;
  key_id?: string | undefined;
  inbox_id?: string | undefined;
  after?: string | undefined;
}

/** Whether a refusal is one of those that are asked for. */
export const isAskedFor = (
  { status, error, operation, key_id, inbox_id, last_at }: RefusalRecord,
  asked: RefusalFilter,
): boolean =>
  (asked.status === undefined || status === asked.status) &&
  (asked.code === undefined || error.code === asked.code) &&
  (asked.operation === undefined || operation === asked.operation) &&
  (asked.key_id === undefined || key_id === asked.key_id) &&
  (asked.inbox_id === undefined || inbox_id === asked.inbox_id) &&
  (asked.after === undefined || last_at > asked.after);
