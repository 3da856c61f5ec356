import type { Update } from "../../model/updates.ts";
/** One line of a digest: the newest update of a task, and the number of older ones that it replaces. */
export interface DigestLine<U> {
  update: U;
  earlier: number;
}

/** A section of a digest: updates of one kind, newest first. */
export interface DigestPart<U> {
  kind: Update["kind"];
  lines: DigestLine<U>[];
  /** The number of updates not shown. */
  more: number;
}

/** The order of sections: what the owner has to act on comes first. */
export const KINDS_IN_ORDER: readonly Update["kind"][] = ["needs_input", "error", "done", "progress"];

export const MAX_LINES_PER_PART = 12;

/**
 * Groups updates, given oldest first, into sections. Progress and results of one task become one line, its
 * newest; questions and errors are never merged. Other sections than questions have at most
 * `MAX_LINES_PER_PART` lines.
 */
export function partsOf<U extends Pick<Update, "kind" | "task_id">>(updates: readonly U[]): DigestPart<U>[] {
  return KINDS_IN_ORDER.flatMap((kind) => {
    const lines = folded(updates.filter((update) => update.kind === kind)).toReversed();
    if (lines.length === 0) return [];
    const shown = kind === "needs_input" ? lines : lines.slice(0, MAX_LINES_PER_PART);
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
