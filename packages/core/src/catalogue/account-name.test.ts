import { expect, test } from "vitest";
import { accountName } from "./account-name.ts";

const [ada, bo, cy] = ["ada@mail.example", "bo@mail.example", "cy@mail.example"];

test.each<[string, readonly string[], number | undefined, string]>([
  ["no inbox", [], undefined, "an account without an inbox"],
  ["one", [ada], undefined, ada],
  ["two", [ada, bo], undefined, `${ada} and ${bo}`],
  ["three", [ada, bo, cy], undefined, `${ada}, ${bo} and 1 more`],
  ["the first of many", [ada, bo], 5, `${ada}, ${bo} and 3 more`],
  ["the only one that is known of several", [ada], 4, `${ada} and 3 more`],
])("an account with %s is named by it", (_, emails, total, name) => {
  expect(accountName(emails, total)).toBe(name);
});
