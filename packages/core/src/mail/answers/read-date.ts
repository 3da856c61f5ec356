import { inAllLanguages, inEachLanguage, type LanguageWords } from "../words/index.ts";
import { holdsPhrase, plainWords, withoutGreeting } from "./answer-text.ts";
import { isDay } from "./fits.ts";

type DateWords = NonNullable<LanguageWords["dates"]>;

const DATE_WORDS = inEachLanguage("dates").map(({ words }) => words);
/** Words that shift a weekday by a week for some people but not for others: they make a weekday ambiguous. */
const VAGUE_WEEKS = inAllLanguages("vague_weeks");

const DAY_MS = 24 * 3600_000;

/**
 * Reads the only day in an answer as YYYY-MM-DD, relative to the day it arrived (UTC). A day without a year
 * is its next occurrence. Null when there is no day or several, or when it is ambiguous, such as 3/4 or "next
 * Monday".
 */
export function readDate(text: string, today: Date): string | null {
  const said = withoutGreeting(text)
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll("’", "'")
    .replace(/\p{Nd}/gu, asciiDigit);
  const written = [
    ...isoDays(said),
    ...hanDays(said, today),
    ...namedMonths(said, today),
    ...numberedDays(said, today),
  ];
  const days = new Set(written.length > 0 ? written : spokenDays(plainWords(said), today));
  const [only = null] = days;
  return days.size === 1 ? only : null;
}

function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  for (const zero of [0x30, 0x660, 0x6f0, 0x966])
    if (code >= zero && code <= zero + 9) return String(code - zero);
  return digit;
}

const isoOf = (year: number, month: number, day: number): string | null =>
  isDay(year, month, day)
    ? `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`
    : null;

/** A day in the given year, or its next occurrence. */
function dayIn(year: string | undefined, month: number, day: number, today: Date): string | null {
  if (year !== undefined) return isoOf(year.length === 2 ? 2000 + Number(year) : Number(year), month, day);
  const now = today.toISOString().slice(0, 10);
  const [here, next] = [0, 1].map((later) => isoOf(today.getUTCFullYear() + later, month, day));
  return here != null && here >= now ? here : (next ?? null);
}

function isoDays(said: string): (string | null)[] {
  return [...said.matchAll(/(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)/g)].map(([, year, month, day]) =>
    isoOf(Number(year), Number(month), Number(day)),
  );
}

/** 2026年12月24日, 12月24日, 2026년 12월 24일. */
function hanDays(said: string, today: Date): (string | null)[] {
  return [...said.matchAll(/(?:(\d{4})\s?[年년]\s?)?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日号號일]/gu)].map(
    ([, year, month, day]) => dayIn(year, Number(month), Number(day), today),
  );
}

/** 24.12.2026 and 24.12. put the day first; with slashes, 24/12 has one reading and 3/4 has two. */
function numberedDays(said: string, today: Date): (string | null)[] {
  const dotted = [...said.matchAll(/(?<![\d.])(\d{1,2})\.\s?(\d{1,2})\.(?:\s?(\d{4}|\d{2}))?(?![\d])/g)].map(
    ([, day, month, year]) => dayIn(year, Number(month), Number(day), today),
  );
  const slashed = [...said.matchAll(/(?<![\d/])(\d{1,2})[/-](\d{1,2})(?:[/-](\d{4}|\d{2}))?(?![\d/-])/g)].map(
    ([, one, other, year]) => {
      const readings = [
        dayIn(year, Number(one), Number(other), today),
        dayIn(year, Number(other), Number(one), today),
      ];
      const possible = new Set(readings.filter((reading) => reading !== null));
      return possible.size === 1 ? ([...possible][0] ?? null) : null;
    },
  );
  return [...dotted, ...slashed];
}

const listOf = (names: string): string[][] =>
  names === "" ? [] : names.split(" ").map((forms) => forms.split("|"));

const MONTHS = new Map(
  DATE_WORDS.flatMap((words) =>
    listOf(words.months).flatMap((forms, index) => forms.map((form) => [form, index + 1] as const)),
  ),
);
const MONTH_NAMES = [...MONTHS.keys()].toSorted((a, b) => b.length - a.length).join("|");
const DAY_FIRST = new RegExp(
  `(?<!\\d)(\\d{1,2})(?:st|nd|rd|th|er|º|\\.)?\\s+(?:de\\s+|of\\s+|d')?(${MONTH_NAMES})(?!\\p{L})\\.?,?(?:\\s+(?:de\\s+|del\\s+)?(\\d{4}))?`,
  "gu",
);
const MONTH_FIRST = new RegExp(
  `(?<!\\p{L})(${MONTH_NAMES})\\.?\\s+(\\d{1,2})(?:st|nd|rd|th)?(?!\\d)(?:,?\\s+(\\d{4}))?`,
  "gu",
);

/** 24 December, 24. Dezember 2026, 24 de diciembre, December 24th. */
function namedMonths(said: string, today: Date): (string | null)[] {
  const first = [...said.matchAll(DAY_FIRST)].map(([, day, month = "", year]) =>
    dayIn(year, MONTHS.get(month) ?? 0, Number(day), today),
  );
  if (first.length > 0) return first;
  return [...said.matchAll(MONTH_FIRST)].map(([, month = "", day, year]) =>
    dayIn(year, MONTHS.get(month) ?? 0, Number(day), today),
  );
}

/** Today, tomorrow, or the next occurrence of a weekday. */
function spokenDays(words: readonly string[], today: Date): string[] {
  const ahead = (days: number) => new Date(today.getTime() + days * DAY_MS).toISOString().slice(0, 10);
  const has = (phrases: readonly string[]) => phrases.some((phrase) => holdsPhrase(words, phrase));
  const any = (kind: "today" | "tomorrow" | "day_after_tomorrow") =>
    DATE_WORDS.some((language) => has(language[kind]));
  if (any("day_after_tomorrow")) return [ahead(2)];
  const near = [
    ...(any("today") ? [ahead(0)] : []),
    ...(any("tomorrow") && !saysMorning(words) ? [ahead(1)] : []),
  ];
  const named = DATE_WORDS.flatMap((language) => weekdaysIn(words, language)).map((weekday) =>
    ahead(daysUntil(weekday, today)),
  );
  if (named.length > 0 && VAGUE_WEEKS.some((word) => holdsPhrase(words, word))) return [];
  return [...near, ...named];
}

/** "guten Morgen" and "Montag Morgen" are mornings. */
const saysMorning = (words: readonly string[]): boolean =>
  words.some(
    (word, at) =>
      word === "morgen" && (/^guten$/.test(words[at - 1] ?? "") || /tag$|woch$/.test(words[at - 1] ?? "")),
  );

function weekdaysIn(words: readonly string[], { weekdays }: DateWords): number[] {
  return listOf(weekdays).flatMap((forms, index) =>
    forms.some((form) => holdsPhrase(words, form)) ? [index] : [],
  );
}

/** Days until the next such weekday (Monday is 0); today's weekday means a week from now. */
function daysUntil(weekday: number, today: Date): number {
  const now = (today.getUTCDay() + 6) % 7;
  return ((weekday - now + 6) % 7) + 1;
}
