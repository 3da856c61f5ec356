import { routes } from "@letterslot/client/routes";
import { operationNamed } from "@letterslot/core/internal";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { plainSchema } from "../schemas.ts";
import { flaglessPattern, patternsOf } from "./patterns.ts";

describe("a pattern without flags", () => {
  test.each<[RegExp, string]>([
    [/^[a-z]+$/, "^[a-z]+$"],
    [/^\p{L}+$/u, "^\\p{L}+$"],
    [/^x-[a-z0-9-]{1,70}$/i, "^[Xx]-[a-z0-9A-Z-]{1,70}$"],
    [/^[^a-z]$/i, "^[^a-zA-Z]$"],
    [/^AC[0-9a-f]{32}$/i, "^[Aa][Cc][0-9a-fA-F]{32}$"],
    [/^[A-Za-z]+$/i, "^[A-Za-z]+$"],
    [/^[aX-Z]$/i, "^[aX-ZAx-z]$"],
    [/^[Z-a]$/i, "^[Z-aAz]$"],
    [/^[\w.-]+@[a\]]$/i, "^[\\w.-]+@[a\\]A]$"],
    [/^[!-/]$/i, "^[!-/]$"],
    [/^[\]-c]$/i, "^[\\]-cA-C]$"],
    [/^(?:on|off)$/i, "^(?:[Oo][Nn]|[Oo][Ff][Ff])$"],
    [/^(?<word>a)(?=b)(?!c)(?<=b)(?<!d)$/i, "^(?<word>[Aa])(?=[Bb])(?![Cc])(?<=[Bb])(?<![Dd])$"],
    [/^\d\.\t[^\s<>]$/i, "^\\d\\.\\t[^\\s<>]$"],
  ])("%s is %s", (expression, pattern) => {
    expect(flaglessPattern(expression)).toBe(pattern);
    expect(() => new RegExp(pattern, "u")).not.toThrow();
  });

  test.each([
    ["another flag", /^a.b$/s],
    ["lines", /^a$/m],
    ["case in Unicode", /^k$/iu],
    ["a letter beyond ASCII", /^é$/i],
    ["one in a class", /^[à-é]$/i],
    ["a character by its code", /^\x61$/i],
    ["one in a class by its code", /^[\x61]$/i],
    ["a range that ends in an escape", /^[\t-a]$/i],
    ["a back reference", /^(a)\1$/i],
    ["a named back reference", /^(?<a>a)\k<a>$/i],
    ["a group with flags of its own", new RegExp("^(?-i:a)$", "i")],
  ])("can't be had of %s", (_, expression) => {
    expect(() => flaglessPattern(expression)).toThrow(/has no form without flags/);
  });

  const inClass = fc.oneof(
    fc.constantFrom("a-z", "A-F", "x", "Q", "0-9", "_", "\\-", "\\]", "@-b", "\\w", "Y-a"),
    fc.constantFrom("k", "S", "\\d"),
  );
  const part = fc.oneof(
    fc.constantFrom("a", "Z", "-", "\\.", "\\d", "(?:b|C)", "x?", "[^m-p]", "\\w"),
    fc.array(inClass, { minLength: 1, maxLength: 4 }).map((entries) => `[${entries.join("")}]`),
  );
  test("matches what the expression matches, whatever it is made of", () => {
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 4 }),
        fc.array(fc.string({ unit: "grapheme-ascii", maxLength: 4 }), { minLength: 20, maxLength: 40 }),
        (parts, texts) => {
          const expression = new RegExp(parts.join(""), "i");
          const flagless = new RegExp(flaglessPattern(expression), "u");
          for (const text of texts)
            expect([text, flagless.test(text)]).toEqual([text, expression.test(text)]);
        },
      ),
    );
  });
});

describe("the schemas", () => {
  test("have the pattern of an expression that ignores case, alone or beside another", () => {
    const Word = z.string().regex(/^x/i);
    expect(plainSchema(z.object({ word: Word }), "input").properties?.["word"]).toMatchObject({
      pattern: "^[Xx]",
    });
    expect(plainSchema(Word.regex(/y$/i), "input")).toMatchObject({
      allOf: [{ pattern: "^[Xx]" }, { pattern: "[Yy]$" }],
    });
    expect(plainSchema(z.record(Word, z.string()), "input")).toMatchObject({
      propertyNames: { pattern: "^[Xx]" },
    });
  });

  const expressions = Object.keys(routes).flatMap((name) => {
    const { input, output } = operationNamed(name);
    return [...expressionsIn(input), ...expressionsIn(output)].map(
      (expression) => [name, expression] as const,
    );
  });

  test("of no operation lose a flag", () => {
    expect(expressions.filter(([, { flags }]) => flags.includes("i")).length).toBeGreaterThan(2);
    for (const [name, expression] of expressions) {
      const { input, output } = operationNamed(name);
      const schemas = JSON.stringify([plainSchema(input, "input"), plainSchema(output, "output")]);
      expect([name, schemas]).toEqual([
        name,
        expect.stringContaining(JSON.stringify(flaglessPattern(expression))),
      ]);
    }
  });
});

/** The expressions that a schema and all within it check texts by, but for those of dates and times. */
function expressionsIn(schema: unknown, seen = new Set<unknown>()): RegExp[] {
  if (typeof schema !== "object" || schema === null || seen.has(schema)) return [];
  seen.add(schema);
  if (!("_zod" in schema)) return Object.values(schema).flatMap((each) => expressionsIn(each, seen));
  const type = schema as z.core.$ZodType;
  const own = patternsOf(type).filter(({ source }) => !source.includes("02-29"));
  return [...own, ...Object.values(type["_zod"].def).flatMap((each) => expressionsIn(each, seen))];
}
