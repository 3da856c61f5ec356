import { z } from "zod";
import { LIMITS } from "../catalogue/limits.ts";

/** Longer texts are no times. */
const MAX_CHARS = 40;
const FORMS = [
  z.iso.date(),
  z.iso.datetime({ offset: true }),
  // Without seconds.
  z.iso.datetime({ offset: true, precision: -1 }),
];

/**
 * Reads a time that a caller gives: ISO 8601 with `Z` or an offset, or a date for its start in UTC. Returns it in UTC with
 * milliseconds; undefined for anything else, also for days that no calendar has.
 */
export function readTime(given: string): string | undefined {
  if (given.length > MAX_CHARS) return undefined;
  const text = given.toUpperCase();
  if (!FORMS.some((form) => form.safeParse(text).success)) return undefined;
  const iso = new Date(text).toISOString();
  // Years beyond 0 and 9999 are written with a sign, and would be sorted wrongly.
  return /^\d{4}-/.test(iso) ? iso : undefined;
}

const ZONE_NAME = /^[A-Za-z]/;

/** A time zone as input: a name of the IANA database. */
export const TimeZone = z
  .string()
  .max(LIMITS.time_zone_chars)
  .refine(isTimeZone, { error: "must be the IANA name of a time zone, such as Europe/Berlin" });

/** Whether a name is in the IANA time zone database; offsets such as +01:00 are not. */
function isTimeZone(name: string): boolean {
  if (!ZONE_NAME.test(name)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone.length > 0;
  } catch {
    return false;
  }
}

/** A time as input, as `readTime` reads it; converted to UTC with milliseconds. */
export const TimestampInput = z
  .string()
  .meta({ format: "date-time" })
  .transform((text, ctx) => {
    const time = readTime(text);
    if (time !== undefined) return time;
    ctx.addIssue({
      code: "custom",
      message: "must be a time with its offset from UTC, such as 2026-11-20T08:00:00Z",
    });
    return z.NEVER;
  });
