import { describe, expect, test } from "vitest";
import { parseQuery, QUERY_MAX_TERMS } from "./parse-query.ts";

const term = (words: string[], rest: object = {}) => ({ words, prefix: false, field: null, ...rest });

describe("a search query", () => {
  test.each([
    ["invoice march", [term(["invoice"]), term(["march"], { prefix: true })]],
    ['"quarterly report" draft', [term(["quarterly", "report"]), term(["draft"], { prefix: true })]],
    ['draft "quarterly report"', [term(["draft"]), term(["quarterly", "report"])]],
    ['"open to the end', [term(["open", "to", "the", "end"])]],
    ["from:ada", [term(["ada"], { field: "sender", prefix: true })]],
    ["FROM:ada@example.com x1", [term(["ada", "example", "com"], { field: "sender" }), term(["x1"])]],
    [
      'subject:"Café menu" to:bo',
      [term(["cafe", "menu"], { field: "subject" }), term(["bo"], { field: "recipients" })],
    ],
    ["ada@example.com", [term(["ada", "example", "com"], { prefix: true })]],
    ["東京都", [term(["東京", "京都"])]],
    ["茶 tea", [term(["茶"], { prefix: true }), term(["tea"], { prefix: true })]],
    ["메일", [term(["메일"], { prefix: true })]],
    ["plan b", [term(["plan"]), term(["b"])]],
    ["re: note:this", [term(["re"]), term(["note", "this"], { prefix: true })]],
    ['"has:fun" "from: bo"', [term(["has", "fun"]), term(["from", "bo"])]],
    ["http://example.com", [term(["http", "example", "com"], { prefix: true })]],
    ['-- "" ?', []],
    ["   ", []],
  ])("%j asks for %j", (q, terms) => {
    expect(parseQuery(q)).toEqual({
      terms,
      filters: { labels: [], has_attachment: false, before: null, after: null },
    });
  });

  test("filters are separated from the words", () => {
    expect(
      parseQuery(
        "tax label:Unread label:work has:attachment after:2026-01-01 before:2026-02-01T12:00:00+02:00",
      ),
    ).toEqual({
      terms: [term(["tax"])],
      filters: {
        labels: ["unread", "work"],
        has_attachment: true,
        after: "2026-01-01T00:00:00.000Z",
        before: "2026-02-01T10:00:00.000Z",
      },
    });
  });

  test("the narrower of two bounds applies", () => {
    const { filters } = parseQuery("before:2026-02-01 before:2026-01-01 after:2025-01-01 after:2025-02-01");
    expect(filters).toMatchObject({ before: "2026-01-01T00:00:00.000Z", after: "2025-02-01T00:00:00.000Z" });
  });

  test("has at most 32 words and phrases", () => {
    expect(parseQuery("ab ".repeat(QUERY_MAX_TERMS)).terms).toHaveLength(32);
    expect(() => parseQuery("ab ".repeat(QUERY_MAX_TERMS + 1))).toThrow(/more than 32 words/);
  });

  test.each([
    ...[
      "has:fun",
      "has:",
      "before:never",
      "before:2026-02-30",
      "after:yesterday",
      'after:""',
      "before: 2026-01-01",
    ],
    ...[
      "label:Not/OK",
      'label:"two words"',
      "label:",
      "from:",
      "from: ada",
      'to:""',
      "subject:--",
      "x FROM:",
    ],
  ])("%j has an operator that can't be used", (q) => {
    expect(() => parseQuery(`invoice ${q}`)).toThrow(
      expect.objectContaining({
        code: "invalid_query",
        param: "q",
        message: expect.stringContaining("can't use"),
      }),
    );
  });
});
