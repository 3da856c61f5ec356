import { describe, expect, test } from "vitest";
import { MAX_HTML_CHARS, MAX_HTML_DEPTH, MAX_HTML_ELEMENTS } from "../reply-extraction/limits.ts";
import type { KnownPicture } from "./pictures.ts";
import { showMail } from "./show-mail.ts";

const A = "https://pics.example/a.png";
const B = "https://pics.example/b.png";
const KNOWN: KnownPicture[] = [
  { url: A, size_bytes: 3 },
  { url: "cid:logo", size_bytes: 4 },
];
const AWAY = 'target="_blank" rel="noopener noreferrer"';

const show = (html: string, pictures: readonly KnownPicture[] = KNOWN) =>
  showMail({ subject: "", text: "", html, pictures });

/** What is written for a mail's HTML, after our own head; marks are shown as `⟨0⟩`. */
function shown(html: string, pictures?: readonly KnownPicture[]): string {
  const { page } = show(html, pictures);
  return page.slice(page.indexOf("</style>") + "</style>".length).replace(/\0(\d+)\0/g, "⟨$1⟩");
}

describe("what is written of HTML", () => {
  test.each<[string, string, string]>([
    [
      "words and references stay",
      "<p>A &amp; B &lt;c&gt; &nbsp;&copy; 1 > 0",
      "<p>A &amp; B &lt;c&gt; &nbsp;&copy; 1 > 0",
    ],
    ["a loose sign", "1 < 2 <3 <", "1 &lt; 2 &lt;3 &lt;"],
    [
      "attributes are written anew",
      "<P ALIGN=center Class='a b'>x</P>",
      '<p align="center" class="a b">x</p>',
    ],
    [
      "quotes in attributes",
      `<p title='"><script>alert(1)</script>'>`,
      '<p title="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;">',
    ],
    [
      "the page's own elements",
      "<html lang=de><head></head><body bgcolor=red>x</body></html>y",
      '<html lang="de"><body bgcolor="red">xy',
    ],
    ["scripts", "a<script>alert(1)</script >b<SCRIPT SRC=//x></SCRIPT>c", "abc"],
    ["a script that doesn't end", "a<script>alert(1)", "a"],
    [
      "handlers",
      "<img src=x onerror=alert(1)><body onload=alert(1)><p onclick='x' ONMOUSEOVER=y>",
      "<img><body><p>",
    ],
    ["a handler after a slash", "<svg/onload=alert(1)></svg><img/onerror=alert(1)//src=x>", "<img>"],
    ["drawings", "a<svg><style>b</svg>c<math><mi>d</math>e", "ace"],
    [
      "frames",
      "<iframe src=//x>a</iframe><frameset><frame src=//x></frameset><object data=//x>b</object><embed src=//x>",
      "b",
    ],
    [
      "raw text that isn't",
      "<noembed><p></noembed><noframes><p></noframes><noscript><p>a</noscript><xmp><b>c</xmp>",
      "<p>a&lt;b>c",
    ],
    ["plain text to the end", "<plaintext><p>a</plaintext>", "&lt;p>a&lt;/plaintext>"],
    ["templates", "a<template><p>b</template>c", "ac"],
    ["titles", "<title>a</style><img src=x></title>b", "b"],
    [
      "what the browser would ask for",
      '<base href="//x"><link rel="dns-prefetch" href="//x"><link rel=stylesheet href=//x>',
      "",
    ],
    [
      "refresh",
      '<meta http-equiv="refresh" content="0;url=//x"><meta http-equiv=content-security-policy content="">',
      "",
    ],
    [
      "what a mail says of its width and colours",
      '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name=color-scheme content="light dark"><meta name=referrer content=always>',
      '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">',
    ],
    [
      "a form",
      "<form action=//x method=post id=f><input name=a value=b formaction=//x><button>Go</button></form>",
      '<div id="f"><input name="a" value="b" disabled=""><button>Go</button></div>',
    ],
    ["a form's words", "<textarea>a<b></textarea><select><option>c</select>", "a&lt;b>c"],
    [
      "switches",
      '<input type=checkbox id=a checked><label for=a>b</label><input type="image" src="//x">',
      '<input type="checkbox" id="a" checked=""><label for="a">b</label><input type="image" disabled="">',
    ],
    [
      "attributes that are given twice",
      '<input type="text" type="checkbox"><p title=a Title=b align=c>',
      '<input type="text" disabled=""><p title="a" align="c">',
    ],
    [
      "line breaks in styles that references stand for",
      `<p style='x:"&#12;;b:url(${B})'><p style='x:"&#13;;b:url(${B})'><p style='x:"\\&#13;&#10;";b:url(${B})'>`,
      `<p style="x:&quot;\n;b:none"><p style="x:&quot;\n;b:none"><p style="x:&quot;\\\n&quot;;b:none">`,
    ],
    [
      "links",
      '<a href="https://a.example/?b=1&amp;c=2" target=_top rel=opener ping=//x>d</a>',
      `<a href="https://a.example/?b=1&amp;c=2" ${AWAY}>d</a>`,
    ],
    [
      "links that lead nowhere",
      '<a href="javascript:alert(1)" name=top>a</a><a href=/b>c</a>',
      '<a name="top">a</a><a>c</a>',
    ],
    [
      "links that browsers would read as paths of this server",
      '<a href="https:/console/x">a</a>',
      `<a href="https://console/x" ${AWAY}>a</a>`,
    ],
    ["links within", '<a href="#a" target=_self>b</a>', '<a href="#a">b</a>'],
    [
      "areas",
      '<map name=m><area shape=rect coords="0,0,1,1" href="https://a.example/"></map><img usemap="#m">',
      `<map name="m"><area shape="rect" coords="0,0,1,1" href="https://a.example/" ${AWAY}></map><img usemap="#m">`,
    ],
    ["links of other elements", '<p href="https://a.example/"><img href=//x>', "<p><img>"],
    [
      "pictures",
      `<img src="${A}" alt=a><img src="cid:logo"><img src="${B}" alt=b width=5><img src="data:image/gif;base64,R0">`,
      '<img src="⟨0⟩" alt="a"><img src="⟨1⟩"><img alt="b" width="5"><img src="data:image/gif;base64,R0">',
    ],
    [
      "pictures for screens",
      `<img srcset="${B} 1x, ${A} 2x, cid:logo 3x" sizes="1px"><picture><source srcset="${B}"><source media=print srcset="${A}"></picture>`,
      '<img srcset="⟨0⟩ 2x, ⟨1⟩ 3x" sizes="1px"><picture><source media="print" srcset="⟨0⟩"></picture>',
    ],
    [
      "backgrounds",
      `<body background="${A}"><table background="${B}"><td background=cid:logo>`,
      '<body background="⟨0⟩"><table><td background="⟨1⟩">',
    ],
    [
      "sources of other elements",
      `<script src="${A}"></script><video src="${A}" poster="${A}"></video><input src="${A}" type=image>`,
      '<input type="image" disabled="">',
    ],
    [
      "styles",
      `<p style="color:red;background:url(&quot;${A}&quot;)">a<p style="background:url(${B})">`,
      `<p style="color:red;background:url('⟨0⟩')">a<p style="background:none">`,
    ],
    ["comments", "a<!-- b --><!--><p>c<!---->d<!--[if mso]>e<![endif]--><![if !mso]>f<![endif]>", "a<p>cdf"],
    ["other languages", "<?xml version='1.0'?><![CDATA[a]]><!ELEMENT b>c", "c"],
    [
      "characters that mark pictures",
      "a\u0000b<p title='\u0000c&#0;'\u0000 style='color:red\u0000'>",
      '<bp title="c\ufffd" style="color:red">'.replace("<b", "ab<"),
    ],
    [
      "unknown elements",
      "<x-y onclick=a>b</x-y><o:p>c</o:p><v:shape>d</v:shape><blink>e</blink>",
      "b<o:p>c</o:p>de",
    ],
    ["a tag that doesn't end", "a<p title='b", "a"],
    ["namespaces", "<svg:script>alert(1)</svg:script><p xlink:href=//x xml:base=//x xmlns=x>", "alert(1)<p>"],
  ])("%s", (_what, html, written) => {
    expect(shown(html)).toBe(written);
  });
});

