/** Maps items in order, making the next result while the current one is in use. */
export async function* oneAhead<T, R>(
  items: AsyncIterable<T>,
  make: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  let begun: Promise<R> | undefined;
  for await (const item of items) {
    const making = make(item);
    // A failure is thrown in its turn; until then, or if the items fail first, nobody awaits it.
    making.catch(() => undefined);
    if (begun !== undefined) yield await begun;
    begun = making;
  }
  if (begun !== undefined) yield await begun;
}
