/** Measures the CPU time of `run` in this thread in milliseconds, independent of the machine's load. */
export async function measureThreadCpu(run: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await run();
  return spentSince(before);
}

/** The same for this process with all its threads, including those of the garbage collector. */
export async function measureProcessCpu(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Measures the longest tick of this thread's event loop during `work`, in milliseconds of CPU time. */
export async function measureLongestTick(work: () => Promise<unknown>): Promise<number> {
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