describe("what is written of style sheets", () => {
  const sheet = (css: string) => shown(`<style>${css}</style>`).replace(/^<style>|<\/style>$/g, "");
  test.each<[string, string, string]>([
    [
      "rules stay",
      "@media (max-width: 600px) { .a > b { color: red !important } }",
      "@media (max-width: 600px) { .a > b { color: red !important } }",
    ],
    ["marks around them", "<!-- .a { color: red } -->", "  .a { color: red }  "],
    ["comments", "a/* url(x) */b", "a b"],
    ["imports", "@import url(https://x/a.css); @IMPORT 'https://x/b.css' screen; a{}", "  a{}"],
    ["an import that doesn't end", "a{} @import 'https://x/b.css'", "a{} "],
    ["fonts", "@font-face { font-family: x; src: url(https://x/a.woff) } a{}", " a{}"],
    [
      "known pictures",
      `a{background:URL( "${A}" ) no-repeat;b:url('cid:logo')}`,
      "a{background:url('⟨0⟩') no-repeat;b:url('⟨1⟩')}",
    ],
    [
      "others",
      `a{background:url(${B});b:url(//x);c:url(data:image/svg+xml,x);d:url()}`,
      "a{background:none;b:none;c:none;d:none}",
    ],
    [
      "a picture that is written in it",
      "a{b:url(data:image/png;base64,AA==)}",
      "a{b:url('data:image/png;base64,AA==')}",
    ],
    ["quotes in it", `a{b:url("data:image/png,'x<\\"y")}`, "a{b:url('data:image/png,%27x%3c%5c%22y')}"],
    ["a URL that doesn't end", "a{b:url(https://x", "a{b:none"],
    ["a string that doesn't end", `a{b:url("https://x\n) c:d`, "a{b:none c:d"],
    ["words in strings", `a{content:"url(${A})"; b:'\\'url(x)'}`, `a{content:"url(${A})"; b:'\\'url(x)'}`],
    ["a string over two lines", `a{content:"b\nc:url(${A})}`, `a{content:"b\nc:url('⟨0⟩')}`],
    ["escaped letters", "a{b:\\75 rl(c);\\64:u\\r\\L(d)} @\\000069\nmport 'e';", "a{b:none;d:none} "],
    ["other escapes", ".\\31 0\\:a\\{{b:'\\75rl(c)'}", ".\\31 0\\:a\\{{b:'\\75rl(c)'}"],
    ["a backslash at the end", "a\\", "a\\"],
    [
      "sets of pictures",
      "a{b:image-set('c' 1x);b:-webkit-image-set(url(d) 2x);c:src('e')}",
      "a{b:no-image-set('c' 1x);b:-webkit-no-image-set(none 2x);c:no-src('e')}",
    ],
    ["an end of its element", "a{content:'<\\/style>'} b{c:d}", "a{content:'<\\/style>'} b{c:d}"],
  ])("%s", (_what, css, written) => {
    expect(sheet(css)).toBe(written);
  });

  test("what begins another tag in one is none", () => {
    expect(shown("<style>a{}</b><img src=x></style>c")).toBe("<style>a{}<\\/b><img src=x></style>c");
  });

  test("the kind and the media of a sheet stay, and one that doesn't end does", () => {
    expect(shown('<style type="text/css" media="print" onload=x nonce=y>a{}')).toBe(
      '<style type="text/css" media="print">a{}</style>',
    );
  });
});

