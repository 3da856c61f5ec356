import { fail, type LetterslotError } from "../../catalogue/errors.ts";
import type { AccountCaller } from "../../kernel/access/caller.ts";
import type { CanaryRecord } from "../../model/canaries.ts";
import type { InboxRecord } from "../../model/inboxes.ts";

/** Whether a canary that is about to leave pauses sending: only while nobody outside was seen to know it. */
export const pausesSending = ({ spent_at }: Pick<CanaryRecord, "spent_at">): boolean => spent_at === null;

const LETTER_INTERVAL_MS = 3600_000;

/** Whether those in charge get a letter about a canary that trips now: one an hour for each. */
export const isTold = ({ tripped_at }: Pick<CanaryRecord, "tripped_at">, now: Date): boolean =>
  tripped_at === null || new Date(tripped_at).getTime() + LETTER_INTERVAL_MS <= now.getTime();

/** The failure with which an inbox doesn't send while a canary that tripped keeps it from that; null while none does. */
export function trippedFault({
  sending_paused_at,
}: Pick<InboxRecord, "sending_paused_at">): LetterslotError | null {
  if (sending_paused_at === null) return null;
  return fail("sending_paused", {
    param: "canary",
    message: "Sending from this inbox is paused because a canary was about to leave with its mail.",
    fix: "Ask an owner to look into it, and to let the inbox send again in their session.",
  });
}

/** Fails with `owner_only` when an agent would change canaries although somebody has authority over the inbox. */
export function checkMayChange({ type }: Pick<AccountCaller, "type">, has_authority: boolean): void {
  if (type !== "owner" && has_authority) throw fail("owner_only");
}
