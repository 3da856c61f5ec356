import { describe, expect, test } from "vitest";
import { safeHtml } from "../rendered-html/safe-html.ts";
import { htmlToText } from "./extract.ts";
import { restOf } from "./html-rest.ts";
import { MAX_HTML_ELEMENTS } from "./limits.ts";

describe("HTML that isn't read as such", () => {
  test.each([
    ["a text stays", "one & two", "one & two"],
    ["references stay", "a&amp;b&lt;c", "a&amp;b&lt;c"],
    ["a tag goes", "a<b>c</b>d", "acd"],
    ["a tag that ends a line is a space", "a<p>b</TD\n>c<br/>d", "a b c d"],
    ["a name that only begins like one is no space", "a<person>b<brx>c", "abc"],
    ["attributes go, whatever they hold", `a<i title="x>y" alt = '<p>'>b`, "ab"],
    ["a quotation mark that belongs to no attribute opens nothing", `a<i ">b"`, 'ab"'],
    ["comments go", "a<!-- <p> -->b<!---->c", "abc"],
    ["declarations go", "<!doctype html><?xml ?>a", "a"],
    ["a bracket that is no tag is a reference", "a < b <3 <<i>c", "a &lt; b &lt;3 &lt;c"],
    ["what removing tags puts together is no tag", "<<b>script>x", "&lt;script>x"],
    ["a tag without an end is text", "a<b>c <p hidden", "ac &lt;p hidden"],
    ["an attribute without an end is text", `a<p title="b <i>c</i>`, `a&lt;p title="b &lt;i>c&lt;/i>`],
    ["a comment without an end is text", "a<!-- b<i>c</i>-- >d", "a&lt;!-- bc-- >d"],
    ["letters of any script stay", "中<b>é</b>😀\ud800", "中é😀\ud800"],
  ])("%s", (_, html, text) => {
    expect(restOf(`<p>${html}`, 3)).toBe(text);
  });

  const many = "<i>x</i>".repeat(MAX_HTML_ELEMENTS);

  test("the first element that is too many is gone from safe HTML, and its words stay", () => {
    expect(safeHtml(`${many}<script>a</script><b>b</b><`)).toBe(`${many}ab&lt;`);
    expect(safeHtml(`${many}<<b>script>a`)).toBe(`${many}&lt;script>a`);
  });
  test("references in it are read", () => {
    expect(htmlToText(`${many}<b>a&amp;b</b>&nbsp;&lt;c`).slice(-6)).toBe("a&b <c");
  });
  test("what hides an element that is still open doesn't hide it", () => {
    expect(htmlToText(`${"<i></i>".repeat(MAX_HTML_ELEMENTS - 1)}<div hidden>a<b>c`)).toBe("c");
  });
});
