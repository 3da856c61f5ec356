import type { Run } from "../metric.ts";
import { summary } from "./statistics.ts";

/** What one round came to: how much was done in which time, at which cost. */
export interface Round {
  done: number;
  ms: number;
  /** CPU time of the measured process, in microseconds; undefined where the system does not tell. */
  cpu_us: number | undefined;
  /** Milliseconds that single operations took, where they were noted. */
  latencies?: number[];
}

/** Operations a second. */
export const rate = ({ done, ms }: Round): number => (done * 1000) / ms;

/** Microseconds of CPU for one operation. */
export const cpuEach = ({ done, cpu_us }: Round): number => (cpu_us === undefined ? Number.NaN : cpu_us / Math.max(done, 1));

/**
 * Runs contestants in alternating rounds (A B A B …), after one short round of each to warm up, so that what disturbs the machine
 * disturbs all of them.
 */
export async function alternate<N extends string>(
  run: Pick<Run, "rounds" | "round_ms" | "say">,
  contestants: Record<N, (ms: number) => Promise<Round>>,
): Promise<Record<N, Round[]>> {
  const names = Object.keys(contestants) as N[];
  const rounds = Object.fromEntries(names.map((name) => [name, [] as Round[]])) as Record<N, Round[]>;
  for (const name of names) await contestants[name](Math.min(run.round_ms, 1000));
  for (let round = 1; round <= run.rounds; round++) {
    for (const name of names) rounds[name].push(await contestants[name](run.round_ms));
    run.say(
      `round ${round} of ${run.rounds}: ${names.map((name) => `${name} ${Math.round(rate(rounds[name].at(-1) as Round))}/s`).join(", ")}`,
    );
  }
  return rounds;
}

/** The ratio of two contestants, round by round: rates for `of: "rate"`, CPU for one operation for `of: "cpu"`. */
export function ratio(
  one: readonly Round[],
  other: readonly Round[],
  of: (round: Round) => number = rate,
): { value: number; spread: readonly [number, number] } {
  return summary(one.map((round, index) => of(round) / of(other[index] as Round)));
}
