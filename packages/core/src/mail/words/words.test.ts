import { globSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { LANGUAGES, lexiconOf } from "./index.ts";

const Words = z.array(
  z
    .string()
    .regex(/^\S(?:.*\S)?$/u)
    .refine((text) => text === text.toLowerCase(), "is in lower case"),
);
const covers = z.string().optional();
const Pattern = z
  .string()
  .refine((source) => new RegExp(source, "iu").source !== "", "is a regular expression");
const names = (count: number) =>
  z.string().refine((text) => text === "" || text.split(" ").length === count, `has ${count} entries`);
/** A meaning without words has some in other languages only. */
const Meanings = z.record(z.string().regex(/^[a-z_]+$/), z.string().regex(/^(?:\S+(?: \S+)*)?$/u));

const File = z.strictObject({
  answers: z.strictObject({ yes: Words, no: Words, but: Words }).optional(),
  approvals: z.strictObject({ approve: Words, reject: Words, courtesy: Words }).optional(),
  greetings: Words.optional(),
  unsubscribe: Words.optional(),
  dates: z
    .strictObject({
      months: names(12),
      weekdays: names(7),
      today: Words,
      tomorrow: Words,
      day_after_tomorrow: Words,
    })
    .optional(),
  vague_weeks: Words.optional(),
  calendar: z.strictObject({ months: z.string().min(1), days: z.string() }).optional(),
  numbers: z
    .strictObject({
      units: names(21).optional(),
      tens: names(8).optional(),
      others: z.record(z.string(), z.int().min(0)).optional(),
    })
    .optional(),
  codes: z
    .strictObject({
      covers,
      strong: Pattern,
      weak: z.string(),
      secret: Pattern.optional(),
      purpose: Pattern.optional(),
      spaced: z.boolean(),
      latin: z.boolean(),
      why: z.string().min(1),
    })
    .optional(),
  header_labels: z
    .strictObject({ from: Words, date: Words, to: Words, subject: Words, other: Words })
    .optional(),
  original_markers: Words.optional(),
  forward_markers: Words.optional(),
  reply_prefixes: Words.optional(),
  forward_prefixes: Words.optional(),
  automatic_subjects: Words.optional(),
  above_this_line: z.array(Pattern).optional(),
  answers_below: z.array(Pattern).optional(),
  reply_headers: z.strictObject({ leads: Words, verbs: Words, days: Words.optional() }).optional(),
  prose_subjects: Words.optional(),
  devices: z.strictObject({ covers, leads: Words, tails: Words }).optional(),
  closings: Words.optional(),
  unknown_users: z.strictObject({ covers, who: Pattern, missing: Pattern }).optional(),
  commands: z.strictObject({ covers, words: Meanings }).optional(),
  requests: z.strictObject({ covers, words: Meanings }).optional(),
  steering: Meanings.optional(),
  pressure: z.strictObject({ covers, words: Meanings }).optional(),
  function_words: z
    .string()
    .regex(/^\S+(?: \S+)+$/u)
    .optional(),
});

describe("the words of a language", () => {
  test.each(Object.entries(LANGUAGES))("%s are complete and well written", (_, words) => {
    expect(File.safeParse(words).error?.issues).toBeUndefined();
    expect(Object.keys(words)).not.toEqual([]);
  });

  test("are in its file, and every file is read", () => {
    const files = globSync("*.json", { cwd: import.meta.dirname }).map((name) => name.replace(".json", ""));
    expect(Object.keys(LANGUAGES).toSorted()).toEqual(files.toSorted());
  });
});

test.each(["commands", "requests", "pressure"] as const)(
  "every meaning of the %s stands in the English file, which is what rules can ask for",
  (kind) => {
    const meanings = Object.keys(LANGUAGES["en"]?.[kind]?.words ?? {});
    for (const { language, words } of lexiconOf(kind))
      expect(
        Object.keys(words).filter((meaning) => !meanings.includes(meaning)),
        language,
      ).toEqual([]);
  },
);
