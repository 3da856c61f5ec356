import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "./run-command.ts";

const HELP = `Writes the months and weekdays of many languages, as Node's own ICU (CLDR) has them, into the files of
packages/core/src/mail/words. A test keeps files and ICU together.

Usage: node scripts/date-words.ts`;

/** The languages whose dates are read, besides those that write months as numbers (zh, ja, ko, vi). */
export const DATE_LANGUAGES = (
  "af ar az be bg bn ca cs cy da de el en es et eu fa fi fil fr ga gl gu he hi hr hu hy id is it ka kk kn lt lv " +
  "mk ml mr ms ne nl no pa pl pt ro ru sk sl sq sr sv sw ta te th tr uk ur am km ky lo my si uz zu"
).split(" ");

/** Short names of weekdays with fewer letters are other words too, such as "so" and "to". */
const MIN_LETTERS = 3;

/** The names of one language: months alone and in a date, long and short; weekdays. In lower case, each once. */
export function dateWordsOf(language: string): { months: string[]; days: string[] } {
  const months: string[] = [];
  const days: string[] = [];
  for (const style of ["long", "short"] as const) {
    for (let month = 0; month < 12; month += 1) {
      const date = new Date(Date.UTC(2026, month, 15));
      for (const form of [{ month: style }, { month: style, day: "numeric" }] as const)
        months.push(partOf(language, form, date, "month"));
    }
    for (let day = 1; day < 8; day += 1) {
      const date = new Date(Date.UTC(2026, 1, day));
      days.push(partOf(language, { weekday: style }, date, "weekday"));
    }
  }
  return { months: named(months, 2), days: named(days, MIN_LETTERS) };
}

function partOf(
  language: string,
  options: Intl.DateTimeFormatOptions,
  date: Date,
  type: "month" | "weekday",
): string {
  const parts = new Intl.DateTimeFormat(language, {
    ...options,
    timeZone: "UTC",
    calendar: "gregory",
  }).formatToParts(date);
  return parts.find((part) => part.type === type)?.value ?? "";
}

/** Names of one word, without the dot of an abbreviation. */
const named = (names: readonly string[], min_letters: number): string[] => [
  ...new Set(
    names
      .map((name) =>
        name
          .toLowerCase()
          .replace(/i\u0307/g, "i")
          .replace(/\.$/, ""),
      )
      .filter((name) => /^\p{L}[\p{L}\p{M}\u200c\u200d]*$/u.test(name) && name.length >= min_letters),
  ),
];

const FOLDER = fileURLToPath(new URL("../packages/core/src/mail/words/", import.meta.url));

if (import.meta.main) {
  if (process.argv.length > 2) {
    console.log(HELP);
  } else {
    for (const language of DATE_LANGUAGES) {
      const { months, days } = dateWordsOf(language);
      const file = join(FOLDER, `${language}.json`);
      const words: Record<string, unknown> = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
      words["calendar"] = { months: months.join(" "), days: days.join(" ") };
      writeFileSync(file, JSON.stringify(words));
    }
    await run("biome", ["check", "--write", FOLDER]);
  }
}
