/** Normalises whitespace: LF line ends, no trailing blanks, at most one blank line in a row, none at the ends. */
export function normaliseText(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/[^\S\n]+$/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** Counts the words of `expected` that are missing in `found`, repeated words as often as they occur. */
export function countMissingWords(expected: string, found: string): number {
  const left = countWords(found);
  return splitWords(expected).filter((word) => !takeWord(left, word)).length;
}

/** Similarity of two texts as the F1 score over their words, from 0 to 1; 1 if both have no words. */
export function wordSimilarity(one: string, other: string): number {
  const [first, second] = [splitWords(one), splitWords(other)];
  if (first.length + second.length === 0) return 1;
  const left = countWords(one);
  const common = second.filter((word) => takeWord(left, word)).length;
  return (2 * common) / (first.length + second.length);
}

const splitWords = (text: string): string[] => text.normalize("NFKC").match(/[\p{L}\p{N}]+/gu) ?? [];

function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of splitWords(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function takeWord(left: Map<string, number>, word: string): boolean {
  const count = left.get(word) ?? 0;
  if (count > 0) left.set(word, count - 1);
  return count > 0;
}
