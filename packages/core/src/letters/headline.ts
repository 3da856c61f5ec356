import type { AnswerValue } from "../model/questions.ts";
import type { Update } from "../model/updates.ts";
import { cut } from "./layout.ts";
/** How each kind is called in subjects. */
export const kindWords: Record<Update["kind"], string> = {
  progress: "Progress",
  needs_input: "Needs input",
  done: "Done",
  error: "Error",
};

export const headlineChars = 120;

export const sentenceEnd = /[.!?](?=\s|$)|[。！？]|\n/;

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

/** A value as a person reads it. */
export function shownValue(value: AnswerValue): string {
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return String(value);
}
