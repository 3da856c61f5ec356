import { limits } from "../catalogue/limits.ts";

const hourMs = 3600_000;
const thursdayToMonday = 4 * 24 * hourMs; // the epoch was a Thursday

/** Which week a moment is in, weeks beginning on Monday at 13:00 UTC. */
export function weekOf(now: Date): number {
  return Math.floor((now.getTime() - startOffset) / limits.lifecycle_note_ms);
}

/** When the next week's notes are due. */
export function nextNoteTime(now: Date): Date {
  return new Date((weekOf(now) + 1) * limits.lifecycle_note_ms + startOffset);
}

const startOffset = thursdayToMonday + limits.digest_hour_utc * hourMs;

/** Whether an account is to get this week's note: it wants notes, and has been there for a week. */
export function getsNote(
  account: { lifecycle_emails: "on" | "off"; created_at: string },
  now: Date,
): boolean {
  return (
    account.lifecycle_emails === "on" &&
    new Date(account.created_at).getTime() + limits.lifecycle_note_ms <= now.getTime()
  );
}
