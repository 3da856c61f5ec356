import { forEachNumber } from "./find-numbers.ts";
import { CODE_REMOVED } from "./marks.ts";
import type { Place, Visit } from "./walk-texts.ts";

/**
 * Whether a text is written by mail programs for each other, or of unknown form: a number there is hardly ever a code.
 */
const isUnseen = (place: Place): boolean => place === "id" || place === "address" || place === "bytes";

/** Encodings of a text that `forEachNumber` doesn't decode, since the encoded form could also be the number itself. */
const VIEWS: readonly { is: RegExp; decode(text: string): string }[] = [
  {
    is: /%(?:25){0,9}3[0-9]/i,
    decode: (text) => text.replace(/%(?:25){0,9}3([0-9])/gi, "$1"),
  },
  {
    is: /=3[0-9]|=[ \t]*\r?\n/,
    decode: (text) => text.replace(/=3([0-9])/g, "$1").replace(/=[ \t]{0,20}\r?\n/g, ""),
  },
];

/** Notes each number of six digits in a text, and whether readers see it. */
export function noteNumbers(
  text: string,
  place: Place,
  note: (digits: string, shown: boolean) => void,
): void {
  const unseen = isUnseen(place);
  const take = (digits: string, _: unknown, shown: boolean) => note(digits, shown && !unseen);
  forEachNumber(text, take);
  for (const { is, decode } of VIEWS) if (is.test(text)) forEachNumber(decode(text), take);
}

/** Creates a visit that removes codes: the given ones and, with `all`, every number that readers see. */
export function removingCodes({ all, codes }: { all: boolean; codes: readonly string[] }): Visit {
  const live = new Set(codes);
  return (text, place) => {
    const goes = (digits: string, shown: boolean) => live.has(digits) || (all && shown && !isUnseen(place));
    let kept = removeNumbers(text, goes);
    for (const { is, decode } of VIEWS) {
      if (!is.test(kept)) continue;
      const decoded = decode(kept);
      const removed = removeNumbers(decoded, goes);
      if (removed !== decoded) kept = removed;
    }
    return kept;
  };
}

/** Removes some of a text's numbers, but keeps everything between their digits, such as tags. */
function removeNumbers(text: string, goes: (digits: string, shown: boolean) => boolean): string {
  const spans: { start: number; end: number; first: boolean }[] = [];
  forEachNumber(text, (digits, positions, shown) => {
    if (!goes(digits, shown)) return;
    for (let at = 0; at < positions.length; at += 2)
      spans.push({ start: positions[at] ?? 0, end: positions[at + 1] ?? 0, first: at === 0 });
  });
  if (spans.length === 0) return text;
  spans.sort((one, other) => one.start - other.start || Number(one.first) - Number(other.first));
  let kept = "";
  let at = 0;
  for (const { start, end, first } of spans) {
    if (start < at) continue;
    kept += text.slice(at, start) + (first ? CODE_REMOVED : "");
    at = end;
  }
  return kept + text.slice(at);
}
