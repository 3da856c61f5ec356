/** One page of a list as the server answers it. */
export interface Page<T> {
  object: "list";
  data: T[];
  has_more: boolean;
  next_cursor: string | null;
}

/** A list: await it for one page, `for await` it for every item of every page from there on. */
export type PagePromise<T, P extends Page<T> = Page<T>> = Promise<P> &
  AsyncIterable<T> & { pages(): AsyncGenerator<P> };

/** The page of `input` as a list that goes on by itself; `read` answers one page. */
export function pagesOf<T>(
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
