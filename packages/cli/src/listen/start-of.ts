/** Milliseconds of each unit of a duration such as `15m`. */
const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/**
 * The position where reading starts, in the terms of the event feed: a time, a cursor, or the oldest event that is
 * kept.
 */
export type FeedStart = { after: string } | "oldest" | "now";

/**
 * Reads `--since` and `--replay`: a duration back from now (`90s`, `15m`, `2h`, `7d`), a time (ISO 8601; without an
 * offset it is UTC), an event's sequence, `oldest` or `now`. Undefined when it is none of them.
 */
export function readStart(text: string, now: Date): FeedStart | undefined {
  const word = text.trim();
  if (word === "oldest" || word === "now") return word;
  if (/^\d{1,15}$/.test(word)) return { after: word };
  const [, count = "", unit = ""] = /^(\d{1,6})([smhd])$/.exec(word) ?? [];
  if (unit !== "") {
    const back_ms = Number(count) * UNITS[unit as keyof typeof UNITS];
    return { after: new Date(now.getTime() - back_ms).toISOString() };
  }
  if (!/^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?$/.test(word)) return undefined;
  const offset = /T.*(?:Z|[+-]\d{2}:\d{2})$/.test(word) ? "" : word.includes("T") ? "Z" : "T00:00:00Z";
  const time = new Date(`${word}${offset}`);
  return Number.isNaN(time.getTime()) ? undefined : { after: time.toISOString() };
}
