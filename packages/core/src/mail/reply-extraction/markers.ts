import { inAllLanguages } from "../words/index.ts";
import { bareOf, type Line } from "./line.ts";

const ORIGINAL = phrases(inAllLanguages("original_markers"));
const FORWARD = phrases(inAllLanguages("forward_markers"));
const ABOVE = new RegExp(inAllLanguages("above_this_line").join("|"), "u");
const MAX_REQUEST_CHARS = 120;
/** The signs of which clients make a rule: besides dashes of all lengths, what is drawn as a line. */
export const RULE_SIGNS = "-_=#~+‐‑‒–—―−─━═";
const RULED = new RegExp(`^[${RULE_SIGNS}]`);
const DASHES = new RegExp(`^[${RULE_SIGNS}]{2,} ?`);
const RULED_BEHIND = new RegExp(`^ ?[${RULE_SIGNS}]{2}`);
const ENDS_RULED = new RegExp(`[${RULE_SIGNS}]{2,}$`);

/** The kind of a marker, which introduces answered or forwarded mail. */
export type Marker = "original" | "forward";

/** Returns the marker that starts at `at`: in one line or, if it was broken in transit, in two. Null when none does. */
export function markerFrom(lines: readonly Line[], at: number): Marker | null {
  const [line, next] = [lines[at], lines[at + 1]];
  if (line === undefined || !mayMark(line)) return null;
  const marker = markerAt(line);
  if (marker !== null || next === undefined || !DASHES.test(line.bare) || !ENDS_RULED.test(next.bare))
    return marker;
  return markerAt({ ...line, bare: `${line.bare} ${next.bare}` });
}

/** Whether a line begins or ends like a marker; hardly any line does. */
const mayMark = ({ bare }: Line): boolean =>
  RULE_SIGNS.includes(bare.charAt(0)) ? bare !== "" : bare.endsWith(":") || bare.endsWith("：");

/**
 * Returns the kind of marker that a line is: enclosed in dashes, or alone and ended by a colon, or a rule with the
 * request to write above it. Null when it is none.
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
  return RULED_BEHIND.test(rest) || /^ .{0,120}[^-]-{2,}$/.test(rest) || (rest === "" && dashes.length > 3);
}

/** Phrases by their first letter. */
function phrases(all: readonly string[]): ReadonlyMap<string, readonly string[]> {
  return Map.groupBy(all.map(bareOf), (phrase) => phrase.charAt(0));
}
