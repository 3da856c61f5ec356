import { styled } from "../terminal.ts";
import type { Check } from "./check.ts";

/** One line of the table: a measure of one set. */
export interface Line {
  set: string;
  measure: string;
  /** The number of right results, or the sum of the scores where a set has scores. */
  right: number;
  of: number;
  /** Half the width of the 95 % interval of the mean of the scores; null where a set has none. */
  margin: number | null;
  /** The share to reach, or null if none is set. */
  target: number | null;
  failures: Check[];
}

/** Creates one line per measure of a set: those with a target first, in the order of the targets. */
export function createLines(
  set: string,
  checks: readonly Check[],
  targets: Readonly<Record<string, number>>,
): Line[] {
  const measures = new Set([...Object.keys(targets), ...checks.map(({ measure }) => measure)]);
  return [...measures].flatMap((measure) => {
    const asked = checks.filter((one) => one.measure === measure);
    const failures = asked.filter(({ ok }) => !ok);
    const target = targets[measure] ?? null;
    const scores = asked.map(({ ok, score }) => score ?? Number(ok));
    const right = scores.reduce((sum, score) => sum + score, 0);
    const margin = asked.some(({ score }) => score !== undefined) ? marginOf(scores) : null;
    return asked.length === 0 ? [] : [{ set, measure, right, of: asked.length, margin, target, failures }];
  });
}

/** Half the width of the 95 % interval of the mean, by the normal approximation. */
function marginOf(scores: readonly number[]): number {
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const squares = scores.reduce((sum, score) => sum + (score - mean) ** 2, 0);
  return 1.96 * Math.sqrt(squares / Math.max(1, scores.length - 1) / scores.length);
}

/** Whether the line reaches its target. */
export function meetsTarget({ right, of, target }: Line): boolean {
  return target === null || right / of >= target;
}

/** Formats each line as text: set, measure, figures, target, and the failures by class. */
export function formatTable(lines: readonly Line[]): string[] {
  return lines.map((line) => {
    const { set, measure, right, of, target, margin } = line;
    const figures = (margin === null ? `${right}/${of}` : `${of} files`).padStart(11);
    const goal = target === null || target === 0 ? "" : `≥ ${formatPercent(target)}`;
    const share = styled(meetsTarget(line) ? "green" : "red", formatPercent(right / of).padStart(8));
    const notes =
      margin === null ? formatClasses(line) : `± ${formatPercent(margin)}  ${formatClasses(line)}`;
    return `${set.padEnd(18)} ${measure.padEnd(24)} ${figures} ${share}  ${goal.padEnd(10)} ${notes}`.trimEnd();
  });
}

/** Formats every failure of a line, with the expected and the actual value. */
export function formatFailures({ set, failures }: Line): string[] {
  return failures.map(
    ({ id, measure, why, detail }) => `${set} ${id}\n  ${measure}: ${why}\n      ${detail}`,
  );
}

function formatClasses({ failures }: Line): string {
  const counts = new Map<string, number>();
  for (const { why } of failures) counts.set(why, (counts.get(why) ?? 0) + 1);
  const most = [...counts].toSorted(([, one], [, other]) => other - one);
  return most.map(([why, count]) => `${count} ${why}`).join(", ");
}

const formatPercent = (share: number): string => `${(100 * share).toFixed(1)} %`;
