import { describe, expect, test } from "vitest";
import { extractNewText } from "./extract.ts";
import { SIGN_RULES } from "./html-signs.ts";

const textOf = (html: string) =>
  extractNewText({ text: "", html, subject: "Re: Plan", is_reply: true }).extracted_text;
const MARKS = SIGN_RULES.flatMap(({ ids = [], classes = [], reason }) => [
  ...ids.map((name) => ({ reason, name, attribute: "id" })),
  ...classes.map((name) => ({ reason, name, attribute: "class" })),
]);

describe("content marked as history or signature is removed", () => {
  test.each(MARKS)("$reason: $attribute $name", ({ name, attribute }) => {
    const old = ["stopspelling", "zwchr"].includes(name)
      ? `<hr ${attribute}="${name}"><p>Old</p>`
      : `<div ${attribute}="${name}"><blockquote>Old</blockquote></div>`;
    expect(textOf(`<p>Yes.</p>${old}`)).toBe("Yes.");
    expect(textOf(`<p>Yes.</p>${old.replace(`"${name}"`, `"x_${name}"`)}`)).toBe("Yes.");
  });
  test.each([
    `<div name="quote">Old</div>`,
    `<div name="messageReplySection">Old</div>`,
    `<div name="messageSignatureSection">Old</div>`,
    `<div data-signatureblock="true">Old</div>`,
    `<div data-marker="__SIG_PRE__">Old</div>`,
    `<blockquote type="CITE">Old</blockquote>`,
    `<div style="border-top:solid windowtext 1.0pt"><p><b>Xx:</b> Ada</p></div><p>Old</p>`,
  ])("by another sign: %s", (old) => {
    expect(textOf(`<p>Yes.</p>${old}`)).toBe("Yes.");
  });
  test.each([
    `<p id="quote">New</p>`,
    `<a name="quote">New</a>`,
    `<div class="signatures">New</div>`,
    `<div data-signatureblock="false">New</div>`,
    `<div style="border-top:solid windowtext 1.0pt"><p>New</p></div>`,
  ])("lookalikes stay: %s", (html) => {
    expect(textOf(`<p>Yes.</p>${html}`)).toMatch(/^Yes\.\s+New$/);
  });
});
