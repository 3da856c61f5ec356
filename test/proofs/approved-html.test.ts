import fc from "fast-check";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cleanHtml } from "../../packages/core/src/mail/outgoing-html/index.ts";
import type { DraftRecord } from "../../packages/core/src/model/drafts.ts";
import { approvalLetters, draftAsked } from "../../packages/core/src/owners/notifications/index.ts";
import { caseCount, PROOF_SEED, PROOF_TIMEOUT_MS } from "../support/case-count.ts";
import { type PhoneBrowser, startPhoneBrowser } from "../support/phone-browser.ts";

/**
 * Proves the owner's view of a mail to approve against a real browser: every word that the sent HTML shows is in the
 * letter, in the same order, and none of the letter's words is hidden by the HTML. `§` stands for a new word.
 */
const TRICKS = [
  "§",
  " § ",
  '<p style="display:none;display:block!important">§</p>',
  '<p style="display:none!important;display:block">§</p>',
  "<style>.a{display:none}.b:after{content:'§'}p{display:none}body{color:#fff}</style>",
  '<p class="a">§</p><p class="b">§</p>',
  "<!--[if mso]><p>§</p><![endif]-->",
  "<![if !mso]>§<![endif]>",
  "<!--§-->§<!-->§-->§<!--->§--!>§",
  "<p hidden>§</p>",
  '<p hidden style="display:block!important">§</p>',
  "<noscript>§<p>§</noscript>",
  "<![CDATA[§]]>§",
  "<select><option>§<option selected>§</select>",
  "<select><optgroup label='§'><option>§</select>",
  '<textarea placeholder="§">§<b>§</textarea>',
  '<input value="§"><input type="image" alt="§"><button>§</button>',
  '<img src="https://x.test/a.png" alt="§">',
  '<img src="cid:plan" alt="§"><img src="data:image/png;base64,AA" alt="§">',
  '<img src="" alt="§" title="§">',
  "<svg><text>§</text><foreignObject><p>§</foreignObject></svg>",
  "<math><mtext>§<p>§</math>",
  "<title>§</title><title>§</svg>§",
  "<iframe>§</iframe><noembed>§</noembed><noframes>§</noframes><xmp>§<b>§</xmp>",
  "<object>§</object><video>§</video><audio>§</audio><canvas>§</canvas><template>§</template>",
  "<details><summary>§</summary>§</details><dialog>§</dialog>",
  "<table>§<tr>§<td>§</td>§</tr>§</table>",
  "<table><tr><td>§<table>§<td>§</table></table>§",
  "<tr><td>§</td></tr><li>§</li><tbody>§",
  '<table><tr><td rowspan="3">§<td>§<tr><td colspan="9">§</table>',
  "<table><caption>§</caption><colgroup><col>§<thead><tr><th>§</table>",
  '<a href="https://x.test/§">§<a href="https://y.test">§</a></a>',
  '<a href="javascript:alert(1)">§</a><a href="mailto:a@x.test">§</a><a name="x">§</a>',
  "<ul><li>§<li>§<ol start='7'><li>§</ul>§",
  "<p>§<div>§</div>§</p>§",
  "<h1>§<h2>§<p>§</h1>§",
  "<pre>\n\n  §  \n §</pre>",
  "<b>§<i>§</b>§</i>§",
  "<b><p>§</b>§</p>§",
  "10<sup>§</sup>2<sub>§</sub>",
  "<blockquote>§<blockquote>§</blockquote></blockquote>",
  '<font color="white" face="Wingdings" size="1">§</font>',
  '<p style="color:#fff">§</p><p style="color:rgb(250,250,250)">§</p><p style="color:transparent">§</p>',
  '<p style="color:white;background:#fff">§</p><div style="background:#000">§<p>§</p></div>',
  '<div bgcolor="#111" style="background:#111"><a href="https://x.test">§</a><table><tr><td>§</table></div>',
  '<p style="font-size:0">§</p><p style="font-size:1px">§</p><p style="font:0/0 a">§</p>',
  '<p style="position:absolute;left:-9999px">§</p><p style="margin:-99px;text-indent:-999px">§</p>',
  '<p style="height:0;overflow:hidden;max-height:0;line-height:0">§</p>',
  '<p style="opacity:0.01;transform:scale(0);clip:rect(0,0,0,0);filter:opacity(0)">§</p>',
  '<p style="visibility:hidden">§<span style="visibility:visible">§</span></p>',
  '<p style="d\\69splay:none;/**/visibility:hidden">§</p>',
  '<p style="width:0;padding:0 999px;margin-left:48px;max-width:1px">§</p>',
  '<bdo dir="rtl">§ §</bdo><p dir="rtl">§, § (§)</p><s>§</s><del>§</del><ruby>§<rt>§</ruby>',
  "\u202e§ §\u202c\u2066§\u200b§\u00ad§\u0008",
  "&#x202e;§&lt;p hidden&gt;§&nbsp;&zwj;§&#0;§",
  "<plaintext>§",
  "<p title='§' onclick='§' data-x='§'>§</p>",
  "<marquee>§</marquee><blink>§</blink><x-y hidden>§</x-y><o:p>§</o:p>",
  '<link rel="stylesheet" href="data:text/css,p{display:none}"><meta http-equiv="refresh" content="0;url=https://x.test"><base href="https://x.test">',
  "<form action='https://x.test'><fieldset><legend>§</legend><label>§</label></form>",
  "<p §",
  "</p></div></table>§",
  "<frameset><frame>§</frameset>",
  "<html style='display:none'><body style='color:#fff;display:none'>§",
  // Margins.
  '<p>§</p><div style="margin-top:-40px">§</div><div style="margin:0 -9px -40px">§</div><p>§</p>',
  '<p>§</p><table align="center" style="margin-top:-60px"><tr><td>§</table>',
  '<div style="margin:auto;width:60px">§ §</div><p style="margin:0 auto 0 auto">§</p>',
  '<table align="left"><tr><td>§</table><table align="right"><tr><td>§</table><center><table><tr><td>§</table></center>§',
  // Sizes.
  '<div style="width:0">§ §</div><div style="max-width:0">§ §</div><div style="width:1%">§ §</div>',
  '<table width="0"><tr><td width="0">§<td width="1">§ §<td style="width:0">§</table>',
  '<table width="1"><tr><td width="1" style="overflow-wrap:anywhere;word-break:break-all">§ §</table>',
  '<div style="width:10%"><div style="width:10%"><div style="width:10%">§ §</div></div></div>§',
  '<div style="box-sizing:border-box;width:60px;padding:0 40px">§ §</div>§',
  '<div style="height:0">§</div><div style="height:1px">§<br>§</div><table><tr><td height="0">§</table>§',
  '<table><tr><td height="9999" style="font-size:0;line-height:0">&nbsp;</td><td>§</table><div style="height:9999px"></div>§',
  '<table width="900"><tr><td width="300">§<td width="300">§ §<td width="300">§</table>',
  '<table width="600"><tr><td width="300"><p>§</p><table width="290"><tr><td>§</table><td width="300">§</table>',
  "<table><tr><td>§§§§§§§§§§§§§§§§§§§§§§§§<td>§§§§§§§§§§§§§§§§§§§§<td>§</table>",
  "<table><tr><td>§§§§§§§§§§§§§§§§§§§§§§§§<td>§§§§§§§§§§§§§§§§§§§§<tr><td>§<td>§</table>",
  // Lines.
  '<p style="line-height:0">§<br>§</p><p style="line-height:.1">§<br>§</p><p style="line-height:3px">§<br>§</p>',
  '<div style="line-height:16px"><p style="font-size:60px">§<br>§</p><h1>§<br>§</h1><font size="7">§</font></div>',
  '<p style="font:60px/1px arial">§<br>§</p><p style="font:1px/1 arial">§</p>',
  '<div style="font-size:0;line-height:0;height:0"><img src="https://x.test/a.png" alt="§"><p>§</p><p></p></div>§',
  '<span style="vertical-align:-900px">§</span><span style="vertical-align:top">§</span>§',
  // Display.
  '<p style="display:none!important;display:block">§</p><p style="display:block;display:none">§</p>',
  '<p style="display:block!important;display:none">§</p><p style="display:none;display:block!important">§</p>',
  '<style>.k{display:block!important}.n{display:none!important}.o{display:none}</style><p class="k" style="display:none">§</p><p class="n" style="display:block">§</p><p class="o" style="display:block">§</p>',
  '<div style="display:inline-block">§</div><div style="display:inline-block">§</div>§',
  '<div style="display:inline-block"><p>§</p></div><div style="display:inline-block">§<div>§</div></div>§',
  '<div style="display:inline-block;width:50%">§</div><div style="display:inline-block;width:50%"><p>§</p></div>§',
  '§<span style="display:block">§</span>§<a href="https://x.test/" style="display:block">§</a><b style="display:inline-block">§</b>§',
  '<p style="display:inline">§</p><p style="display:inline">§</p><div style="display:contents">§</div>',
  '<div style="display:flex"><p>§</p><p>§</p></div><div style="display:grid">§</div><div style="display:table-column">§</div>',
  '<div style="display:table-cell">§</div><div style="display:table-cell">§</div><div style="display:table">§</div>',
  '<table><tr><td style="display:block">§<td style="display:block">§<td>§<td style="display:inline">§</table>',
  '<table style="display:block"><tr style="display:inline"><td style="display:inline-block">§<td>§</table>',
  '<ul style="display:inline"><li style="display:inline">§<li style="display:block">§</ul>',
  // Colours.
  '<table bgcolor="#000000"><tr><td>§<td bgcolor="black" style="color:#111">§<tr bgcolor="#fff"><td><font color="#fffffe">§</font></table>',
  '<table bgcolor="white"><tr bgcolor="black"><td>§<td bgcolor="white">§<td style="background:transparent">§</table>',
  "<style>td,.c{color:#fff;background:#fff}.c{color:#fffffe!important}#d{background:#000!important}</style><table><tr><td>§<td class=c id=d>§</table><p class=c>§</p><p id=d style='background:#fff'>§</p>",
  '<a href="https://x.test/" style="text-decoration:none;color:#fff">§</a><p style="text-decoration:line-through">§</p>',
  // Tables within tables.
  `${'<table cellpadding="48" cellspacing="48" border="8"><tr><td>'.repeat(9)}§ §${"</table>".repeat(9)}§`,
  `${'<table align="center" width="90%"><tr><td style="padding-left:40px">'.repeat(12)}§ §${"</table>".repeat(12)}`,
  '<table cellspacing="-90" cellpadding="-90" border="-1"><tr><td>§<td>§</table><table style="border-collapse:collapse;border-spacing:-90px 900px"><tr><td>§</table>',
  // Style sheets.
  "<style>@media (min-width:1px){.m{display:none}}@media(max-width:9999px){.x{display:none}}@media print{p{display:none}}</style><p class=m>§</p><p class=x>§</p>",
  "<style>p{margin:-99px;font-size:0;line-height:0;color:#fff;position:absolute;height:0;overflow:hidden}</style><p>§</p><p>§</p>",
  "<style>/* p{} */ div > p.y{width:0} [class=z]{padding:900px} *{text-indent:-99px} a,,b{} {} } p{color</style><div><p class=y>§</p></div><p class=z>§</p>",
  "<style media=print>p{display:none}</style><style>p::before,p:first-letter{color:#fff}</style><p>§</p>",
];
const WRAPPERS = [
  "∘",
  "<p>∘</p>",
  "<div>∘</div>",
  "<b>∘</b>",
  "<small>∘</small>",
  "<h1>∘</h1>",
  "<pre>∘</pre>",
  "<ul><li>∘</ul>",
  "<table><tr><td>∘</table>",
  "<table>∘</table>",
  "<tr>∘",
  "<blockquote>∘",
  '<a href="https://x.test">∘</a>',
  '<div style="background:#003;color:#eef">∘</div>',
  '<div style="background-color:#3030ff">∘</div>',
  '<p style="background:#000;color:#fff;font-size:10px">∘</p>',
  '<span style="color:#888;font-size:.6em">∘</span>',
  '<div style="margin:0 48px;padding:48px;width:40px">∘</div>',
  '<td style="background:#222">∘</td>',
  '<div style="display:inline-block">∘</div>',
  '<div style="display:inline-block;width:45%">∘</div>',
  '<span style="display:block;line-height:12px">∘</span>',
  '<table cellpadding="30" cellspacing="9" width="600" align="center" bgcolor="#333"><tr><td width="90">∘<td>x</table>',
  '<table width="80%"><tr><td style="display:block">∘<td style="display:block">x</table>',
  '<div style="line-height:1;width:120px;margin:0 auto">∘</div>',
  "<sup>∘</sup>",
  "<code>∘</code>",
];

