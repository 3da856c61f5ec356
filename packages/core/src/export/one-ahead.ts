/** What is made of each item, in order. While one result is in use, that of the next item is being made. */
export async function* oneAhead<T, R>(
  items: AsyncIterable<T>,
  make: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  let begun: Promise<R> | undefined;
  for await (const item of items) {
    const making = make(item);
    // What fails is thrown when its turn comes; until then, or if the items fail first, nobody awaits it.
    making.catch(() => undefined);
    if (begun !== undefined) yield await begun;
    begun = making;
  }
  if (begun !== undefined) yield await begun;
}
