/** One page of a list. */
export interface Page<T> {
  object: "list";
  data: T[];
  has_more: boolean;
  next_cursor: string | null;
}

/** A list: await it for its first page, `for await` it for every item, or iterate `pages()`. */
export type PagePromise<T, P extends Page<T> = Page<T>> = Promise<P> &
  AsyncIterable<T> & { pages(): AsyncGenerator<P> };

/** Requests the first page with `read` and returns a list that fetches later pages when iterated. */
export function paginate<T>(
  input: Record<string, unknown>,
  read: (input: Record<string, unknown>) => Promise<Page<T>>,
): PagePromise<T> {
  const first = read(input);
  async function* pages(): AsyncGenerator<Page<T>> {
    let page = await first;
    yield page;
    while (page.next_cursor !== null) {
      page = await read({ ...input, cursor: page.next_cursor });
      yield page;
    }
  }
  async function* items(): AsyncGenerator<T> {
    for await (const page of pages()) yield* page.data;
  }
  return Object.assign(first, { pages, [Symbol.asyncIterator]: items });
}
