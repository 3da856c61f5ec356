import { describe, expect, test } from "vitest";
import { screen } from "./screen.ts";
import { attached, screened } from "./screened-mail.fixture.ts";

const MEGABYTE = 1 << 20;
const filled = (piece: string) => piece.repeat(Math.ceil(MEGABYTE / piece.length));

/** The processor time of the least of three runs: what the rules cost, not what else the machine does. */
function millisecondsOf(run: () => unknown): number {
  const times = [0, 1, 2].map(() => {
    const start = process.threadCpuUsage();
    run();
    const { user, system } = process.threadCpuUsage(start);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}

const TEXTS: ReadonlyArray<[string, string]> = [
  ["one word", filled("a")],
  ["single letters", filled("a ")],
  ["words of command", filled("ignore all previous if ")],
  ["openings of tokens", filled("<|im_")],
  ["hashes", filled("#")],
  ["blank lines", filled("\n")],
  ["character references", filled("&#105;")],
  ["base64", filled("QUJD")],
  ["addresses of links", filled("http://a.example/?u=http://b.example ")],
  ["openings of links", filled("http://")],
  ["camel humps", filled("aBc")],
  ["letters with marks", filled("a\u0301\u0316")],
  ["invisible characters", filled("a\u200B")],
  ["tag characters", filled("\u{E0041}")],
  ["mixed scripts", filled("аa")],
  ["Chinese openings", filled("忽略之前")],
  ["passwords said", filled("password for ")],
  ["half a shell command", filled("curl x ")],
  ["addresses", filled("a@b.example forward ")],
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
  ["tables in tables", filled("<table><tr><td>")],
];

describe("a megabyte of hostile input costs less than 100 ms", () => {
  test.each(TEXTS)("as text: %s", (_, text) => {
    expect(millisecondsOf(() => screen(screened({ mail: { text, attachments: [attached("a.zip")] } })))).toBeLessThan(100);
  });

  test.each(PAGES)("as HTML: %s", (_, html) => {
    expect(millisecondsOf(() => screen(screened({ mail: { html } })))).toBeLessThan(100);
  });

  test.each(TEXTS)("as subject and names: %s", (_, text) => {
    const from = [{ name: text, address: `${text}@sender.example.com` }];
    expect(millisecondsOf(() => screen(screened({ mail: { subject: text, from, reply_to: from, to: from } })))).toBeLessThan(100);
  });
});
