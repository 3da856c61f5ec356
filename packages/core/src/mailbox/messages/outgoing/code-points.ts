const SURROGATE = /[\ud800-\udfff]/;

/** The number of code points in a text, as every language but JavaScript counts it. Linear. */
export function countCodePoints(text: string): number {
  const first = text.search(SURROGATE);
  if (first === -1) return text.length;
  let pairs = 0;
  for (let at = first; at < text.length; at++) {
    if (!isPairAt(text, at)) continue;
    pairs++;
    at++;
  }
  return text.length - pairs;
}

/** Truncates a text to `max` code points. */
export const truncate = (text: string, max: number): string => text.slice(0, unitsOf(text, max));

/**
 * At most `max` code points of a text from `offset`, also in code points. The next slice begins at `offset` plus
 * the code points of this one; `truncated` says that there is more.
 */
export function sliceText(text: string | null, offset: number, max: number = Number.MAX_SAFE_INTEGER) {
  if (text === null)
    return { extracted_text: null, extracted_text_chars: null, extracted_text_truncated: false };
  const rest = text.slice(unitsOf(text, offset));
  const slice = truncate(rest, max);
  return {
    extracted_text: slice,
    extracted_text_chars: countCodePoints(text),
    extracted_text_truncated: slice.length < rest.length,
  };
}

/** Returns the number of UTF-16 code units in the first `count` code points of a text. Reads only these. */
function unitsOf(text: string, count: number): number {
  if (count >= text.length) return text.length;
  const first = text.slice(0, count).search(SURROGATE);
  if (first === -1) return count;
  let units = first;
  for (let points = first; points < count && units < text.length; points++)
    units += isPairAt(text, units) ? 2 : 1;
  return units;
}

function isPairAt(text: string, at: number): boolean {
  const [high, low] = [text.charCodeAt(at), text.charCodeAt(at + 1)];
  return high >= 0xd800 && high <= 0xdbff && low >= 0xdc00 && low <= 0xdfff;
}
