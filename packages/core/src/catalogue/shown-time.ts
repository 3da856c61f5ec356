const DAY_AND_TIME = new Intl.DateTimeFormat("en-GB", {
  timeZone: "UTC",
  ...{ weekday: "long", day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit" },
});

const partsOf = (time: string): Partial<Record<Intl.DateTimeFormatPartTypes, string>> =>
  Object.fromEntries(DAY_AND_TIME.formatToParts(new Date(time)).map(({ type, value }) => [type, value]));

/** An ISO time that is near, to the minute: "Friday 27 November, 18:32 UTC". */
export function shownTime(time: string): string {
  const { weekday, day, month, hour, minute } = partsOf(time);
  return `${weekday} ${day} ${month}, ${hour}:${minute} UTC`;
}

/** An ISO time that may be long ago or far ahead: "Friday 27 November 2026, 18:32 UTC". */
export function shownTimeWithYear(time: string): string {
  const { weekday, day, month, year, hour, minute } = partsOf(time);
  return `${weekday} ${day} ${month} ${year}, ${hour}:${minute} UTC`;
}
