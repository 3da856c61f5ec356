import { describe, expect, test } from "vitest";
import { measureThreadCpu } from "../../../../../test/support/processor-time.ts";
import { markedBlocks } from "../annotated-view/blocks.ts";
import { extractNewText } from "../reply-extraction/extract.ts";

const read = (html: string, text = "") => extractNewText({ text, html, subject: "Hi", is_reply: false });
const textOf = (html: string) => read(html).extracted_text;

describe("the new text of HTML says where a link leads", () => {
  test.each([
    [
      "behind its words",
      `See <a href="https://a.example/b?c=1">the report</a>.`,
      "See the report (https://a.example/b?c=1).",
    ],
    [
      "once, then by its host",
      `<a href="https://a.example/b">A</a>, <a href="https://a.example/b">B</a>`,
      "A (https://a.example/b), B (https://a.example/…)",
    ],
    [
      "by its host if it is long",
      `<a href="https://a.example/${"b".repeat(300)}">A</a>`,
      "A (https://a.example/…)",
    ],
    [
      "by its real host",
      `<a href="https://bank.example@evil.example/x">bank.example</a>`,
      "bank.example (https://evil.example/…)",
    ],
    [
      "in plain letters",
      `<a href="https://b\u0430nk.example/x">Bank</a>`,
      "Bank (https://xn--bnk-6cd.example/x)",
    ],
    [
      "unless its words do",
      `<a href="https://a.example/b/">a.example/b</a> <a href="mailto:a@b.example">a@b.example</a>`,
      "a.example/b a@b.example",
    ],
    ["to a mailbox", `<a href="mailto:a@b.example?subject=x">Write</a>`, "Write (mailto:a@b.example)"],
    [
      "to nowhere and within the page",
      `<a href="http://">A</a> <a href="#x">B</a>`,
      "A (a link to nowhere) B",
    ],
    [
      "behind an image alone",
      `<p>Hi</p><a href="https://a.example/b"><img alt="Pay now"></a><img alt="Logo">`,
      "Hi Pay now (https://a.example/b)",
    ],
    [
      "in a quote that stays",
      `<blockquote><a href="https://a.example/b">A</a></blockquote><p>Yes</p>`,
      "> A (https://a.example/b)\n\nYes",
    ],
  ])("%s", (_, html, text) => {
    expect(textOf(html)).toBe(text);
  });

  test("and has the words of its images if it shows nothing else", () => {
    const html = `<div><img src="a.png" alt="Spring sale"></div><div><a href="https://a.example/b"><img alt="Buy"></a><img alt=""></div>`;
    expect(textOf(html)).toBe("Spring sale\nBuy (https://a.example/b)");
    expect(textOf(`<p>Hi</p>${html}`)).not.toContain("Spring sale");
  });

  test("but not of what it leaves out", () => {
    const html = `<p>Yes.</p><div class="yahoo_quoted"><a href="https://a.example/old">Old</a></div><a href="https://b.example/x" style="display:none">x</a>`;
    expect(read(html)).toMatchObject({ extracted_text: "Yes.", links: [] });
  });
});

describe("the links of the new text are listed", () => {
  test("each address once, of HTML and of text, with their words and hosts", () => {
    const html = `<a href=" https://A.example/b?c=1&amp;d ">the\n  report</a> <a href="https://a.example/b?c=1&d">again</a> https://c.example/e. <a href="javascript:x()">x</a>`;
    expect(read(html).links).toEqual([
      { text: "the report", url: "https://a.example/b?c=1&d", host: "a.example" },
      { text: "https://c.example/e", url: "https://c.example/e", host: "c.example" },
    ]);
    expect(read("", "See www.a.example/b").links).toEqual([
      { text: "www.a.example/b", url: "https://www.a.example/b", host: "www.a.example" },
    ]);
  });

  const LONG = `https://a.example/verify?token=${"0a1b2c3d".repeat(5)}`;
  test.each([
    ["broken over lines between brackets", `Here:\n<${LONG}\n4f5e&type=x>\n`, [`${LONG}4f5e&type=x`]],
    ["broken twice, with blanks", `<${LONG}\r\n  4f5e\r\n  &type=x >`, [`${LONG}4f5e&type=x`]],
    ["cut by a line break without brackets", `Here: ${LONG}\n4f5e&type=x\nBye`, []],
    ["cut before a last piece", `Here: ${LONG}\n4f5e6a7b\n`, []],
    ["at the end of a long line", `Here: ${LONG}\nThanks, Ada`, [LONG]],
    ["above another link", `Here: ${LONG}\nhttps://b.example/x=y`, [LONG, "https://b.example/x=y"]],
    ["above a list", `Here: ${LONG}\n- a=b\n`, [LONG]],
    ["at the end of a short line", "Here: https://a.example/b\nc=d&e=f\n", ["https://a.example/b"]],
    ["between brackets in a sentence", `<${LONG}> and\nmore> x`, [LONG]],
  ])("%s: whole or not at all", (_, text, urls) => {
    expect(
      extractNewText({ text, html: null, subject: "", is_reply: false }).links.map(({ url }) => url),
    ).toEqual(urls);
  });

  test("50 at most", () => {
    const text = Array.from({ length: 80 }, (_, index) => `https://a.example/${index}`).join("\n");
    expect(read("", text).links).toHaveLength(50);
  });
});

test.each([
  ["lines of one preformatted text", `<pre>${"a b\n".repeat(100_000)}</pre>`],
  ["links", `<a href="https://a.example/b">x</a>`.repeat(15_000)],
  ["one link over many lines", `<a href="https://a.example/b">${"x<br>".repeat(15_000)}</a>`],
  ["images", `<img alt="a b">`.repeat(19_000)],
  ["brackets", `<p>${"&lt;https://a.example/".repeat(20_000)}</p>`],
  ["wrapped lines", `<pre>&lt;https://a.example/${"a\n".repeat(200_000)}</pre>`],
])("%s take linear time", async (_, html) => {
  const mail = { text: "", html, subject: "", is_reply: false };
  const used = await measureThreadCpu(() => {
    extractNewText(mail);
    markedBlocks(mail);
  });
  expect(used).toBeLessThan(4_000);
});
