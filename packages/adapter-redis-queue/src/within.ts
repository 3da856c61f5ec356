/**
 * What the promise comes to within so many milliseconds; afterwards `undefined`, and whatever it comes to
 * then is dropped.
 */
export async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), milliseconds);
  // The race leaves the loser behind: its failure must not count as nobody's.
  promise.catch(() => undefined);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
