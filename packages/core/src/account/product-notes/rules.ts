import { LIMITS } from "../../catalogue/limits.ts";

const HOUR_MS = 3600_000;
const THURSDAY_TO_MONDAY_MS = 4 * 24 * HOUR_MS; // the epoch was a Thursday

/** The number of a time's week; weeks start on Monday at 13:00 UTC. */
export function weekOf(now: Date): number {
  return Math.floor((now.getTime() - WEEK_OFFSET_MS) / LIMITS.lifecycle_note_ms);
}

/** Returns when the next week's notes are due. */
export function nextNoteTime(now: Date): Date {
  return new Date((weekOf(now) + 1) * LIMITS.lifecycle_note_ms + WEEK_OFFSET_MS);
}

const WEEK_OFFSET_MS = THURSDAY_TO_MONDAY_MS + LIMITS.digest_hour_utc * HOUR_MS;

/** Whether an account gets this week's note: it wants notes and is at least a week old. */
export function getsNote(
  account: { lifecycle_emails: "on" | "off"; created_at: string },
  now: Date,
): boolean {
  return (
    account.lifecycle_emails === "on" &&
    new Date(account.created_at).getTime() + LIMITS.lifecycle_note_ms <= now.getTime()
  );
}
