import { expect, test } from "vitest";
import { sixDigitsIn } from "./codes.ts";

const mail = {
  subject: "111111",
  text: "222 222, 111-111 and 1234567, 3.141592, 12345",
  html: "<b>333&nbsp;333</b>",
  extraction: { extracted_text: "444444, 222222, 555555" },
};

test("six digits that stand alone are found in the subject and all bodies, each once", () => {
  expect(sixDigitsIn(mail, 100)).toEqual(["111111", "222222", "333333", "444444", "555555"]);
});

test.each([1, 2, 4])("only the first %i are looked for, where that is all that is asked", (limit) => {
  const all = ["111111", "222222", "333333", "444444", "555555"];
  expect(sixDigitsIn(mail, limit)).toEqual(all.slice(0, limit));
});