describe("elements that are open", () => {
  test.each<[string, string, string]>([
    ["an end without a beginning", "a</div></b></p></td>c", "ac"],
    [
      "an end in a cell of what began outside",
      "<font><table><tr><td>a</font>b</td></tr></table>c</font>",
      "<font><table><tr><td>ab</td></tr></table>c</font>",
    ],
    [
      "a part of a table ends none of the outer one",
      "<table><tr><td><table></td><tr><td>a</table>b</td></tr></table>",
      "<table><tr><td><table><tr><td>a</table>b</td></tr></table>",
    ],
    ["formatting that goes on", "<p><b>a<p>c</b>d", "<p><b>a<p>c</b>d"],
    ["formatting that goes on after its end", "<div><b>a</div><p>c</b>d", "<div><b>a</div><p>c</b>d"],
    [
      "rows and cells without ends",
      "<table><tr><td><b>a<td>c<tr><th>d<td>e</table>f",
      "<table><tr><td><b>a<td>c<tr><th>d<td>e</table>f",
    ],
    [
      "lists without ends",
      "<ul><li><p>a<li>b<ul><li>c</ul>d<li>e</ul><dl><dt>f<dd>g</dl>",
      "<ul><li><p>a<li>b<ul><li>c</ul>d<li>e</ul><dl><dt>f<dd>g</dl>",
    ],
  ])("%s", (_what, html, written) => {
    expect(shown(html)).toBe(written);
  });

  test("are at most so deep; those below lose their tags and keep their words", () => {
    const deep = MAX_HTML_DEPTH + 50;
    const written = shown(`${"<div>".repeat(deep)}a${"</div>".repeat(deep)}b`);
    expect(written).toBe(`${"<div>".repeat(MAX_HTML_DEPTH)}a${"</div>".repeat(MAX_HTML_DEPTH)}b`);
  });

  test("hundreds that a browser would open anew in each paragraph are closed where they end", () => {
    const one = (index: number) => `<p><font color="${index}">a</p>`;
    const written = shown(Array.from({ length: 500 }, (_, index) => one(index)).join(""));
    expect(written.match(/<\/font>/g)).toHaveLength(480);
  });

  test("rows, cells and items without ends are never deep", () => {
    const cells = "<tr><td><b><i>a<td>b".repeat(1_000);
    expect(shown(`<table>${cells}</table>c`) === `<table>${cells}</table>c`).toBe(true);
    const items = "<li><p>a".repeat(1_000);
    expect(shown(`<ul>${items}</ul>`) === `<ul>${items}</ul>`).toBe(true);
  });
});

