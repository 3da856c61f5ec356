import { describe, expect, test } from "vitest";
import { inEachLanguage } from "../packages/core/src/mail/words/index.ts";
import { DATE_LANGUAGES, dateWordsOf } from "./date-words.ts";

const CALENDARS = inEachLanguage("calendar").map(({ language, words }) => ({ language, ...words }));

describe("the months and weekdays in the files of words", () => {
  test("are of all languages whose dates are read", () => {
    expect(CALENDARS.map(({ language }) => language).toSorted()).toEqual(DATE_LANGUAGES.toSorted());
    expect(DATE_LANGUAGES.length).toBeGreaterThanOrEqual(40);
  });

  test.each(CALENDARS)("of $language are those of Node's ICU", ({ language, months, days }) => {
    const words = dateWordsOf(language);
    expect({ months, days }).toEqual({ months: words.months.join(" "), days: words.days.join(" ") });
    expect(words.months.length).toBeGreaterThanOrEqual(12);
  });
});
