/**
 * Whether a word is one typo away from another: one letter more, less or changed, or two neighbours swapped.
 * An equal word is not.
 */
export function oneSlipOff(word: string, meant: string): boolean {
  const longer = word.length - meant.length;
  if (longer > 1 || longer < -1) return false;
  let head = 0;
  while (head < word.length && word.charCodeAt(head) === meant.charCodeAt(head)) head += 1;
  if (longer === 0 && head === word.length) return false;
  const rest = (one: number, other: number) => word.slice(head + one) === meant.slice(head + other);
  if (longer > 0) return rest(1, 0);
  if (longer < 0) return rest(0, 1);
  return rest(1, 1) || (word[head] === meant[head + 1] && word[head + 1] === meant[head] && rest(2, 2));
}
