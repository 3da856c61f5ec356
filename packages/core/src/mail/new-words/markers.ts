import { bareOf, type Line } from "./line.ts";
import { FORWARD_MARKERS, type MarkerWords, ORIGINAL_MARKERS } from "./marker-words.ts";

const ORIGINAL = phrases(ORIGINAL_MARKERS);
const FORWARD = phrases(FORWARD_MARKERS);
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

/** Which marker the line is: enclosed in dashes, or alone and ended by a colon. Null when it is neither. */
export function markerAt(line: Line): Marker | null {
  const dashes = DASHES.exec(line.bare)?.[0] ?? "";
  if (dashes === "" && !/[:：]$/.test(line.bare)) return null;
  const words = line.bare.slice(dashes.length);
  const begins = (phrase: string): boolean =>
    words.startsWith(phrase) && isEnd(words.slice(phrase.length), dashes);
  if (FORWARD.some(begins)) return "forward";
  return dashes !== "" && ORIGINAL.some(begins) ? "original" : null;
}

// Phones continue with the header after the dashes: "---- Original message ----From: …". Lotus names who
// forwarded it.
function isEnd(rest: string, dashes: string): boolean {
  if (dashes === "") return /^ ?[:：]$/.test(rest);
  return (
    /^ ?[-_=#—–]{2}/.test(rest) || /^ .{0,120}[^-]-{2,}$/.test(rest) || (rest === "" && dashes.length > 3)
  );
}

function phrases(table: readonly MarkerWords[]): string[] {
  return table.flatMap((row) => row.words.map(bareOf));
}
