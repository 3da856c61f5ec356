import { describe, expect, test } from "vitest";
import { measureThreadCpu } from "../../../../../test/support/processor-time.ts";
import { cleanHtml } from "./clean-html.ts";

const NONE: ReadonlySet<string> = new Set();
const DOCTYPE = "<!doctype html>";
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
    ["text pushed away", '<p style="text-indent:-999px;margin-left:900px">b</p>', "<p>b</p>", ["styles"]],
    [
      "text pushed away by one of four margins",
      '<p style="margin:0 0 0 900px">b</p>',
      '<p style="margin-bottom:0;margin-right:0;margin-top:0">b</p>',
      ["styles"],
    ],
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
    expect(result.html).toBe(`${DOCTYPE}${cleaned}`);
    expect(result.changes).toEqual(changes);
    expect(clean(result.html)).toEqual({ html: `${DOCTYPE}${cleaned}`, text: result.text, changes: [] });
  });

  test("what a newsletter is made of stays", () => {
    const html =
      '<!doctype html><html><head><meta charset="utf-8"><title>News</title></head><body style="margin:0;background:#f4f4f4">' +
      '<table width="600" align="center" cellpadding="0" style="font-family:Arial,Sans-Serif"><tr><th style="padding:24px;background:#1f5fd0;color:#FFF">News</th></tr>' +
      '<tr><td style="padding:0 24px;font-size:14px;border-bottom:1px solid #ddd"><p>Hello <b>you</b></p><ol start="3"><li>three</ol><a href="https://example.com/x?a=1&amp;b=2" style="color:#1f5fd0">Read on</a></td></tr></table></body></html>';
    const result = clean(html);
    expect(result.changes).toEqual([]);
    expect(result.html).toBe(
      `${DOCTYPE}<body style="margin:0"><div style="background-color:#f4f4f4;margin:0">` +
        '<table style="font-family:arial,sans-serif;margin-left:auto;margin-right:auto;max-width:600px;width:100%"><tbody>' +
        '<tr><td style="background-color:#1f5fd0;color:#ffffff;font-weight:bold;padding:24px">News</td></tr>' +
        '<tr><td style="border-bottom:1px solid #dddddd;font-size:14px;padding:0 24px"><p>Hello <b>you</b></p><ol start="3"><li>three</li></ol>' +
        '<a href="https://example.com/x?a=1&amp;b=2" style="color:#1f5fd0">Read on</a></td></tr></tbody></table></div></body>',
    );
    expect(result.text).toBe("News\n\nHello you\n\n3. three\n\nRead on <https://example.com/x?a=1&b=2>");
  });

  test.each<[what: string, css: string, html: string, cleaned: string]>([
    ["a type", "p{color:#123456}", "<p>a</p>", '<p style="color:#123456">a</p>'],
    ["a class", ".c{color:#123456}", '<p class="b c">a</p>', '<p style="color:#123456">a</p>'],
    ["an id", "#i{color:#123456}", "<p id=i>a</p>", '<p style="color:#123456">a</p>'],
    [
      "all of them",
      "p.c#i{color:#123456}",
      "<p id=i class=c>a</p><p class=c>b</p>",
      '<p style="color:#123456">a</p><p>b</p>',
    ],
    [
      "an attribute",
      "p[lang=en]{color:#123456}",
      "<p lang=en>a</p><p>b</p>",
      '<p style="color:#123456">a</p><p>b</p>',
    ],
    [
      "a descendant",
      "div b{color:#123456}",
      "<div><p><b>a</b></p></div><b>c</b>",
      '<div><p><b style="color:#123456">a</b></p></div><b>c</b>',
    ],
    [
      "a child",
      "div>b{color:#123456}",
      "<div><b>a</b><i><b>c</b></i></div>",
      '<div><b style="color:#123456">a</b><i><b>c</b></i></div>',
    ],
    [
      "a child of any of several",
      "div > i b{color:#123456}",
      "<div><i><u><i><b>a</b></i></u></i></div>",
      '<div><i><u><i><b style="color:#123456">a</b></i></u></i></div>',
    ],
    [
      "what says more",
      "p:first-child,p+p,p~p,p::before,p[lang^=e],.a:not(.b){color:#123456}",
      "<p lang=en class=a>a</p><p>b</p>",
      "<p>a</p><p>b</p>",
    ],
    [
      "the more specific one",
      "#i{color:#000001}p.c{color:#000002}.c{color:#000003}p{color:#000004}",
      "<p class=c>a</p>",
      '<p style="color:#000002">a</p>',
    ],
    [
      "the later one",
      ".c{color:#000001}.d{color:#000002}",
      '<p class="d c">a</p>',
      '<p style="color:#000002">a</p>',
    ],
    [
      "its own style before a rule",
      "p{color:#000001}",
      '<p style="color:#000002">a</p>',
      '<p style="color:#000002">a</p>',
    ],
    [
      "an important rule before its own style",
      "p{color:#000001!important}",
      '<p style="color:#000002">a</p>',
      '<p style="color:#000001">a</p>',
    ],
    [
      "an attribute after a rule",
      "div{text-align:right}",
      '<div align="center">a</div>',
      '<div style="text-align:right">a</div>',
    ],
    [
      "one side after all of them",
      "p{padding:9px}.c{padding-left:1px}",
      "<p class=c>a</p>",
      '<p style="padding:9px 9px 9px 1px">a</p>',
    ],
    [
      "all sides after one of them",
      "p{padding-left:1px}.c{padding:9px}",
      "<p class=c>a</p>",
      '<p style="padding:9px">a</p>',
    ],
    [
      "a border in parts",
      "p{border:1px solid #ff0000}.c{border-color:#0000ff;border-top-width:2px}",
      "<p class=c>a</p>",
      '<p style="border-bottom:1px solid #0000ff;border-left:1px solid #0000ff;border-right:1px solid #0000ff;border-top:2px solid #0000ff">a</p>',
    ],
    [
      "a query for wide screens",
      "@media only screen and (min-width:480px){p{color:#123456}}",
      "<p>a</p>",
      '<p style="color:#123456">a</p>',
    ],
    ["a query for very wide screens", "@media (min-width:601px){p{color:#123456}}", "<p>a</p>", "<p>a</p>"],
    [
      "a query for narrow screens",
      "@media (max-width:480px){p{color:#123456}}b{color:#000001}",
      "<p>a</p><b>c</b>",
      '<p>a</p><b style="color:#000001">c</b>',
    ],
    [
      "a query in a query",
      "@supports (display:grid){@media (min-width:1px){p{color:#123456}}}",
      "<p>a</p>",
      "<p>a</p>",
    ],
    ["a comment", "/* p{} */p/* */{/*;*/color:#123456}", "<p>a</p>", '<p style="color:#123456">a</p>'],
    ["words that it hides", ".h{display:none}", "<p class=h>a</p><p>b</p>", "<p>b</p>"],
  ])("a style sheet becomes styles: %s", (_what, css, html, cleaned) => {
    const { html: written, text } = clean(`<style>${css}</style>${html}`);
    expect(written).toBe(`${DOCTYPE}${cleaned}`);
    expect(clean(written)).toEqual({ html: written, text, changes: [] });
  });

  test.each<[what: string, html: string, cleaned: string]>([
    [
      "a table's place",
      '<table align="center"><tr><td>a</table>',
      '<table style="margin-left:auto;margin-right:auto"><tbody><tr><td>a</td></tr></tbody></table>',
    ],
    [
      "space in and between cells",
      '<table cellpadding="4" cellspacing="0"><tr><td valign="top" height="40">a</table>',
      '<table style="border-spacing:0"><tbody><tr><td style="height:40px;padding:4px;vertical-align:top">a</td></tr></tbody></table>',
    ],
    [
      "a wide table on a narrow screen",
      '<table width="600"><tr><td>a</table>',
      '<table style="max-width:600px;width:100%"><tbody><tr><td>a</td></tr></tbody></table>',
    ],
    ["a box of lines", '<p style="line-height:20px">a</p>', '<p style="line-height:20px">a</p>'],
    ["lines that overlap", '<p style="line-height:9px">a</p>', "<p>a</p>"],
    [
      "lines that a larger font inside would let overlap",
      '<div style="line-height:20px"><p style="font-size:30px">a</p></div>',
      '<div style="line-height:20px"><p style="font-size:30px;line-height:normal">a</p></div>',
    ],
    [
      "an empty row of any height",
      '<table><tr><td style="line-height:4px;font-size:4px" height="4">&nbsp;</table>',
      '<table><tbody><tr><td style="font-size:4px;height:4px;line-height:4px">\u00a0</td></tr></tbody></table>',
    ],
    [
      "cells one above the other",
      '<table><tr><td style="display:block">a<td style="display:block">b</table>',
      "<table><tbody><tr><td><div>a</div><div>b</div></td></tr></tbody></table>",
    ],
    [
      "boxes within a line",
      '<div style="display:inline-block">a</div><div style="display:inline-block">b</div>',
      '<div style="display:inline-block">a</div><div style="display:inline-block">b</div>',
    ],
    [
      "boxes within a line that hold lines",
      '<div style="display:inline-block"><p>a</p></div>b',
      "<div><p>a</p></div>b",
    ],
  ])("layout stays: %s", (_what, html, cleaned) => {
    const { html: written, text } = clean(html);
    expect(written).toBe(`${DOCTYPE}${cleaned}`);
    expect(clean(written)).toEqual({ html: written, text, changes: [] });
  });

  test("its text says what stands beside each other and what within a line", () => {
    const box = (style: string, words: string) => `<div style="display:inline-block;${style}">${words}</div>`;
    expect(clean(`${box("", "12")}${box("", "00")}`).text).toBe("1200");
    expect(clean(`${box("width:50%", "12")}${box("width:50%", "00")}`).text).toBe("12 | 00");
    expect(clean('12<span style="display:block">00</span>').text).toBe("12\n00");
  });

  test("an attached image stays, and is named in the text", () => {
    const result = clean('<p>See <img src="cid:plan@x" alt="the plan" width="300"></p>', new Set(["plan@x"]));
    expect(result.html).toBe(
      `${DOCTYPE}<p>See <img src="cid:plan@x" alt="the plan" style="max-width:100%;width:300px"></p>`,
    );
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

  test.each<[string, string]>([
    ["many rules", `<style>${".a{color:red}".repeat(10_000)}</style>${'<p class="a">x'.repeat(15_000)}`],
    [
      "long selectors",
      `<style>${".a .b .a .b .a .b .a{color:red}".repeat(4_000)}</style>${'<b class="a">x'.repeat(15_000)}`,
    ],
    ["open comments", `<style>${"/*".repeat(140_000)}</style><p>x`],
    ["open blocks", `<style>${"@media print{".repeat(20_000)}</style><p>x`],
    ["open lists", `<style>${"a,".repeat(140_000)}{color:red}</style><a>x`],
    [
      "tables in tables",
      '<table width="600"><tr><td width="300">xxxxxxxxxxxxxxxxxxxxxxxx<td width="300">'.repeat(4_000),
    ],
    ["long words", `<table><tr>${`<td>${"w".repeat(1_000)}`.repeat(300)}`],
  ])("costs what its length costs: %s", async (_name, html) => {
    expect(await measureThreadCpu(() => clean(html))).toBeLessThan(2_000);
  });

  test("costs what its length costs: attributes and styles", async () => {
    const long = `<p ${'style="color:red" '.repeat(15_000)}>x<p style="${"color:red;".repeat(25_000)}">x`;
    expect(await measureThreadCpu(() => clean(long))).toBeLessThan(2_000);
  });
});
