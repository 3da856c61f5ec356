/** The parameters of a growth measurement. */
export interface GrowthTrial {
  /** A small size and a much larger one. */
  sizes: readonly [number, number];
  /** The target exponent: measuring stops when it is reached. */
  steepest: number;
  /** The maximum number of attempts per size, used only if the target is not reached. */
  tries: number;
  /** Does new work of the given size on each call. */
  run(size: number): unknown;
  /** Measures CPU time, which hardly depends on the machine's load. */
  measureMs(work: () => Promise<void>): Promise<number>;
}

const MIN_TRIES = 2;
/** Anything less can't be measured. */
const MIN_MS = 1;

/**
 * Measures the exponent by which cost grows with size: 1 is linear, 2 quadratic. The small size is repeated to
 * equal the large one, since the system counts CPU in ticks. Uses the minimum of alternating attempts, so that
 * garbage collections and other processes don't count.
 */
export async function measureGrowth({
  sizes: [small, large],
  steepest,
  tries,
  run,
  measureMs,
}: GrowthTrial): Promise<number> {
  const times = Math.round(large / small);
  const cost = (size: number, often: number) =>
    measureMs(async () => {
      for (let done = 0; done < often; done++) await run(size);
    });
  await run(small);
  let [less, more] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const exponent = () =>
    Math.log((Math.max(more, MIN_MS) / Math.max(less, MIN_MS)) * times) / Math.log(large / small);
  for (let count = 1; count <= tries; count++) {
    less = Math.min(less, await cost(small, times));
    more = Math.min(more, await cost(large, 1));
    if (count >= MIN_TRIES && exponent() <= steepest) break;
  }
  return exponent();
}
