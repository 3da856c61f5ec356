import { bareOf, type Line } from "./line.ts";
import { ABOVE_THIS_LINE, FORWARD_MARKERS, type MarkerWords, ORIGINAL_MARKERS } from "./marker-words.ts";

const ORIGINAL = phrases(ORIGINAL_MARKERS);
const FORWARD = phrases(FORWARD_MARKERS);
const ABOVE = new RegExp(ABOVE_THIS_LINE.join("|"), "u");
const MAX_REQUEST_CHARS = 120;
const RULED = /^[-_=#—–]/;
const DASHES = /^[-_=#—–]{2,} ?/;
const DASH = "-_=#—–";

/** What introduces mail that is answered or forwarded. */
export type Marker = "original" | "forward";

/** Which marker starts at `at`: in one line, or, where it was broken in transit, in two. Null when none does. */
export function markerFrom(lines: readonly Line[], at: number): Marker | null {
  const [line, next] = [lines[at], lines[at + 1]];
  if (line === undefined || !mayMark(line)) return null;
  const marker = markerAt(line);
  if (marker !== null || next === undefined || !DASHES.test(line.bare) || !/-{2,}$/.test(next.bare))
    return marker;
  return markerAt({ ...line, bare: `${line.bare} ${next.bare}` });
}

/** Whether a line begins or ends as every marker does: nearly none does. */
const mayMark = ({ bare }: Line): boolean =>
  DASH.includes(bare.charAt(0)) ? bare !== "" : bare.endsWith(":") || bare.endsWith("：");

/**
 * Which marker the line is: enclosed in dashes, or alone and ended by a colon, or a rule with the request to write
 * above it. Null when it is none.
 */
export function markerAt(line: Line): Marker | null {
  if (RULED.test(line.bare) && line.bare.length <= MAX_REQUEST_CHARS && ABOVE.test(line.bare))
    return "original";
  const dashes = DASHES.exec(line.bare)?.[0] ?? "";
  if (dashes === "" && !/[:：]$/.test(line.bare)) return null;
  const words = line.bare.slice(dashes.length);
  const begins = (phrase: string): boolean =>
    words.startsWith(phrase) && isEnd(words.slice(phrase.length), dashes);
  const first = words.charAt(0);
  if (FORWARD.get(first)?.some(begins)) return "forward";
  return dashes !== "" && ORIGINAL.get(first)?.some(begins) ? "original" : null;
}

// Phones continue with the header after the dashes: "---- Original message ----From: …". Lotus names who
// forwarded it.
function isEnd(rest: string, dashes: string): boolean {
  if (dashes === "") return /^ ?[:：]$/.test(rest);
  return (
    /^ ?[-_=#—–]{2}/.test(rest) || /^ .{0,120}[^-]-{2,}$/.test(rest) || (rest === "" && dashes.length > 3)
  );
}

/** The phrases of a table by their first letter. */
function phrases(table: readonly MarkerWords[]): ReadonlyMap<string, readonly string[]> {
  return Map.groupBy(
    table.flatMap((row) => row.words.map(bareOf)),
    (phrase) => phrase.charAt(0),
  );
}
