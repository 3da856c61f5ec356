/** What a growth is measured with. */
export interface GrowthTrial {
  /** A small size and one that is many times as large. */
  sizes: readonly [number, number];
  /** The exponent that is hoped for: measuring ends when it is met. */
  steepest: number;
  /** How often each size is tried at most, which is so often only where the hope is not met. */
  tries: number;
  /** Does new work of that size each time. */
  run(size: number): unknown;
  /** Measures in processor time: how busy the machine is makes little difference to that. */
  timeOf(work: () => Promise<void>): Promise<number>;
}

const leastTries = 2;
/** Less than this is nothing that could be measured. */
const leastMs = 1;

/**
 * The exponent by which cost grows with size: 1 is linear, 2 quadratic. The small size is done as often as
 * makes the large one, since the system counts time in ticks. Takes the least of all tries, taken in turn, so
 * that neither a collection of garbage nor a neighbour counts.
 */
export async function growthOf({
  sizes: [small, large],
  steepest,
  tries,
  run,
  timeOf,
}: GrowthTrial): Promise<number> {
  const times = Math.round(large / small);
  const cost = (size: number, often: number) =>
    timeOf(async () => {
      for (let done = 0; done < often; done++) await run(size);
    });
  await run(small);
  let [less, more] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const exponent = () =>
    Math.log((Math.max(more, leastMs) / Math.max(less, leastMs)) * times) / Math.log(large / small);
  for (let count = 1; count <= tries; count++) {
    less = Math.min(less, await cost(small, times));
    more = Math.min(more, await cost(large, 1));
    if (count >= leastTries && exponent() <= steepest) break;
  }
  return exponent();
}
