/** The promise's value, or `undefined` if it takes longer than `milliseconds`; a later result is ignored. */
export async function withTimeout<T>(milliseconds: number, promise: Promise<T>): Promise<T | undefined> {
  const timeout = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => timeout.resolve(undefined), milliseconds);
  // After the timeout a rejection must not count as unhandled.
  promise.catch(() => undefined);
  try {
    return await Promise.race([promise, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}
