/**
 * A text as the sets compare it: lines end in LF without trailing blanks, one blank line at most between
 * lines, no blank ends.
 */
export function normal(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/[^\S\n]+$/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** How many words of `wanted` are missing in `found`, each counted as often as it stands there. */
export function missingWords(wanted: string, found: string): number {
  const left = counted(found);
  return words(wanted).filter((word) => !taken(left, word)).length;
}

/**
 * The share of common words of two texts (F1 over words), from 0 to 1; two texts without a word are alike.
 */
export function wordLikeness(one: string, other: string): number {
  const [first, second] = [words(one), words(other)];
  if (first.length + second.length === 0) return 1;
  const left = counted(one);
  const common = second.filter((word) => taken(left, word)).length;
  return (2 * common) / (first.length + second.length);
}

const words = (text: string): string[] => text.normalize("NFKC").match(/[\p{L}\p{N}]+/gu) ?? [];

function counted(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function taken(left: Map<string, number>, word: string): boolean {
  const count = left.get(word) ?? 0;
  if (count > 0) left.set(word, count - 1);
  return count > 0;
}
