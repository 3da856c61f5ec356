import { describe, expect, test } from "vitest";
import { readQuestionNumber } from "./read-question-number.ts";

describe("a reply to several questions, numbered 1 to 3,", () => {
  test.each([
    ["2 yes", 2, "yes"],
    ["2. yes", 2, "yes"],
    ["2) yes", 2, "yes"],
    ["#2: yes", 2, "yes"],
    ["No. 2 - yes", 2, "yes"],
    ["Question 3, no", 3, "no"],
    ["Nr. 3 nein", 3, "nein"],
    ["2\nyes, please\nGrace", 2, "yes, please\nGrace"],
    ["Hi Ada,\n\n1 – twelve", 1, "twelve"],
    ["３：はい", 3, "はい"],
    ["٢ نعم", 2, "نعم"],
    ["1 12", 1, "12"],
    ["2", 2, ""],
    ["2 2026-03-01", 2, "2026-03-01"],
  ])("%j answers the one with its number", (text, number, words) => {
    expect(readQuestionNumber(text, [1, 2, 3])).toEqual({ number, words });
  });

  test.each([
    ["yes"],
    ["4 yes"],
    ["12 people"],
    ["2.5"],
    ["1,000"],
    ["3:30 is fine"],
    ["Book room 2"],
    ["two yes"],
    ["1 yes\n2 no"],
    [""],
  ])("%j names none of them", (text) => {
    expect(readQuestionNumber(text, [1, 2, 3])).toBeUndefined();
  });
});
