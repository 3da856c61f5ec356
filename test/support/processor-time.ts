/**
 * The milliseconds of processor time that `run` takes of this thread; what else the machine does makes no
 * difference to it.
 */
export async function processorTimeOf(run: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await run();
  return spentSince(before);
}

/** The same of this process with all of its threads, those of the collector too. */
export async function processTimeOf(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/**
 * The most milliseconds of processor time that this thread takes between two turns of its event loop while
 * `work` goes on.
 */
export async function longestTurnOf(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let over = false;
  const watching = (async () => {
    while (!over) {
      const before = process.threadCpuUsage();
      await new Promise((resolve) => setImmediate(resolve));
      longest = Math.max(longest, spentSince(before));
    }
  })();
  await work().finally(() => {
    over = true;
  });
  await watching;
  return longest;
}

function spentSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
