import { describe, expect, test } from "vitest";
import { measureThreadCpu } from "../../../../../test/support/processor-time.ts";
import { cleanHtml } from "./clean-html.ts";

const NONE: ReadonlySet<string> = new Set();
const clean = (html: string, content_ids: ReadonlySet<string> = NONE) => cleanHtml(html, content_ids);

describe("cleaned HTML", () => {
  test.each<[trick: string, html: string, cleaned: string, changes: string[]]>([
    ["a comment", "a<!-- b -->c", "ac", ["comments"]],
    ["a conditional comment", "a<!--[if mso]><p>b</p><![endif]-->c", "ac", ["comments"]],
    ["an open conditional", "a<![if !mso]>b<![endif]>", "ab", ["comments"]],
    ["CDATA", "a<![CDATA[b]]>c", "ac", ["comments"]],
    ["a processing instruction", "a<?php b ?>c", "ac", ["comments"]],
    ["a script", "a<script>b</script>", "a", ["scripts"]],
    ["a handler", '<p onclick="x()">a</p>', "<p>a</p>", ["scripts"]],
    ["a script as link", '<a href="javascript:x()">a</a>', "a", ["links"]],
    ["a data link", '<a href="data:text/html,x">a</a>', "a", ["links"]],
    ["a style sheet", "<style>p:before{content:'b'}</style><p>a</p>", "<p>a</p>", ["style_sheets"]],
    [
      "a linked style sheet",
      '<link rel="stylesheet" href="https://x.test/a.css"><p>a</p>',
      "<p>a</p>",
      ["style_sheets"],
    ],
    ["a hidden element", "<p>a</p><p hidden>b</p>", "<p>a</p>", ["hidden_elements"]],
    ["display: none", '<p style="DISPLAY : none !important">b</p>a', "a", ["hidden_elements"]],
    [
      "display: none beaten by !important",
      '<p style="display:none;display:block!important">b</p>a',
      "a",
      ["hidden_elements"],
    ],
    ["display in an escape", '<p style="d\\69splay:none">b</p>', "<p>b</p>", ["styles"]],
    ["display behind a CSS comment", '<p style="/**/display:none">b</p>', "<p>b</p>", ["styles"]],
    ["visibility", '<span style="visibility:hidden">b</span>a', "a", ["hidden_elements"]],
    ["no opacity", '<span style="opacity:0.0">b</span>a', "a", ["hidden_elements"]],
    ["mso-hide", '<span style="mso-hide: all">b</span>a', "a", ["hidden_elements"]],
    ["a tiny font", '<span style="font-size:0">b</span>a', "ba", ["styles"]],
    ["fonts that shrink", `${"<small>".repeat(4)}b`, "<small><small>b</small></small>", []],
    ["white on white", '<p style="color:#fff">b</p>', "<p>b</p>", ["styles"]],
    ["transparent text", '<p style="color:transparent">b</p>', "<p>b</p>", ["styles"]],
    [
      "dark on dark",
      '<div style="background:#111"><p>b</p></div>',
      '<div style="background-color:#111111;color:#ffffff"><p>b</p></div>',
      [],
    ],
    [
      "a paragraph's colours in a block that ends it",
      '<p style="background:#000;color:#fff"><span><div style="color:#fff">b</div></span></p>',
      '<div style="background-color:#000000;color:#ffffff"><div style="color:#ffffff">b</div></div>',
      [],
    ],
    ["text off the page", '<p style="margin-left:-9999px;position:absolute">b</p>', "<p>b</p>", ["styles"]],
    ["text pushed away", '<p style="text-indent:-999px;margin:0 0 0 900px">b</p>', "<p>b</p>", ["styles"]],
    ["a float", '<p style="float:right;direction:rtl">b</p>', "<p>b</p>", ["styles"]],
    ["a font of symbols", '<font face="Wingdings">b</font>', "b", ["styles"]],
    [
      "a background image",
      '<p style="background:#eee url(https://x.test/a.png)">b</p>',
      '<p style="background-color:#eeeeee">b</p>',
      [],
    ],
    [
      "a table's background image",
      '<table background="https://x.test/a.png"><tr><td>b</table>',
      "<table><tbody><tr><td>b</td></tr></tbody></table>",
      ["images"],
    ],
    ["a box of colour without words", '<div style="background:#f00"></div>a', "<div></div>a", []],
    ["a remote image", 'a<img src="https://x.test/a.png" alt="b">', "ab", ["images"]],
    ["an image in the HTML itself", 'a<img src="data:image/png;base64,AAAA">', "a", ["images"]],
    ["an image that is not attached", 'a<img src="cid:b" alt="c">', "ac", ["images"]],
    ["a drawing", "a<svg><text>b</text></svg>", "a", ["media"]],
    ["a frame", '<iframe srcdoc="<p>b">c</iframe>a', "a", ["media"]],
    [
      "a select",
      "<select><option>a</option><option>b</option></select>",
      "<div>a</div><div>b</div>",
      ["forms"],
    ],
    ["a field", 'a<input value="b">', "a", ["forms"]],
    ["a text field", "<textarea>a <b>b</b></textarea>", "<div>a &lt;b&gt;b&lt;/b&gt;</div>", ["forms"]],
    ["a form", '<form action="https://x.test">a<button>b</button></form>', "<div>ab</div>", ["forms"]],
    ["noscript", "<noscript><p>b</p></noscript>a", "<p>b</p>a", []],
    ["closed details", "<details><summary>a</summary>b</details>", "<div><div>a</div>b</div>", ["elements"]],
    ["a template", "<template>b</template>a", "a", ["media"]],
    ["a tooltip", '<p title="b">a</p>', "<p>a</p>", ["attributes"]],
    ["words struck through", "Do <s>not</s> pay", "Do not pay", ["elements"]],
    ["turned words", "<bdo dir=rtl>abc</bdo>", "abc", ["elements"]],
    ["a direction override", "a\u202ebc\u202c\u2067d", "abcd", ["characters"]],
    ["control characters", "a\u0008b\u0000", "ab", ["characters"]],
    ["character references", "&#97;&lt;b&gt;&nbsp;&amp;&copy;", "a&lt;b&gt;\u00a0&amp;©", []],
    ["an unknown element", "<o:p>a</o:p><x-y>b</x-y>", "ab", ["elements"]],
    [
      "words loose in a table",
      "<table>b<tr>c<td>a</td></tr></table>",
      "<table><tbody><tr><td>b</td></tr><tr><td>c</td><td>a</td></tr></tbody></table>",
      [],
    ],
    ["cells outside a table", "<td>a</td><li>b</li>", "<div>a</div><div>b</div>", []],
    [
      "cells that cover others",
      '<table><tr><td rowspan="9" colspan="2">a</table>',
      '<table><tbody><tr><td colspan="2">a</td></tr></tbody></table>',
      [],
    ],
    [
      "a link in a link",
      '<a href="https://x.test/">a<a href="https://y.test/">b</a></a>',
      '<a href="https://x.test/" style="color:#0000ee">ab</a>',
      ["links"],
    ],
  ])("%s", (_trick, html, cleaned, changes) => {
    const result = clean(html);
    expect(result.html).toBe(cleaned);
    expect(result.changes).toEqual(changes);
    expect(clean(result.html)).toEqual({ html: cleaned, text: result.text, changes: [] });
  });

  test("what a newsletter is made of stays", () => {
    const html =
      '<!doctype html><html><head><meta charset="utf-8"><title>News</title></head><body style="margin:0;background:#f4f4f4">' +
      '<table width="600" align="center" cellpadding="0" style="font-family:Arial,Sans-Serif"><tr><th style="padding:24px;background:#1f5fd0;color:#FFF">News</th></tr>' +
      '<tr><td style="padding:0 24px;font-size:14px;border-bottom:1px solid #ddd"><p>Hello <b>you</b></p><ol start="3"><li>three</ol><a href="https://example.com/x?a=1&amp;b=2" style="color:#1f5fd0">Read on</a></td></tr></table></body></html>';
    const result = clean(html);
    expect(result.changes).toEqual([]);
    expect(result.html).toBe(
      '<div style="background-color:#f4f4f4;margin:0">' +
        '<table style="font-family:arial,sans-serif;text-align:center;width:600px"><tbody>' +
        '<tr><td style="background-color:#1f5fd0;color:#ffffff;font-weight:bold;padding:24px">News</td></tr>' +
        '<tr><td style="border-bottom:1px solid #dddddd;font-size:14px;padding:0 24px"><p>Hello <b>you</b></p><ol start="3"><li>three</li></ol>' +
        '<a href="https://example.com/x?a=1&amp;b=2" style="color:#1f5fd0">Read on</a></td></tr></tbody></table></div>',
    );
    expect(result.text).toBe("News\n\nHello you\n\n3. three\n\nRead on <https://example.com/x?a=1&b=2>");
  });

  test("an attached image stays, and is named in the text", () => {
    const result = clean('<p>See <img src="cid:plan@x" alt="the plan" width="300"></p>', new Set(["plan@x"]));
    expect(result.html).toBe('<p>See <img src="cid:plan@x" alt="the plan" style="width:300px"></p>');
    expect(result.text).toBe("See [image: the plan]");
    expect(result.changes).toEqual([]);
  });

  test("its text has lists, cells, quotes, powers and preformatted lines", () => {
    const html =
      "<h1>Plan</h1><ul><li>one<ul><li>two</li></ul></li></ul><table><tr><td>Tea<td>3 €</table><blockquote>cited<br>more</blockquote><pre>a  b\n c</pre>10<sup>6</sup><hr>end";
    expect(clean(html).text).toBe(
      "Plan\n\n- one\n  - two\n\nTea | 3 €\n\n> cited\n> more\n\na  b\n c\n\n10^6\n---\nend",
    );
  });

  test("a link's own words are not repeated", () => {
    const html =
      '<a href="https://example.com/">https://example.com</a> <a href="mailto:a@b.test">a@b.test</a>';
    expect(clean(html).text).toBe("https://example.com a@b.test");
  });

  test.each([
    "<div>",
    "<p>",
    "<b><i>",
    "<table><tr><td>",
    '<a href="https://x.test">',
    "<small>",
    "x ",
    "&lt;",
    "<td>",
    "</p>",
    "<p>a <b>b</b></p>",
  ])("costs what its length costs: %s", async (piece) => {
    const long = piece.repeat(Math.floor(300_000 / piece.length));
    expect(await measureThreadCpu(() => clean(long))).toBeLessThan(2_000);
  });

  test("costs what its length costs: attributes and styles", async () => {
    const long = `<p ${'style="color:red" '.repeat(15_000)}>x<p style="${"color:red;".repeat(25_000)}">x`;
    expect(await measureThreadCpu(() => clean(long))).toBeLessThan(2_000);
  });
});
