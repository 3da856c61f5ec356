/** Waits for two answers, each of which may be there already. */
export const together = <A, B>(one: A | Promise<A>, other: B | Promise<B>): Promise<[A, B]> =>
  one instanceof Promise && other instanceof Promise
    ? Promise.all([one, other])
    : oneAfterAnother(one, other);

/** At most one of them is a promise, so no rejection goes unhandled while the other is awaited. */
async function oneAfterAnother<A, B>(one: A | Promise<A>, other: B | Promise<B>): Promise<[A, B]> {
  return [await one, await other];
}
