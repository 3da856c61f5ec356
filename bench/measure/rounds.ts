import type { Run } from "../metric.ts";
import { quantile, summary } from "./statistics.ts";

/** The result of one round: the operations done, the time taken and the CPU used. */
export interface Round {
  done: number;
  ms: number;
  /** CPU time of the measured process in microseconds; undefined where the system does not report it. */
  cpu_us: number | undefined;
  /** Milliseconds per operation, if recorded. */
  latencies?: number[];
}

/** Operations per second. */
export const rate = ({ done, ms }: Round): number => (done * 1000) / ms;

/** Microseconds of CPU per operation. */
export const cpuEach = ({ done, cpu_us }: Round): number =>
  cpu_us === undefined ? Number.NaN : cpu_us / Math.max(done, 1);

/** The 99th percentile of the round's latencies, in milliseconds. */
export const p99 = ({ latencies = [] }: Pick<Round, "latencies"> = {}): number => quantile(latencies, 0.99);

/** The round with its `missing` operations among the latencies, as infinitely late. */
export const withMissing = (round: Round, missing: number): Round => ({
  ...round,
  latencies: [...(round.latencies ?? []), ...Array<number>(missing).fill(Number.POSITIVE_INFINITY)],
});

/**
 * Runs contestants in alternating rounds (A B A B …) after a short warm-up round each, so that any disturbance
 * of the machine affects all of them.
 */
export async function alternate<C extends Partial<Record<string, (ms: number) => Promise<Round>>>>(
  run: Pick<Run, "rounds" | "round_ms" | "log">,
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
    run.log(`round ${number} of ${run.rounds}: ${rates.join(", ")}`);
  }
  return rounds as { [N in keyof C]: Round[] };
}

/** The ratio of two contestants, round by round, by `of` (their rates by default). */
export function ratio(
  one: readonly Round[],
  other: readonly Round[],
  of: (round: Round) => number = rate,
): { value: number; spread: readonly [number, number] } {
  return summary(one.map((round, index) => of(round) / of(other[index] as Round)));
}
