/** The start and end of a run of letters and digits. */
export type Run = readonly [start: number, end: number];

const IN_RUN = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9+/_-]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/**
 * Finds the first runs of at least `least` characters of Base64 or hexadecimal in a text, at most `most`. Examines only
 * every `least`-th character, and the surroundings of those that may be in a run, since no run fits between them.
 * Linear.
 */
export function longRuns(text: string, least: number, most: number): Run[] {
  const runs: Run[] = [];
  const isIn = (at: number): boolean => IN_RUN[text.charCodeAt(at)] === 1;
  let from = 0;
  while (from + least <= text.length && runs.length < most) {
    // The last character that a run beginning at `from` must have.
    const probe = from + least - 1;
    let start = probe + 1;
    while (start > from && isIn(start - 1)) start -= 1;
    if (start > from) {
      from = start;
      continue;
    }
    let end = probe + 1;
    while (end < text.length && isIn(end)) end += 1;
    runs.push([start, end]);
    from = end + 1;
  }
  return runs;
}
