/** Waits for two answers at once. What is there already costs no promise. */
export const together = <A, B>(one: A | Promise<A>, other: B | Promise<B>): Promise<[A, B]> =>
  one instanceof Promise && other instanceof Promise
    ? Promise.all([one, other])
    : oneAfterAnother(one, other);

/** At most one of them is still to come, so that none fails while nobody waits for it. */
async function oneAfterAnother<A, B>(one: A | Promise<A>, other: B | Promise<B>): Promise<[A, B]> {
  return [await one, await other];
}
