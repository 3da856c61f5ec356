import { LIMITS } from "../../catalogue/limits.ts";
import { iso } from "../../model/fields.ts";
import type { PasskeyRecord } from "../../model/passkeys.ts";
import type { AuthorityRecord } from "../../model/people.ts";

/** From when on a new passkey counts for decisions: at once if an older one that counts confirmed it. */
export const countsFrom = (confirmed: boolean, now: Date): string =>
  iso(confirmed ? now : new Date(now.getTime() + LIMITS.passkey_waits_ms));

/** Whether a passkey counts for decisions now, in whichever account. */
export const countsNow = ({ counts_from }: Pick<PasskeyRecord, "counts_from">, now: Date): boolean =>
  counts_from <= iso(now);

/**
 * Whether a passkey counts for decisions in an account: its time has come, and none of its person's authorities there
 * ended the counting of those that were there by then.
 */
export function countsIn(
  passkey: Pick<PasskeyRecord, "counts_from" | "created_at">,
  authorities: readonly Pick<AuthorityRecord, "passkeys_off_at">[],
  now: Date,
): boolean {
  const ended = authorities.some(({ passkeys_off_at: at }) => at !== null && passkey.created_at <= at);
  return countsNow(passkey, now) && !ended;
}

/**
 * Whether a person's older passkey must confirm what is done to their passkeys: once an inbox of theirs asks for
 * passkeys, and they have one that counts there.
 */
export const mustConfirm = (asking: boolean, counting: number): boolean => asking && counting > 0;
