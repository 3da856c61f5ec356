import fc from "fast-check";
import { addressParser } from "postal-mime";
import { expect, test } from "vitest";
import { readAddresses } from "./addresses.ts";

const words = (signs: string[]) =>
  fc.array(fc.constantFrom("Ada", "M.", "O'Hara", "é", "-", "&", "😀", "x y", ...signs), {
    minLength: 1,
    maxLength: 4,
  });
const address = fc
  .tuple(
    fc.constantFrom("ada", "Ada.Moss", "a+b", "_x-", "..", "a".repeat(65)),
    fc.constantFrom("a.example", "A.EXAMPLE", "x--y.example", "a..b", "localhost", "1", "-a", "a."),
  )
  .map(([local, domain]) => `${local}@${domain}`);
const entry = fc.oneof(
  address,
  address.map((each) => `<${each}>`),
  fc.tuple(words([]), address).map(([name, each]) => `${name.join(" ")} <${each}>`),
  fc
    .tuple(words(["Moss,", "x:", ";", ")", "'"]), address)
    .map(([name, each]) => `"${name.join(" ")}" <${each}>`),
);

test("addresses in plain forms are read as the library reads them", () => {
  const lists = fc.tuple(fc.array(entry, { minLength: 1, maxLength: 4 }), fc.constantFrom(", ", ",", " ,"));
  fc.assert(
    fc.property(lists, ([entries, comma]) => {
      const value = entries.join(comma);
      const expected = addressParser(value, { flatten: true }).map(({ address: read = "", name }) => {
        const [local = "", domain = ""] = read.split("@");
        return { address: `${local}@${domain.toLowerCase().replace(/\.$/, "")}`, name };
      });
      expect(readAddresses(value)).toEqual(expected);
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  ["a name that is too long", `${"a".repeat(501)} <ada@a.example>`, [["ada@a.example", "a".repeat(500)]]],
  ["a comma at the end", "ada@a.example,", [["ada@a.example", ""]]],
  ["a comma and a blank at the end", "ada@a.example, ", [["ada@a.example", ""]]],
  ["an open bracket", "Ada <ada@a.example", [["ada@a.example", "Ada"]]],
  ["nothing", "", []],
])("%s is left to the library", (_, value, expected) => {
  expect(readAddresses(value).map(({ address: read, name }) => [read, name])).toEqual(expected);
});

test.each([
  ["unlisted-recipients:; (no To-header on input)", []],
  ["(nobody)", []],
  ["(Everyone (at all)), (others)", []],
  ["Members: (all of them);", []],
  ["<(none)>", []],
  ["(one), ada@a.example (Ada), (two)", [["ada@a.example", "Ada"]]],
  ["(Ada) ada@a.example", [["ada@a.example", "Ada"]]],
  ["Ada (Moss) <ada@a.example>", [["ada@a.example", "Ada"]]],
  ["Ada (Moss)", [["", "Ada"]]],
  ['"" (Moss)', [["", "Moss"]]],
  [
    "Members (old): Ada, bo@a.example;",
    [
      ["", "Ada"],
      ["bo@a.example", ""],
    ],
  ],
])("a comment or the name of a group is no entry: %s", (value, expected) => {
  expect(readAddresses(value).map(({ address: read, name }) => [read, name])).toEqual(expected);
});
