const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const ZONES: Record<string, number> = {
  ut: 0,
  gmt: 0,
  utc: 0,
  z: 0,
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
};
const PATTERN =
  /(\d{1,2})[\s-]+([a-z]{3})[a-z]*[\s,.-]+(\d{2,4})[\s,]+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?\s*([+-]\d{4}|[a-z]{1,5})?/i;

/**
 * A Date header (RFC 5322 section 3.3, including obsolete forms) as ISO 8601 UTC with milliseconds; null when
 * unreadable.
 */
export function readMailDate(header: string): string | null {
  const start = header.slice(0, 200);
  const match = PATTERN.exec(start.includes("(") ? start.replace(/\([^)]*\)/g, " ") : start);
  if (match === null) return readIso(header);
  const [, day, month, year, hour, minute, second, zone] = match;
  const month_index = MONTHS.indexOf((month ?? "").toLowerCase());
  if (month_index < 0 || Number(day) < 1 || Number(day) > 31 || Number(hour) > 24 || Number(minute) > 59)
    return null;
  const time = Date.UTC(
    fullYear(year ?? ""),
    month_index,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second ?? 0),
  );
  return toIso(time - zoneMinutes(zone ?? "+0000") * 60_000);
}

function readIso(header: string): string | null {
  const match = /^\s*(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(?:\.\d+)?\s*(Z|[+-]\d{2}:?\d{2})?\s*$/i.exec(
    header.slice(0, 200),
  );
  return match === null ? null : toIso(Date.parse(`${match[1]}T${match[2]}${match[3] ?? "Z"}`));
}

function toIso(time: number): string | null {
  return Number.isNaN(time) || Math.abs(time) > 8.64e15 ? null : new Date(time).toISOString();
}

function fullYear(year: string): number {
  const value = Number(year);
  if (year.length === 4) return value;
  if (year.length === 3) return value + 1900;
  return value < 50 ? value + 2000 : value + 1900;
}

function zoneMinutes(zone: string): number {
  const match = /^([+-])(\d{2})(\d{2})$/.exec(zone);
  if (match === null) return (ZONES[zone.toLowerCase()] ?? 0) * 60;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return match[1] === "-" ? -minutes : minutes;
}
