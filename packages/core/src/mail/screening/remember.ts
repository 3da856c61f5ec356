/**
 * A pure function of a string that remembers what it returned, for words and hosts that come again in nearly every
 * mail. It keeps at most `most` results: when it is full it starts afresh, so that a hostile mail costs no more than the
 * same work again.
 */
export function remembering<T>(most: number, work: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const result = work(text);
    if (known.size >= most) known.clear();
    known.set(text, result);
    return result;
  };
}
