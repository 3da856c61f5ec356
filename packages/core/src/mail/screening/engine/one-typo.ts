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
  if (longer > 0) return endAlike(word, head + 1, meant, head);
  if (longer < 0) return endAlike(word, head, meant, head + 1);
  if (endAlike(word, head + 1, meant, head + 1)) return true;
  return (
    word[head] === meant[head + 1] &&
    word[head + 1] === meant[head] &&
    endAlike(word, head + 2, meant, head + 2)
  );
}

/** Whether two words end alike from these places on, where as much is left of both. */
function endAlike(one: string, from: number, other: string, beside: number): boolean {
  for (let at = from; at < one.length; at += 1)
    if (one.charCodeAt(at) !== other.charCodeAt(beside + at - from)) return false;
  return true;
}
