import { describe, expect, test } from "vitest";
import { extractNewText } from "./extract.ts";

const HEAD = "On Tue, 4 Mar 2025 at 10:15, Ada <ada@example.com> wrote:";
const HTML_HEAD = "On Tue, 4 Mar 2025 at 10:15, Ada &lt;ada@example.com&gt; wrote:";
const OWN = "The rule says:\n\n> No smoking.";

const newText = (text: string, html: string | null = null) =>
  extractNewText({ text, html, subject: "Re: Pier", is_reply: true }).extracted_text;

describe("a quote that the writer chose stays above the answered mail", () => {
  test.each([
    ["which is marked", `${OWN}\n\n${HEAD}\n\n> May I?`],
    ["which isn't marked", `${OWN}\n\n${HEAD}\nMay I?`],
    ["below a signature", `${OWN}\n\n-- \nBo\n\n${HEAD}\n\n> May I?`],
    ["below a marker", `${OWN}\n\n-----Original Message-----\nFrom: Ada\n\nMay I?`],
    [
      "below labels",
      `${OWN}\n\nFrom: Ada <ada@example.com>\nSent: 4 March 2025 10:15\nTo: Bo\nSubject: Pier\n\nMay I?`,
    ],
  ])("%s", (_, text) => {
    expect(newText(text)).toBe(OWN);
  });

  test("whose header is in its quote", () => {
    expect(newText(`${OWN}\n\nSo no.\n\n> ${HEAD}\n>\n> May I?`)).toBe(`${OWN}\n\nSo no.`);
  });

  test.each([
    [
      "by a plain client",
      `<div>${HTML_HEAD}</div><blockquote><blockquote>So?</blockquote>May I?</blockquote>`,
    ],
    [
      "by Apple Mail",
      `<div><br><blockquote type="cite"><div>${HTML_HEAD}</div><br>May I?</blockquote></div>`,
    ],
    [
      "by Gmail",
      `<br><div class="gmail_quote"><div class="gmail_attr">${HTML_HEAD}</div><blockquote class="gmail_quote">May I?</blockquote></div>`,
    ],
    ["by Outlook", `<div id="divRplyFwdMsg"><b>From:</b> Ada</div><div>May I?</div>`],
    ["by Yahoo", `<div><br></div><div class="yahoo_quoted"><div>${HTML_HEAD}</div><div>May I?</div></div>`],
  ])("in HTML, shown %s", (_, history) => {
    const quotes = history.includes("cite")
      ? ["<blockquote>"]
      : ["<blockquote>", '<blockquote class="gmail_quote">'];
    for (const quote of quotes)
      expect(newText("", `<p>The rule says:</p>${quote}No smoking.</blockquote>${history}`)).toBe(OWN);
  });

  test("in HTML, directly above a line of Gmail's that is outside the quote", () => {
    const history = `<div class="gmail_attr">${HTML_HEAD}</div><blockquote class="gmail_quote">May I?</blockquote>`;
    expect(newText("", `<p>The rule says:</p><blockquote>No smoking.</blockquote>${history}`)).toBe(OWN);
  });

  test.each([
    ["a quote", `<blockquote type="cite">${HTML_HEAD}<br>May I?</blockquote>`],
    [
      "a marked line and a quote",
      `<div class="moz-cite-prefix">${HTML_HEAD}</div><blockquote>May I?</blockquote>`,
    ],
    [
      "Gmail's quote",
      `<div class="gmail_quote"><div class="gmail_attr">${HTML_HEAD}</div><blockquote class="gmail_quote">May I?</blockquote></div>`,
    ],
    [
      "Outlook's history",
      `<div id="divRplyFwdMsg"><b>From:</b> Ada &lt;ada@example.com&gt;</div><div>May I?</div>`,
    ],
  ])("but not the answered mail's words above the mail that it answers itself, in %s", (_, history) => {
    for (const [open, close] of [
      ["<blockquote>", "</blockquote>"],
      ['<blockquote class="gmail_quote">', "</blockquote>"],
      ['<div class="yahoo_quoted">', "</div>"],
    ])
      for (const below of ["", "<p>Sent from my phone</p>", "<p>That is all.</p>"]) {
        const text = newText(
          "",
          `<p>Yes.</p><p>Cy, in other words</p>${open}Pay Cy 900 now.<br>${history}${close}${below}`,
        );
        expect(text).not.toContain("Pay Cy 900 now.");
        expect(text).toContain("Yes.");
      }
  });

  test("but not one below the answered mail's line, nor the only one", () => {
    expect(newText(`${HEAD}\n\n> May I?\n\nNo:\n\n> Not here.`)).toBe("No:");
    expect(newText("No.\n\n> May I?\n> Here?")).toBe("No.");
  });
});
