import { describe, expect, test } from "vitest";
import { measureThreadCpu } from "../../../../../test/support/processor-time.ts";
import { attached, screeningInput } from "../../../test/screened-mail.ts";
import { screenMail } from "./screen.ts";

const MEGABYTE = 1 << 20;
const filled = (piece: string) => piece.repeat(Math.ceil(MEGABYTE / piece.length));

/** Quadratic work takes minutes on a megabyte. */
const BOUND_MS = 1_000;

const TEXTS: ReadonlyArray<[string, string]> = [
  ["one word", filled("a")],
  ["single letters", filled("a ")],
  ["words of command", filled("ignore all previous if ")],
  ["openings of tokens", filled("<|im_")],
  ["hashes", filled("#")],
  ["blank lines", filled("\n")],
  ["character references", filled("&#105;")],
  ["base64", filled("QUJD")],
  ["words that could be base64", filled(`${"z".repeat(8_000)} `)],
  ["addresses of links", filled("http://a.example/?u=http://b.example ")],
  ["openings of links", filled("http://")],
  ["camel humps", filled("aBc")],
  ["letters with marks", filled("a\u0301\u0316")],
  ["invisible characters", filled("a\u200B")],
  ["tag characters", filled("\u{E0041}")],
  ["mixed scripts", filled("аa")],
  ["Chinese openings", filled("忽略之前")],
  ["Thai without spaces", filled("คำสั่ง")],
  ["Morse code", filled(".- ")],
  ["decimal numbers", filled("65 ")],
  ["binary numbers", filled("01000001 ")],
  ["pieces of text", filled('a="b" ')],
  ["openings of headings", filled("\n> new ")],
  ["openings of separators", filled("--- end of ")],
  ["rotated words", filled("gur ")],
  ["links with codes", filled("http://x.example/a1b2c3d4-e5f6 ")],
  ["passwords said", filled("password for ")],
  ["half a shell command", filled("curl x ")],
  ["addresses", filled("a@b.example forward ")],
  ["openings of comments of programs", filled("/* ")],
];

const PAGES: ReadonlyArray<[string, string]> = [
  ["deep elements", filled("<div>")],
  ["deep elements closed in the wrong order", "<b>".repeat(16_000) + "</i>".repeat(12_000)],
  ["openings of tags", filled("<")],
  ["openings of comments", filled("<!--")],
  ["style sheets", filled("<style>.a{display:none}</style>")],
  ["attributes", `<a ${filled("x=1 ")}>`],
  ["a long style", `<p style="${filled("color ")}">x`],
  ["links", filled("<a href=http://paypa1.example/>www.x.example")],
  ["lines without end", filled("<br>\n")],
  ["buttons", filled('<a style="padding:9px" href=http://a.example>')],
  ["pictures", filled('<img src="//i.imgur.com/a.png">')],
  ["tables in tables", filled("<table><tr><td>")],
];

describe("a megabyte of hostile input costs less than a second", () => {
  test.each(TEXTS)("as text: %s", async (_, text) => {
    expect(
      await measureThreadCpu(() =>
        screenMail(screeningInput({ mail: { text, attachments: [attached("a.zip")] } })),
      ),
    ).toBeLessThan(BOUND_MS);
  });

  test.each(PAGES)("as HTML: %s", async (_, html) => {
    expect(await measureThreadCpu(() => screenMail(screeningInput({ mail: { html } })))).toBeLessThan(
      BOUND_MS,
    );
  });

  test.each(TEXTS)("as subject and names: %s", async (_, text) => {
    const from = [{ name: text, address: `${text}@sender.example.com` }];
    expect(
      await measureThreadCpu(() =>
        screenMail(screeningInput({ mail: { subject: text, from, reply_to: from, to: from } })),
      ),
    ).toBeLessThan(BOUND_MS);
  });
});
