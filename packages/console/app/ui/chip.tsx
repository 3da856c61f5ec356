import type { ComponentChildren } from "preact";
import { shown } from "./shown.ts";

export type Tone = "question" | "approval" | "problem" | "done" | "progress";

const CLASSES: Record<Tone, string> = {
  question: "bg-question-ground text-question",
  approval: "bg-approval-ground text-approval",
  problem: "bg-problem-ground text-problem",
  done: "bg-done-ground text-done",
  progress: "bg-progress-ground text-progress",
};

/** A word or two in the colour of what they are about, as in letters. */
export function Chip({ tone = "progress", children }: { tone?: Tone; children: ComponentChildren }) {
  return (
    <span
      class={`inline-flex max-w-full items-center rounded-xl px-2.5 py-0.5 text-xs font-semibold wrap-break-word ${CLASSES[tone]}`}
    >
      {shown(children)}
    </span>
  );
}
