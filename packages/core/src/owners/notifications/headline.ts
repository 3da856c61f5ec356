import type { Tone } from "../../catalogue/look.ts";
import type { AnswerValue } from "../../model/questions.ts";
import type { Update } from "../../model/updates.ts";
import { ellipsize } from "./layout.ts";
/** The label of each kind in subjects. */
export const KIND_LABELS: Record<Update["kind"], string> = {
  progress: "Progress",
  needs_input: "Needs input",
  done: "Done",
  error: "Error",
};

/** The topic of a letter with an update of each kind. */
export const TONES: Record<Update["kind"], Tone> = {
  progress: "progress",
  needs_input: "question",
  done: "done",
  error: "problem",
};

export const MAX_HEADLINE_CHARS = 120;

export const SENTENCE_END = /[.!?](?=\s|$)|[。！？]|\n/;

/** An update in one line: its title, or the first sentence of its text. */
export function headlineOf({ title, text }: Pick<Update, "title" | "text">): string {
  if (title !== null) return title;
  const plain = text.trim();
  const end = SENTENCE_END.exec(plain);
  const sentence = (end === null ? plain : plain.slice(0, end.index + end[0].length)).trim();
  return ellipsize(sentence, MAX_HEADLINE_CHARS);
}

/** The subject of an update's letter, with "Re:" when it continues a thread (interface, "Update rules"). */
export function subjectOf(update: Pick<Update, "kind" | "title" | "text">, follow_up: boolean): string {
  return `${follow_up ? "Re: " : ""}[${KIND_LABELS[update.kind]}] ${headlineOf(update)}`;
}

/** An answer's value as text for people. */
export function shownValue(value: AnswerValue): string {
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return String(value);
}
