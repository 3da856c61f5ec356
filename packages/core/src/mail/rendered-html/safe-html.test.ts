import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { measureThreadCpu } from "../../../../../test/support/processor-time.ts";
import { safeHtml } from "./safe-html.ts";

describe("safe HTML", () => {
  test.each<[trick: string, html: string, safe: string]>([
    ["a script", "a<script>b</script>c", "ac"],
    ["a script in capitals", "a<SCRIPT>b</SCRIPT >c", "ac"],
    ["a script that doesn't end", "a<script>b", "a"],
    ["a script in an image", "<svg><script>b</script></svg>a", "a"],
    ["a tag made of two", "<<script></script>img src=x onerror=y>", "&lt;img src=x onerror=y>"],
    ["a tag within a tag's name", "<scr<script>b</script>ipt>a", "bipt>a"],
    ["an event handler", '<p onclick="x()" class="a">b</p>', '<p class="a">b</p>'],
    ["an event handler behind a slash", "<p/onclick=x()>b</p>", "<p>b</p>"],
    ["an event handler behind a quote", '<p class="a"onclick="x()">b</p>', '<p class="a">b</p>'],
    ["a link that runs", '<a href="javascript:x()">b</a>', "<a>b</a>"],
    ["a link that runs, written oddly", '<a href=" java\tscript&colon;x()">b</a>', "<a>b</a>"],
    ["a link to data", '<a href="data:text/html,x">b</a>', "<a>b</a>"],
    ["a style sheet", "<style>p{}</style><p>a</p>", "<p>a</p>"],
    ["a linked style sheet", '<link rel="stylesheet" href="https://x.test/a.css"><p>a</p>', "<p>a</p>"],
    ["a base", '<base href="https://x.test/"><p>a</p>', "<p>a</p>"],
    ["a redirect", '<meta http-equiv="refresh" content="0;url=https://x.test/"><p>a</p>', "<p>a</p>"],
    ["a form", '<form action="https://x.test"><input name="a"><button>b</button></form>', "b"],
    ["a field with words", "<textarea>a <b>b</b></textarea>", "a &lt;b>b&lt;/b>"],
    ["choices", "<select><option>a</option></select>", "a"],
    ["a button elsewhere", '<p formaction="https://x.test">a</p>', "<p>a</p>"],
    ["a remote image", 'a<img src="https://x.test/a.png" alt="b &lt;i>"/>c', "ab &lt;i&gt;c"],
    [
      "a remote image behind one of the mail",
      '<img src="cid:1" src="https://x.test/a.png">',
      '<img src="cid:1">',
    ],
    ["an image of the mail behind a remote one", '<img alt="b" src="https://x.test/a.png" src="cid:1">', "b"],
    [
      "a second link",
      '<a href="https://x.test" href="https://y.test">a</a>',
      '<a href="https://x.test">a</a>',
    ],
    ["a second link in capitals", '<a HREF="javascript:x()" href="https://y.test">a</a>', "<a>a</a>"],
    ["a remote image without scheme", '<img src="//x.test/a.png">a', "a"],
    [
      "an image with other sources",
      '<img src="cid:1" srcset="https://x.test/a.png 2x">',
      '<img src="cid:1">',
    ],
    [
      "sources beside an image",
      '<picture><source srcset="https://x.test/a"><img src="cid:1"></picture>',
      '<img src="cid:1">',
    ],
    [
      "a background",
      '<table background="https://x.test/a.png"><tr><td>a</table>',
      "<table><tr><td>a</table>",
    ],
    [
      "a background in a style",
      '<p style="color: red; background:url(https://x.test/a.png)">a</p>',
      '<p style="color: red">a</p>',
    ],
    ["a background behind an escape", '<p style="background:\\75rl(https://x.test)">a</p>', "<p>a</p>"],
    ["a background behind a comment", '<p style="background:ur/**/l(x)">a</p>', "<p>a</p>"],
    ["a list's image", "<ul style=\"list-style-image:image-set('x' 1x)\"><li>a</ul>", "<ul><li>a</ul>"],
    ["a video", '<video src="https://x.test/a" poster="https://x.test/b">a</video>', "a"],
    ["a frame", '<iframe src="https://x.test"></iframe><p>a</p>', "<p>a</p>"],
    ["a frame's document", '<iframe srcdoc="&lt;script>x()&lt;/script>"></iframe>a', "a"],
    ["an object", '<object data="https://x.test"><embed src="https://x.test">a</object>', "a"],
    ["a drawing that loads", '<svg><image href="https://x.test/a"/><use href="#x"/></svg>a', "a"],
    ["words that a style sheet hides in a drawing", "<svg><style><img src=x onerror=y></style></svg>a", "a"],
    ["a comment", "a<!-- <img src=x onerror=y> -->b", "ab"],
    ["a comment that browsers end early", "a<!--><img src=x onerror=y>-->b", "a-->b"],
    ["a conditional comment", "a<!--[if mso]><img src='https://x.test/a'><![endif]-->b", "ab"],
    [
      "noscript",
      "<noscript><p title='</noscript><img src=x onerror=y>'>a</p></noscript>",
      '<p title="&lt;/noscript&gt;&lt;img src=x onerror=y&gt;">a</p>',
    ],
    ["text that browsers read as text", "<xmp><img src=x onerror=y></xmp>a", "&lt;img src=x onerror=y>a"],
    ["a template", "<template><script>x()</script><p>a</p></template>", "<p>a</p>"],
    [
      "an attribute that ends early",
      '<p title="&quot;&gt;<script>x()">a</p>',
      '<p title="&quot;&gt;&lt;script&gt;x()">a</p>',
    ],
    ["a reference to a bracket", "&lt;script&gt;x()&lt;/script&gt;", "&lt;script&gt;x()&lt;/script&gt;"],
  ])("has none of it: %s", (_trick, html, safe) => {
    const result = safeHtml(html);
    expect(result).toBe(safe);
    expect(safeHtml(result)).toBe(result);
  });

  test.each([
    "<p>Hello,<br>all <b>new</b>.</p>",
    `<div  STYLE='color:red'>Yes &amp; no<img src="cid:1"></div>`,
    '<!DOCTYPE html><html xmlns:o="urn:x"><body bgcolor="#fff"><p class=MsoNormal>a<o:p></o:p></p></body></html>',
    '<a href="https://x.test/?a=1&amp;b=2" target="_blank">a</a> &copy; &nbsp; &#8364; 1 > 0',
    '<table width=600 border=0 style="margin:0 auto !important"><tr><td colspan="2" align=center>a</td></tr></table>',
    '<img alt="Logo" src="data:image/png;base64,AAAA" width="10">',
  ])("is the same where nothing has to go: %s", (html) => {
    expect(safeHtml(html)).toBe(html);
  });

  const piece = fc.oneof(
    fc.constantFrom(
      ..."< > </ /> <! <!-- --> --!> <![CDATA[ ]]> <? ' \" ` = / & &lt; &quot; &#60; \u0000 \\ ;".split(" "),
      ..."script style svg math title textarea noscript template xmp iframe plaintext p a img table form".split(
        " ",
      ),
      ..." onerror= src= href= style= srcset= class= javascript: https://x.test cid:1 url( x".split(" "),
      " ",
    ),
    fc.string({ maxLength: 4 }),
  );

  test("has only whole tags of the elements and attributes it knows, whatever it is made of", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const safe = safeHtml(pieces.join(""));
        const rest = safe.replace(
          /<\/?[a-z][a-z0-9:]*(?:\s+[^<>]*?)?\s*\/?>|^\s*<!doctype html[^<>]*>/gi,
          (tag) => {
            expect(tag).not.toMatch(
              /^<\/?(?:script|style|form|input|button|select|textarea|svg|math|iframe|link|meta|base|object|embed|video|audio|noscript|template|xmp|plaintext|title)\b/i,
            );
            expect(tag.replace(/"[^"]*"|'[^']*'/g, '""')).not.toMatch(
              /\s(?:on\w+|srcset|background|formaction)\s*=/i,
            );
            if (/^<img\b/i.test(tag)) expect(tag).toMatch(/\ssrc\s*=\s*["']?\s*(?:cid|data):/i);
            return "";
          },
        );
        expect(rest).not.toContain("<");
        expect(safeHtml(safe)).toBe(safe);
      }),
      { numRuns: 3_000 },
    );
  });

  test("a reference that stands for two characters stays once", () => {
    expect(safeHtml("a&NotEqualTilde;b <&amp;&amp;<b>c</b>")).toBe(
      "a&NotEqualTilde;b &lt;&amp;&amp;<b>c</b>",
    );
  });

  test.each([
    ["line breaks", "<br>"],
    ["paragraphs that don't end", "<p>x"],
    ["brackets", "<"],
    ["attributes", "<p a=1 b=2 onclick=x style=color:red;background:url(x)>"],
    ["half a tag", "<p class='"],
    ["spaces in a tag", `<p ${" ".repeat(3_000)}`],
    ["references", "&amp;"],
    ["comments", "<!---->"],
    ["scripts that don't end", "<script>"],
  ])("of 1 MB of %s costs at most 1 s of CPU", async (_, unit) => {
    const html = unit.repeat(Math.ceil(1_048_576 / unit.length));
    expect(await measureThreadCpu(() => safeHtml(html))).toBeLessThan(1_000);
  });
});
