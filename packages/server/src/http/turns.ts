/**
 * Says when an answer may leave: the first in a turn of the event loop at once, those that follow together at
 * its end, when the answered promise resolves. Each write to a socket that is read at once wakes its reader,
 * which costs more than a small answer does; answers that leave together wake it once. An answer that is
 * alone waits for nothing.
 */
export function createTurns(): () => Promise<void> | undefined {
  let end: Promise<void> | undefined;
  return () => {
    if (end !== undefined) return end;
    end = new Promise((resolve) => {
      setImmediate(() => {
        end = undefined;
        resolve();
      });
    });
    return undefined;
  };
}
