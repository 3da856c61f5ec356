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
    const own = copyOf(text);
    const result = work(own);
    if (known.size >= most) known.clear();
    known.set(own, result);
    return result;
  };
}

/** The same text on its own: a part of a long text keeps all of that in memory, and so do parts of the part. */
const copyOf = (text: string): string => Buffer.from(text, "utf16le").toString("utf16le");
