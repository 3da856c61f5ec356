import { z } from "zod";
import { fail } from "../catalogue/errors.ts";
import { TimestampInput } from "../model/times.ts";

const HOUR_MS = 3600_000;
const MAX_TTL_HOURS = 100 * 366 * 24;

/** The input fields for an expiry; callers may set only one of them. */
export const expiryFields = {
  ttl_hours: z
    .int()
    .min(1, { error: "invalid_expiry" })
    .max(MAX_TTL_HOURS, { error: "invalid_expiry" })
    .optional()
    .describe("How long it is to live, in whole hours, at least 1; instead of expires_at."),
  expires_at: TimestampInput.nullable()
    .optional()
    .describe("When it is to expire, in the future; null or left out for never."),
};

/**
 * The requested expiry: null for never, undefined when neither field is set. Fails with `invalid_request` or
 * `invalid_expiry`.
 */
export function expiryOf(
  { ttl_hours, expires_at }: { ttl_hours?: number | undefined; expires_at?: string | null | undefined },
  now: Date,
): string | null | undefined {
  if (ttl_hours !== undefined && expires_at !== undefined) {
    throw fail("invalid_request", {
      param: "expires_at",
      message: "Set either ttl_hours or expires_at, not both.",
    });
  }
  if (ttl_hours !== undefined) return new Date(now.getTime() + ttl_hours * HOUR_MS).toISOString();
  if (typeof expires_at === "string" && expires_at <= now.toISOString())
    throw fail("invalid_expiry", { param: "expires_at" });
  return expires_at;
}
