/** Shorter names are words that other programs use too, so only two swapped letters count as a slip. */
const MIN_CHARS = 5;

/** The names that are one slip off a known one: a letter too much, missing or wrong, two swapped, or their case. */
export function misspelledNames(
  names: readonly string[],
  known: readonly string[],
): { name: string; meant: string }[] {
  const right = new Set(known);
  return names.flatMap((name) => {
    const meant = right.has(name) ? undefined : known.find((each) => isSlip(name, each));
    return meant === undefined ? [] : [{ name, meant }];
  });
}

function isSlip(name: string, meant: string): boolean {
  if (Math.abs(name.length - meant.length) > 1) return false;
  let start = 0;
  while (start < meant.length && name[start] === meant[start]) start++;
  const [rest, wanted] = [name.slice(start), meant.slice(start)];
  const swapped = rest[1] === wanted[0] && rest[0] === wanted[1] && rest.slice(2) === wanted.slice(2);
  if (swapped && wanted.length > 1) return true;
  if (meant.length < MIN_CHARS) return false;
  if (name.toUpperCase() === meant) return true;
  return rest.slice(1) === wanted || rest === wanted.slice(1) || rest.slice(1) === wanted.slice(1);
}
