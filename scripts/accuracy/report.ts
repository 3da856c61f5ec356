import { styled } from "../terminal.ts";
import type { Check } from "./check.ts";

/** One line of the table: a measure of one set. */
export interface Line {
  set: string;
  measure: string;
  right: number;
  of: number;
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
    return asked.length === 0
      ? []
      : [{ set, measure, right: asked.length - failures.length, of: asked.length, target, failures }];
  });
}

/** Whether the line reaches its target. */
export function meetsTarget({ right, of, target }: Line): boolean {
  return target === null || right / of >= target;
}

/** Formats each line as text: set, measure, figures, target, and the failures by class. */
export function formatTable(lines: readonly Line[]): string[] {
  return lines.map((line) => {
    const { set, measure, right, of, target } = line;
    const figures = `${right}/${of}`.padStart(11);
    const goal = target === null || target === 0 ? "" : `≥ ${formatPercent(target)}`;
    const share = styled(meetsTarget(line) ? "green" : "red", formatPercent(right / of).padStart(8));
    return `${set.padEnd(18)} ${measure.padEnd(24)} ${figures} ${share}  ${goal.padEnd(10)} ${formatClasses(line)}`.trimEnd();
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
