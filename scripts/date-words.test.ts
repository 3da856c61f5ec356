import { describe, expect, test } from "vitest";
import { DATE_WORDS } from "../packages/core/src/mail/new-words/date-words.ts";
import { DATE_LANGUAGES, dateWordsOf } from "./date-words.ts";

describe("the months and weekdays in date-words.ts", () => {
  test("are of all languages whose dates are read", () => {
    expect(DATE_WORDS.map(({ language }) => language)).toEqual(DATE_LANGUAGES);
    expect(DATE_LANGUAGES.length).toBeGreaterThanOrEqual(40);
  });

  test.each(DATE_WORDS)("of $language are those of Node's ICU", ({ language, months, days }) => {
    const words = dateWordsOf(language);
    expect({ months, days }).toEqual({ months: words.months.join(" "), days: words.days.join(" ") });
    expect(words.months.length).toBeGreaterThanOrEqual(12);
  });
});
