import { describe, expect, test } from "vitest";
import { MAX_HTML_ELEMENTS } from "../reply-extraction/limits.ts";
import { readTags } from "./tag-reader.ts";

/** What is told of a source, in its order. */
function told(source: string): unknown[] {
  const all: unknown[] = [];
  const rest = readTags(source, {
    unshown: new Set(["script", "style", "svg"]),
    text: (words) => all.push(words),
    open: ({ name, attributes, repeats, source: tag }) =>
      all.push([name, Object.fromEntries(attributes), repeats, tag]),
    close: (name) => all.push(`/${name}`),
    doctype: (declaration) => all.push({ doctype: declaration }),
  });
  return rest === "" ? all : [...all, { rest }];
}

describe("an attribute", () => {
  test.each<[what: string, tag: string, attributes: Record<string, string>, repeats: boolean]>([
    ["alone", "<a b=1>", { b: "1" }, false],
    ["of another name", "<a b=1 c=2>", { b: "1", c: "2" }, false],
    ["given twice", "<a b=1 b=2>", { b: "1" }, true],
    ["given twice, in capitals", "<a B=1 b=2>", { b: "1" }, true],
    ["given twice, first without a value", "<a b b=2>", { b: "" }, true],
    ["given twice, first with an empty one", '<a b="" b=2>', { b: "" }, true],
    ["given three times among others", "<a b=1 c=2 b=3 c=4 b=5>", { b: "1", c: "2" }, true],
    ["behind a slash", "<a/b=1/>", { b: "1/" }, false],
    [
      "named like what objects have",
      "<a constructor=1 toString=2>",
      { constructor: "1", tostring: "2" },
      false,
    ],
    ["with references", '<a b="&lt;&#x22;&amp;amp;&quot">', { b: '<"&amp;"' }, false],
  ])("%s", (_what, tag, attributes, repeats) => {
    expect(told(tag)).toEqual([["a", attributes, repeats, tag]]);
  });

  test("of a tag isn't the next one's", () => {
    expect(told("<a b=1 b=2><a>")).toEqual([
      ["a", { b: "1" }, true, "<a b=1 b=2>"],
      ["a", {}, false, "<a>"],
    ]);
  });
});

describe("what is told", () => {
  test.each<[what: string, source: string, all: unknown[]]>([
    ["words as they stand", "a &amp;&NotEqualTilde;b < c", ["a &amp;&NotEqualTilde;b < c"]],
    ["elements in lower case", "<B>a</B>", [["b", {}, false, "<B>"], "a", "/b"]],
    ["nothing of what isn't shown", "a<script>b<i>c</script>d<style>e</style>f", ["a", "d", "f"]],
    ["nothing of what isn't shown within it", "<svg><b>a</b><style><i></style></svg>b", ["b"]],
    ["what follows one that closes itself", "<svg/>a", ["a"]],
    ["words around a comment", "a<!-- b -->c", ["a", "c"]],
    ["a declaration of HTML", "<!DOCTYPE html>a", [{ doctype: "<!DOCTYPE html>" }, "a"]],
    ["no other declaration", "<!ELEMENT a><?b?>c", ["c"]],
    ["no half tag", "a<b c=", ["a"]],
  ])("%s", (_what, source, all) => expect(told(source)).toEqual(all));

  test("after the most elements is words alone, without a tag", () => {
    const all = told(`${"<b>".repeat(MAX_HTML_ELEMENTS)}a<i>c</i><script>d</script>&lt;<`);
    expect(all).toHaveLength(MAX_HTML_ELEMENTS + 2);
    expect(all.slice(-2)).toEqual(["a", { rest: "cd&lt;&lt;" }]);
  });
});
