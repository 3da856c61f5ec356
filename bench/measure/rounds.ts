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
export const cpuEach = ({ done, cpu_us }: Round): number =>
  cpu_us === undefined ? Number.NaN : cpu_us / Math.max(done, 1);

/**
 * Runs contestants in alternating rounds (A B A B …), after one short round of each to warm up, so that what
 * disturbs the machine disturbs all of them.
 */
export async function alternate<C extends Partial<Record<string, (ms: number) => Promise<Round>>>>(
  run: Pick<Run, "rounds" | "round_ms" | "say">,
  contestants: C,
): Promise<{ [N in keyof C]: Round[] }> {
  const entries = Object.entries(contestants).flatMap(([name, play]) =>
    play === undefined ? [] : [{ name, play }],
  );
  const rounds: Record<string, Round[]> = Object.fromEntries(entries.map(({ name }) => [name, []]));
  for (const { play } of entries) await play(Math.min(run.round_ms, 1000));
  for (let number = 1; number <= run.rounds; number++) {
    const rates: string[] = [];
    for (const { name, play } of entries) {
      const round = await play(run.round_ms);
      rounds[name]?.push(round);
      rates.push(`${name} ${Math.round(rate(round))}/s`);
    }
    run.say(`round ${number} of ${run.rounds}: ${rates.join(", ")}`);
  }
  return rounds as { [N in keyof C]: Round[] };
}

/**
 * The ratio of two contestants, round by round: rates for `of: "rate"`, CPU for one operation for `of:
 * "cpu"`.
 */
export function ratio(
  one: readonly Round[],
  other: readonly Round[],
  of: (round: Round) => number = rate,
): { value: number; spread: readonly [number, number] } {
  return summary(one.map((round, index) => of(round) / of(other[index] as Round)));
}
