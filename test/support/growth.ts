/** The milliseconds of processor time that `run` takes of this process, its threads included. */
async function processTimeOf(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/**
 * The exponent by which cost grows with size: 1 is linear, 2 quadratic. Takes processor time, so that it doesn't matter how busy the
 * machine is, and the least of `tries` at each size, so that a collection of garbage doesn't either. `run` must do new work each time.
 */
export async function growthOf(
  [small, large]: readonly [number, number],
  tries: number,
  run: (size: number) => unknown,
): Promise<number> {
  const leastOf = async (size: number) => {
    const times: number[] = [];
    for (let each = 0; each < tries; each++) times.push(await processTimeOf(() => run(size)));
    return Math.min(...times);
  };
  await run(small);
  const [less, more] = [await leastOf(small), await leastOf(large)];
  return Math.log(more / less) / Math.log(large / small);
}
