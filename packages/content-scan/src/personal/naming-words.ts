/** A number counts only with a word that names it, at most so far away. */
const MAX_DISTANCE_CHARS = 40;
/** Scripts that write their words without spaces. */
const UNSPACED = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Script=Thai}/u;

/** A part of a text, from its first character to the one after its last. */
export interface Span {
  start: number;
  end: number;
}

/**
 * Finds words in a text. One that begins with `=` counts only as it is written, because in lower case it means something
 * else.
 */
export function wordFinder(words: readonly string[]): (text: string) => Span[] {
  const exact = words.filter((word) => word.startsWith("=")).map((word) => patternOf(word.slice(1)));
  const folded = words.filter((word) => !word.startsWith("=")).map(patternOf);
  const patterns = [
    ...(exact.length === 0 ? [] : [new RegExp(exact.join("|"), "gu")]),
    ...(folded.length === 0 ? [] : [new RegExp(folded.join("|"), "giu")]),
  ];
  return (text) =>
    patterns
      .flatMap((pattern) =>
        [...text.matchAll(pattern)].map(({ 0: word, index: start }) => ({ start, end: start + word.length })),
      )
      .toSorted((one, other) => one.start - other.start);
}

function patternOf(word: string): string {
  const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(" ", "[\\s-]{1,2}");
  return UNSPACED.test(word) ? escaped : `(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`;
}

/** The parts of a text in which a number may stand that one of the words names, in their order and apart. */
export function around(words: readonly Span[], text_length: number, longest_number: number): Span[] {
  const reach = MAX_DISTANCE_CHARS + longest_number;
  const windows: Span[] = [];
  for (const word of words) {
    const [start, end] = [Math.max(0, word.start - reach), Math.min(text_length, word.end + reach)];
    const last = windows.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else windows.push({ start, end });
  }
  return windows;
}

/** Whether one of the words, which are in their order, stands near a number. */
export function isNamed(words: readonly Span[], { start, end }: Span): boolean {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((words[middle]?.end ?? 0) < start - MAX_DISTANCE_CHARS) low = middle + 1;
    else high = middle;
  }
  const first = words[low];
  return first !== undefined && first.start <= end + MAX_DISTANCE_CHARS;
}
