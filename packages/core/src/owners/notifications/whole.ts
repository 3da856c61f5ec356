import type { Owner } from "../../model/owners.ts";
import type { Update } from "../../model/updates.ts";
import { partsOf } from "./digest-parts.ts";
import { MAX_LINE_CHARS, MAX_TEXT_CHARS } from "./layout.ts";

/** Questions that a digest shows in full; the later ones are only links to their pages. */
export const MAX_QUESTIONS_WITH_BUTTONS = 10;

/** The width of "10. ", which precedes one of several questions in a letter. */
const NUMBER_CHARS = 4;
/** Characters that letters omit, and characters that hide text. */
const UNSEEN =
  /[\u0000-\u0008\u000b-\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;

type Told = Pick<Update, "title" | "text" | "question">;

/**
 * Whether an update's own letter shows all of the update, so that a reply to it may answer: in the concise style,
 * only a typed question is shown whole.
 */
export const showsWhole = (update: Told, style: Owner["effective_email_style"]["style"]): boolean =>
  (style !== "concise" || update.question !== null) && fits(update);

/**
 * Returns the updates that a digest, or a letter that repeats questions, shows whole: a single update, or of several
 * only the first questions.
 */
export function wholeInDigest<U extends Told & Pick<Update, "kind" | "task_id">>(
  updates: readonly U[],
): Set<U> {
  const [only, ...others] = updates;
  if (only !== undefined && others.length === 0) return new Set(fits(only) ? [only] : []);
  const asked = partsOf(updates).find(({ kind }) => kind === "needs_input")?.lines ?? [];
  const shown = asked.slice(0, MAX_QUESTIONS_WITH_BUTTONS).map(({ update }) => update);
  return new Set(shown.filter(fits));
}

const fits = ({ title, text }: Told): boolean =>
  (title ?? "").length + NUMBER_CHARS <= MAX_LINE_CHARS &&
  text.length + NUMBER_CHARS <= MAX_TEXT_CHARS &&
  !UNSEEN.test(title ?? "") &&
  !UNSEEN.test(text);
