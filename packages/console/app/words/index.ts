import { en } from "./en.ts";

/** The words of the language in use. */
export const words = en;

const language = document.documentElement.lang;
const dates = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const datesWithYear = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });
const times = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" });
const daysAndTimes = new Intl.DateTimeFormat(undefined, {
  ...{ weekday: "short", day: "numeric", month: "short", year: "numeric" },
  ...{ hour: "numeric", minute: "2-digit" },
});
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "short" });
const numbers = new Intl.NumberFormat(language);
const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });

export const number = (value: number): string => numbers.format(value);

/** `20`, and `20+` where there are more than were counted. */
export const atLeast = (count: number, more: boolean): string => number(count) + (more ? "+" : "");

/** Why a mail made a task or none, as a person reads it: without the word for programs that it begins with. */
export function reasonIn(reason: string): string {
  const [, code = "", said = reason] = /^([a-z_]+): (.*)$/s.exec(reason) ?? [];
  const plain: Readonly<Record<string, string>> = words.mail.timeline.reasons;
  return plain[code] ?? said;
}

/** The same as a sentence of its own. */
export const asSentence = (reason: string): string => {
  const said = reasonIn(reason);
  return said.charAt(0).toUpperCase() + said.slice(1) + (/[.!?]$/.test(said) ? "" : ".");
};

/** `14:05` for today, `27 Nov` for this year, with the year for others: in the reader's own time. */
export function shortTime(iso: string, now = new Date()): string {
  const at = new Date(iso);
  if (at.toDateString() === now.toDateString()) return times.format(at);
  return (at.getFullYear() === now.getFullYear() ? dates : datesWithYear).format(at);
}

/** `Friday 27 November 2026 at 18:32`: in the reader's own time. */
export const longTime = (iso: string): string => whole.format(new Date(iso));

/** `Fri 27 Nov 2026, 18:32`: in the reader's own time. */
export const dayAndTime = (iso: string): string => daysAndTimes.format(new Date(iso));

const days = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });

/** `27 Nov`: a day that is counted in UTC. */
export const dateOf = (iso: string): string => (iso === "" ? "" : days.format(new Date(iso)));

const shares = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 });

/** `2.5%` of 0.025. */
export const percent = (share: number): string => shares.format(share);

/** `in 3 hours`, `2 days ago`. */
export function relativeTime(iso: string, now = Date.now()): string {
  const minutes = Math.round((new Date(iso).getTime() - now) / 60_000);
  if (Math.abs(minutes) < 60) return relative.format(minutes, "minute");
  const hours = Math.round(minutes / 60);
  return Math.abs(hours) < 36
    ? relative.format(hours, "hour")
    : relative.format(Math.round(hours / 24), "day");
}

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];

/** `40 bytes`, `12 kB`, `3.4 MB`. */
export function fileSize(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return new Intl.NumberFormat(language, {
    style: "unit",
    unit: UNITS[power] ?? "byte",
    // In short, many bytes are "40 byte".
    unitDisplay: power === 0 ? "long" : "short",
    maximumFractionDigits: power < 2 ? 0 : 1,
  }).format(bytes / 1000 ** power);
}
