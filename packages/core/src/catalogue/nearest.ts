/** More slips than this, for a word of its length, and it was meant to be something else. */
const SLIPS_PER_LETTER = 0.4;

/** The name that a mistyped word is nearest to, if any is near. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  const lower = word.toLowerCase();
  let best: string | undefined;
  let best_slips = Math.max(1, Math.floor(lower.length * SLIPS_PER_LETTER)) + 1;
  for (const name of names) {
    const slips = name.startsWith(lower) && lower.length > 2 ? 0 : countSlips(lower, name.toLowerCase());
    if (slips < best_slips) [best, best_slips] = [name, slips];
  }
  return best;
}

/** Letters too many, missing, wrong or swapped with their neighbour. */
function countSlips(from: string, to: string): number {
  if (Math.abs(from.length - to.length) > from.length) return Infinity;
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1];
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before[j - 2] ?? 0) + 1 : Infinity,
      );
    }
    [before, row] = [row, next];
  }
  return row[to.length] ?? Infinity;
}
