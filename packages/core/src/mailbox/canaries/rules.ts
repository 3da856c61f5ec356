import { fail, type LetterslotError } from "../../catalogue/errors.ts";
import { CANARY_PREFIX, isChecked, WORD_CHARS } from "../../catalogue/letter-words.ts";
import type { AccountCaller } from "../../kernel/access/caller.ts";
import type { CanaryRecord } from "../../model/canaries.ts";
import type { InboxRecord } from "../../model/inboxes.ts";

/** Looks ahead, so that a word is found at every position, also where another seems to begin before it. */
const WORD = new RegExp(`(?=(${CANARY_PREFIX}[a-z2-7]{${WORD_CHARS}}))`, "gi");
const MAX_WORDS = 100;

/** What has the form of a canary in texts and bytes, each once, in lower case; at most 100. */
export function canaryWordsIn(texts: readonly (string | Uint8Array)[]): string[] {
  const words = new Set<string>();
  for (const each of texts)
    for (const text of textsOf(each))
      for (const found of text.matchAll(WORD)) {
        const lower = String(found[1]).toLowerCase();
        if (isChecked(lower.slice(CANARY_PREFIX.length))) words.add(lower);
        if (words.size === MAX_WORDS) return [...words];
      }
  return [...words];
}

/** Bytes that are read as one text; a large file's would otherwise be in memory once more. */
const WINDOW_BYTES = 524_288;
/** Two windows share so many bytes: a word that one of them cuts is whole in the next. */
const SHARED_BYTES = CANARY_PREFIX.length + WORD_CHARS - 1;

/** Bytes with each as a character, in windows; nothing where they can't hold a word. */
function* textsOf(each: string | Uint8Array): Generator<string> {
  if (typeof each === "string") return yield each;
  const bytes = Buffer.from(each.buffer, each.byteOffset, each.byteLength);
  for (let at = 0; at < bytes.length; at += WINDOW_BYTES - SHARED_BYTES) {
    const window = bytes.subarray(at, at + WINDOW_BYTES);
    if (window.includes(CANARY_PREFIX) || window.includes(CANARY_PREFIX.toUpperCase()))
      yield window.toString("latin1");
  }
}

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
