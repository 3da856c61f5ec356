import type { CallMode } from "../../model/message-facts.ts";
import type { MessageRecord } from "../../model/messages.ts";
import type { CallStatus } from "../../ports/telephony.ts";

/**
 * The time for everything but the words: from the answer to the first word, pauses, the beep, and the notice of a
 * recording.
 */
const BESIDES_WORDS_SECONDS = 15;
/** The time that slow voices need at most for a character of each kind; digits may be read as long numbers. */
const MS_BY_KIND: readonly [kind: RegExp, milliseconds: number][] = [
  [/^[\p{Ll}\p{Lm}\p{M}\s.,;:!?'"’()-]$/u, 100],
  [/^\p{Lu}$/u, 500],
  [/^\p{Lo}$/u, 400],
];
const OTHER_MS = 1_000;

/** Returns the maximum time for speaking a text, in seconds; speech beyond it is cut off. */
export function speakingSeconds(text: string): number {
  let milliseconds = 0;
  for (const character of text)
    milliseconds += MS_BY_KIND.find(([kind]) => kind.test(character))?.[1] ?? OTHER_MS;
  return Math.ceil(milliseconds / 1_000);
}

/** The minutes that a call may last: they are reserved before it, and the provider ends the call when they are up. */
export const callMinutes = (say: string, mode: CallMode, recording_seconds: number): number =>
  Math.ceil(
    (BESIDES_WORDS_SECONDS + speakingSeconds(say) + (mode === "say_and_record" ? recording_seconds : 0)) / 60,
  );

/** The statuses from which a call may change to each status: it never goes back. */
export const EARLIER_STATUSES: Record<CallStatus, MessageRecord["status"][]> = {
  ringing: ["queued"],
  completed: ["queued", "ringing"],
  "no-answer": ["queued", "ringing"],
  failed: ["queued", "ringing"],
};

/** Whether a call with this status is still under way. */
export const isUnderWay = ({ status }: Pick<MessageRecord, "status">): boolean =>
  status === "queued" || status === "ringing";

/**
 * Returns the minutes that an ended call costs: its duration, rounded up, and at most the reserved minutes, after
 * which the provider ends it. A completed call of unknown duration costs the reserved minutes.
 */
export function minutesTalked(
  status: CallStatus,
  duration_seconds: number | null,
  minutes_reserved: number,
): number {
  if (status !== "completed") return 0;
  if (duration_seconds === null) return minutes_reserved;
  return Math.min(minutes_reserved, Math.ceil(duration_seconds / 60));
}
