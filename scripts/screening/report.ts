import type { ScreenedCase } from "./cases.ts";

type Judged = ScreenedCase & { held: boolean };

/** How much of each set is held, with an interval, and of real phishing by language group. */
export function heldOutLines(cases: readonly Judged[]): string[] {
  const lines = [...Map.groupBy(cases, ({ set }) => set)].map(([set, judged]) => formatLine(set, judged));
  const groups = [
    ...Map.groupBy(
      cases.filter(({ set }) => set === "phish"),
      ({ words }) => words,
    ),
  ];
  return [...lines, ...groups.map(([words, judged]) => formatLine(`  phish, ${words}`, judged))];
}

function formatLine(name: string, judged: readonly Judged[]): string {
  const held = judged.filter((one) => one.held).length;
  const { from, to } = interval(held, judged.length);
  const share = `${percent(held / judged.length)} (${percent(from)} to ${percent(to)})`;
  return `${name.padEnd(24)} held ${`${held}/${judged.length}`.padStart(11)}  ${share}`;
}

/** The 95 % interval of a share (Wilson, 1927). */
export function interval(right: number, of: number): { from: number; to: number } {
  if (of === 0) return { from: 0, to: 1 };
  const z = 1.96;
  const share = right / of;
  const middle = (share + (z * z) / (2 * of)) / (1 + (z * z) / of);
  const half = (z * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of))) / (1 + (z * z) / of);
  return { from: Math.max(0, middle - half), to: Math.min(1, middle + half) };
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
