/** Each task is a compiler or a package manager, with a heap of its own. */
const MAX_AT_ONCE = 2;

/**
 * Runs the tasks, two at a time. After a failure no further one is started; throws it once those that run have ended.
 */
export async function fewAtOnce(tasks: readonly (() => Promise<void>)[]): Promise<void> {
  const waiting = [...tasks];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      await next().catch((error: unknown) => {
        waiting.length = 0;
        throw error;
      });
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: MAX_AT_ONCE }, worker));
  for (const each of ended) if (each.status === "rejected") throw each.reason;
}
