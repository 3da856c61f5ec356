import { z } from "zod";
import { fail } from "../catalogue/errors.ts";
import { TimestampInput } from "../model/fields.ts";

const hourMs = 3600_000;
const ttlHoursMax = 100 * 366 * 24;

/** The fields by which a caller says how long something lives; only one of them may be named. */
export const expiryFields = {
  ttl_hours: z
    .int()
    .min(1, { error: "invalid_expiry" })
    .max(ttlHoursMax, { error: "invalid_expiry" })
    .optional(),
  expires_at: TimestampInput.nullable().optional(),
};

/**
 * When something ends: null for never, undefined when nothing was said. Fails with `invalid_request` or
 * `invalid_expiry`.
 */
export function expiryOf(
  { ttl_hours, expires_at }: { ttl_hours?: number | undefined; expires_at?: string | null | undefined },
  now: Date,
): string | null | undefined {
  if (ttl_hours !== undefined && expires_at !== undefined) {
    throw fail("invalid_request", {
      param: "expires_at",
      message: "ttl_hours and expires_at are both named; only one can be.",
    });
  }
  if (ttl_hours !== undefined) return new Date(now.getTime() + ttl_hours * hourMs).toISOString();
  if (typeof expires_at === "string" && expires_at <= now.toISOString())
    throw fail("invalid_expiry", { param: "expires_at" });
  return expires_at;
}
