import { z } from "zod";

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
