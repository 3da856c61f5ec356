/** Waits so many milliseconds; throws the signal's reason when the caller gives up before. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", giveUp);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", giveUp, { once: true });
  });
}