describe("a mail as a page", () => {
  test("keeps the doctype, which says how it is read", () => {
    const legacy =
      '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/x.dtd">';
    expect(show(`${legacy}<p>a`).page.startsWith(`${legacy}<meta charset="utf-8">`)).toBe(true);
    expect(show("<p>a").page.startsWith('<meta charset="utf-8">')).toBe(true);
    expect(show("<!doctype svg><p>a").page.startsWith('<meta charset="utf-8">')).toBe(true);
  });

  test("names the remote pictures that aren't shown, each once, as far as they would be fetched", () => {
    expect(
      show(`<img src="${A}"><img src="${B}"><p style="b:url(${B})"><img src="cid:none">`).remote,
    ).toEqual([B]);
    const many = Array.from({ length: 100 }, (_, index) => `<img src="${B}?${index}">`).join("");
    expect(show(many).remote).toHaveLength(50);
  });

  test("without HTML is its text", () => {
    const { page, remote } = showMail({
      subject: "a<b",
      text: "\n<b>&c\u0000",
      html: " \n",
      pictures: KNOWN,
    });
    expect(page).toContain("<title>a&lt;b</title>");
    expect(page.endsWith("<pre>\n\n&lt;b&gt;&amp;c</pre>")).toBe(true);
    expect(remote).toEqual([]);
  });

  test("has words only after so many elements, and so many characters", () => {
    const many = shown(`${"<b>a</b>".repeat(MAX_HTML_ELEMENTS)}<i>c</i><script>d</script>`);
    expect(many.match(/<b>/g)).toHaveLength(MAX_HTML_ELEMENTS);
    expect(many.endsWith("</b>cd")).toBe(true);
    expect(shown("a".repeat(MAX_HTML_CHARS + 5))).toHaveLength(MAX_HTML_CHARS);
  });

  test.each<[string, (size: number) => string]>([
    ["open tags", (size) => "<p ".repeat(size)],
    ["open quotes", (size) => `<p style="${'\\"'.repeat(size)}`],
    ["open strings", (size) => `<style>${`'"`.repeat(size)}`],
    ["escaped quotes", (size) => `<style>${'"\\"'.repeat(size)}`],
    ["open URLs", (size) => `<style>${"url(".repeat(size)}`],
    ["open URLs in quotes", (size) => `<style>${'url("'.repeat(size)}`],
    ["imports", (size) => `<style>${"@import ".repeat(size)}`],
    ["fonts", (size) => `<style>${"@font-face{".repeat(size)}`],
    ["comments", (size) => `<style>${"/*".repeat(size)}`],
    ["styles", (size) => "<p style='a:url(b'>".repeat(size / 4)],
    ["sets", (size) => `<img srcset="${"a, ".repeat(size)}">`],
    ["commas", (size) => `<img srcset="${",".repeat(size)}">`],
    ["long candidates", (size) => `<img srcset="${"a b ".repeat(size)}">`],
    ["references", (size) => "&amp".repeat(size)],
    ["ends", (size) => "</div>".repeat(size)],
    ["formatting", (size) => "<b><p>".repeat(size)],
    ["drawings", (size) => "<svg>".repeat(size)],
    ["frames", (size) => "<iframe>".repeat(size)],
    ["comments that don't end", (size) => "<!--".repeat(size)],
  ])("is made of many %s in time that grows as they do", (_what, make) => {
    const time = (size: number) => {
      const html = make(size);
      const start = performance.now();
      show(html);
      return performance.now() - start;
    };
    time(20_000);
    const small = Math.min(time(20_000), time(20_000));
    const large = Math.min(time(200_000), time(200_000));
    // Ten times as many take a hundred times as long where it is quadratic.
    expect(large).toBeLessThan(Math.max(40 * small, 1_500));
  });
});
