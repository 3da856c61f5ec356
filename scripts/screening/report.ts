import { SUSPICIOUS_FROM } from "../../packages/core/src/catalogue/signals.ts";
import { FOLDS } from "./cases.ts";
import type { JudgedCase } from "./fit.ts";

/**
 * Reports the share of each set that is held, with an interval; of real phishing by language group and if
 * authenticated.
 */
export function heldOutLines(cases: readonly JudgedCase[]): string[] {
  const held = ({ score }: JudgedCase) => score >= SUSPICIOUS_FROM;
  const ifAuthenticated = ({ score_authenticated }: JudgedCase) => score_authenticated >= SUSPICIOUS_FROM;
  const phish = cases.filter(({ set }) => set === "phish");
  return [
    ...[...Map.groupBy(cases, ({ set }) => set)].map(([set, judged]) => formatLine(set, judged, held)),
    ...[...Map.groupBy(phish, ({ words }) => words)].map(([words, judged]) =>
      formatLine(`  phish, ${words}`, judged, held),
    ),
    formatLine("  phish, if authenticated", phish, ifAuthenticated),
    formatLine(
      "  phish that DMARC passed",
      phish.filter(({ arrived_authenticated }) => arrived_authenticated),
      ifAuthenticated,
    ),
    ...spamLines(cases),
  ];
}

/** The share of honest list mail that may be held where spam of the same years is counted. */
const SPAM_FALSE_ALARMS = 0.01;

/**
 * Old spam held where one in a hundred of the honest mails of those years is. For each part the threshold is chosen by
 * the other parts' honest mail.
 */
function spamLines(cases: readonly JudgedCase[]): string[] {
  const thresholds = Array.from({ length: FOLDS }, (_, fold) =>
    thresholdFor(cases.filter((one) => one.set === "list mail" && one.fold !== fold)),
  );
  const held = ({ score, fold }: JudgedCase) => score >= (thresholds[fold] ?? SUSPICIOUS_FROM);
  return ["old spam", "list mail"].map((set) =>
    formatLine(
      `  ${set}, from ${Math.min(...thresholds)}`,
      cases.filter((one) => one.set === set),
      held,
    ),
  );
}

/** The lowest score from which no more than the share allowed is held. */
function thresholdFor(honest: readonly JudgedCase[]): number {
  const most = honest.length * SPAM_FALSE_ALARMS;
  let threshold = 1;
  while (honest.filter(({ score }) => score >= threshold).length > most) threshold += 1;
  return threshold;
}

function formatLine(
  name: string,
  judged: readonly JudgedCase[],
  isHeld: (one: JudgedCase) => boolean,
): string {
  const held = judged.filter(isHeld).length;
  const { from, to } = interval(held, judged.length);
  const share = `${percent(held / judged.length)} (${percent(from)} to ${percent(to)})`;
  return `${name.padEnd(26)} held ${`${held}/${judged.length}`.padStart(11)}  ${share}`;
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
