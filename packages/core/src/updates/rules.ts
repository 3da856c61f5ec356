import { cut } from "../letters/layout.ts";
import type { OwnerRecord } from "../owners/schema.ts";
import type { Update, UpdateDeliveryRecord } from "./schema.ts";

/** How each kind is called in subjects. */
export const kindWords: Record<Update["kind"], string> = {
  progress: "Progress",
  needs_input: "Needs input",
  done: "Done",
  error: "Error",
};

const headlineChars = 120;
const sentenceEnd = /[.!?](?=\s|$)|[。！？]|\n/;

/** What stands for an update in one line: its title, or the first sentence of its text. */
export function headlineOf({ title, text }: Pick<Update, "title" | "text">): string {
  if (title !== null) return title;
  const plain = text.trim();
  const end = sentenceEnd.exec(plain);
  const sentence = (end === null ? plain : plain.slice(0, end.index + end[0].length)).trim();
  return cut(sentence, headlineChars);
}

/** The subject of an update's letter; one that goes on in a thread answers it (interface, "Update rules"). */
export function subjectOf(update: Pick<Update, "kind" | "title" | "text">, follow_up: boolean): string {
  return `${follow_up ? "Re: " : ""}[${kindWords[update.kind]}] ${headlineOf(update)}`;
}

/** How an update reaches an owner. */
export type Plan = Pick<UpdateDeliveryRecord, "mode" | "status" | "reason">;

/**
 * How an update reaches an owner; `send` when it goes out at once unless that is too often. `suppressed`:
 * mail to them bounces.
 */
export function planFor(
  owner: Pick<OwnerRecord, "digest" | "unsubscribed_at">,
  suppressed: boolean,
): Plan | "send" {
  const mode = owner.digest === "daily" ? "digest" : "immediate";
  if (owner.unsubscribed_at !== null) return { mode, status: "skipped", reason: "unsubscribed" };
  if (suppressed) return { mode, status: "skipped", reason: "recipient_suppressed" };
  if (owner.digest === "daily") return { mode: "digest", status: "queued", reason: null };
  return "send";
}

/** An update that would be one too many goes into the digest; it is not lost. */
export const rateLimited: Plan = { mode: "digest", status: "queued", reason: "rate_limited" };