const anyHtml: fc.Arbitrary<string> = fc
  .array(
    fc.tuple(
      fc.array(fc.constantFrom(...WRAPPERS), { maxLength: 6 }),
      fc.array(fc.constantFrom(...TRICKS), { maxLength: 3 }),
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((parts) => numbered(parts.map(([wrappers, tricks]) => wrap(wrappers, tricks.join(""))).join("")));

const wrap = (wrappers: string[], inside: string): string =>
  wrappers.reduceRight((html, wrapper) => wrapper.replace("∘", () => html), inside);

function numbered(html: string): string {
  let count = 0;
  return html.replace(/§/g, () => `w${++count}z`);
}

/** A browser's rendering of HTML: its words, and the texts that are there but invisible. */
interface Shown {
  text: string;
  unseen: string[];
  words: string;
}

let browser: PhoneBrowser;
let page: Page;
beforeAll(async () => {
  browser = await startPhoneBrowser();
  page = await browser.open("about:blank");
  await page.route("**", (route) => route.abort());
});
afterAll(() => browser.close());

async function shownBy(html: string, doctype: boolean): Promise<Shown> {
  await page.setContent(`${doctype ? "<!doctype html>" : ""}<html><body>${html}</body></html>`);
  return page.evaluate<Shown>(LOOK_AT);
}

/** Runs in the browser, whose types this workspace doesn't have. */
const LOOK_AT = String.raw`(() => {
  const channels = (color) => (color.match(/\d+(?:\.\d+)?/g) ?? []).map(Number);
  const luminance = (color) =>
    channels(color)
      .slice(0, 3)
      .map((channel) => channel / 255)
      .map((channel) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4))
      .reduce((sum, channel, at) => sum + channel * [0.2126, 0.7152, 0.0722][at], 0);
  const backgroundOf = (element) => {
    if (element === null) return "rgb(255, 255, 255)";
    const { backgroundColor } = getComputedStyle(element);
    return channels(backgroundColor)[3] === 0 ? backgroundOf(element.parentElement) : backgroundColor;
  };
  const unseen = [];
  const texts = [];
  const places = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    if (node.textContent.trim() === "") continue;
    texts.push(node.textContent);
    const style = getComputedStyle(element);
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    const [dark, light] = [luminance(style.color), luminance(backgroundOf(element))].sort((a, b) => a - b);
    for (const found of node.textContent.matchAll(/[\p{L}\p{N}]+/gu)) {
      range.setStart(node, found.index);
      range.setEnd(node, found.index + found[0].length);
      for (const line of range.getClientRects()) places.push({ word: found[0], line });
    }
    const faults = [
      (light + 0.05) / (dark + 0.05) < 1.99 ? style.color + " on " + backgroundOf(element) : "",
      Number.parseFloat(style.fontSize) < 7 ? "size " + style.fontSize : "",
      box.width < 1 || box.height < 1 || box.left < -1 || box.top + scrollY < -1 ? "place" : "",
      style.visibility !== "visible" || style.opacity !== "1" ? "hidden" : "",
    ].filter((fault) => fault !== "");
    if (faults.length > 0) unseen.push(node.textContent + ": " + faults.join(", "));
  }
  // No more than the edges of lines touch.
  places.forEach(({ word, line }, index) => {
    for (const { word: other, line: under } of places.slice(index + 1)) {
      const width = Math.min(line.right, under.right) - Math.max(line.left, under.left);
      const height = Math.min(line.bottom, under.bottom) - Math.max(line.top, under.top);
      if (width > 1 && height > 0.5 * Math.min(line.height, under.height)) unseen.push(word + " over " + other);
    }
  });
  // Columns are apart from each other by their width.
  for (const column of document.querySelectorAll("div, span, a, p"))
    if (column.style.display === "inline-block" && column.style.width !== "") {
      column.before(" ");
      column.after(" ");
    }
  for (const image of document.querySelectorAll("img"))
    image.replaceWith(image.alt === "" ? "[image]" : "[image: " + image.alt + "]");
  for (const raised of document.querySelectorAll("sup")) raised.prepend("^");
  for (const lowered of document.querySelectorAll("sub")) lowered.prepend("_");
  return { text: document.body.innerText, unseen, words: texts.join(" ") };
})()`;

/** The letter that asks about a mail with this cleaned HTML. */
function letterAbout(clean: { text: string; html: string }): { text: string; whole: boolean } {
  const draft = {
    to: ["ada@example.org"],
    cc: [],
    bcc: [],
    names: {},
    reply_to: null,
    subject: "Offer",
    headers: {},
    attachments: [],
    send_at: null,
    ...clean,
  } as unknown as DraftRecord;
  const asked = draftAsked(draft);
  const { sealed } = approvalLetters(asked, {
    inbox_email: "agent@mail.test",
    display_name: null,
    expires_at: "2026-01-01T00:00:00.000Z",
    reasons: { shown: [], sealed: [] },
    url: "https://mail.test/approve",
    style_url: "https://mail.test/style",
  });
  // Besides the visible text, the letter has the targets of links.
  return { text: sealed.text.replace(/ <(?:https?|mailto):[^>\s]*>/g, ""), whole: asked.whole };
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

/** The first word that `all` doesn't have in its place; undefined if it has all of them in this order. */
function firstMissing(words: readonly string[], all: readonly string[]): string | undefined {
  let at = 0;
  for (const word of words) {
    const found = all.indexOf(word, at);
    if (found < 0) return word;
    at = found + 1;
  }
  return undefined;
}

async function checkShown(html: string): Promise<void> {
  const { changes: _changes, ...clean } = cleanHtml(html, new Set(["plan"]));
  expect(cleanHtml(clean.html, new Set(["plan"]))).toEqual({ ...clean, changes: [] });
  const letter = letterAbout(clean);
  expect(letter.whole).toBe(true);
  for (const doctype of [true, false]) {
    const shown = await shownBy(clean.html, doctype);
    expect(
      firstMissing(wordsOf(shown.text), wordsOf(letter.text)),
      `${clean.html}\n${letter.text}`,
    ).toBeUndefined();
    expect(shown.unseen, clean.html).toEqual([]);
    // Everything in the text part is shown.
    const seen = wordsOf(shown.words);
    expect(
      wordsOf(clean.text).filter(
        (word) =>
          /^w\d+z$/.test(word) &&
          !seen.includes(word) &&
          !clean.html.includes(`alt="${word}`) &&
          !clean.html.includes(`/${word}`),
      ),
      clean.html,
    ).toEqual([]);
  }
}

describe("what the sent HTML shows is in the letter", () => {
  test.each(TRICKS)("%s", async (trick) => {
    await expect(checkShown(numbered(`§ ${trick} §`))).resolves.toBeUndefined();
  });

  test(
    "however it is nested",
    async () => {
      await fc.assert(fc.asyncProperty(anyHtml, checkShown), {
        seed: PROOF_SEED,
        numRuns: caseCount(150, 20_000),
      });
    },
    PROOF_TIMEOUT_MS,
  );
});

test("a browser shows hidden words of HTML that is not cleaned", async () => {
  const shown = await shownBy(
    '<p style="color:#fff">one</p><style>p:after{content:"two"}</style><p hidden>three</p>',
    true,
  );
  expect(shown.unseen).toEqual(
    expect.arrayContaining([expect.stringContaining("one:"), expect.stringContaining("three:")]),
  );
});
