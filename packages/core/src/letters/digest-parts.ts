import type { Update } from "../model/updates.ts";
/** One line of a digest: the newest update of a task, and how many older ones it stands for. */
export interface DigestLine<U> {
  update: U;
  earlier: number;
}

/** A part of a digest: updates of one kind, the newest first. */
export interface DigestPart<U> {
  kind: Update["kind"];
  lines: DigestLine<U>[];
  /** How many updates there are beyond the lines. */
  more: number;
}

/** What comes first is what the owner has to do something about. */
export const kindsInOrder: readonly Update["kind"][] = ["needs_input", "error", "done", "progress"];

export const linesPerPart = 12;

/**
 * Puts updates, given oldest first, in the order in which a person wants to read them. Progress and results
 * of one task are one line, its newest; questions and errors are never folded. However many there are, the
 * digest stays short enough to be read.
 */
export function partsOf<U extends Pick<Update, "kind" | "task_id">>(updates: readonly U[]): DigestPart<U>[] {
  return kindsInOrder.flatMap((kind) => {
    const lines = folded(updates.filter((update) => update.kind === kind)).toReversed();
    if (lines.length === 0) return [];
    const shown = kind === "needs_input" ? lines : lines.slice(0, linesPerPart);
    const more = lines.slice(shown.length).reduce((sum, { earlier }) => sum + 1 + earlier, 0);
    return [{ kind, lines: shown, more }];
  });
}

export function folded<U extends Pick<Update, "kind" | "task_id">>(updates: readonly U[]): DigestLine<U>[] {
  const lines: DigestLine<U>[] = [];
  for (const update of updates) {
    const folds = update.task_id !== null && (update.kind === "progress" || update.kind === "done");
    const at = folds ? lines.findIndex((line) => line.update.task_id === update.task_id) : -1;
    const [before] = at === -1 ? [] : lines.splice(at, 1);
    lines.push({ update, earlier: before === undefined ? 0 : before.earlier + 1 });
  }
  return lines;
}
