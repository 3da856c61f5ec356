import { describe, expect, test } from "vitest";
import { screeningInput } from "../../../../test/screened-mail.ts";
import { FAMILY_CAPS, SIGNALS, type SignalType, SUSPICIOUS_FROM } from "../../../catalogue/signals.ts";
import { scoreOf } from "../score/score.ts";
import { screenMail } from "../screen.ts";

const WORDS = "The council met on Tuesday to talk about the bridge. ";
const LINK = '<a href="https://elsewhere.example.org/">Open</a>';
const BUTTON = '<a style="padding:9px" href="https://elsewhere.example.org/">Open</a>';
const OWN_BUTTON = '<a style="padding:9px" href="https://app.sender.example.com/">Open</a>';

const typesOf = (html: string, headers: { name: string; value: string }[] = []) =>
  screenMail(screeningInput({ mail: { html, headers } })).findings.map(({ type }) => type);

describe("a page's layout", () => {
  test.each<[string, string, SignalType, boolean]>([
    ["a button elsewhere and few words", `<p>Hello</p>${BUTTON}`, "lone_button", true],
    ["a button in a coloured cell", `<table><tr><td bgcolor="#0055aa">${LINK}`, "lone_button", false],
    [
      "a link with its own background",
      `<p>Hi</p>${LINK.replace("<a", '<a style="background:#05a"')}`,
      "lone_button",
      true,
    ],
    ["a plain link", `<p>Hello</p>${LINK}`, "lone_button", false],
    ["a button to the sender's own site", `<p>Hello</p>${OWN_BUTTON}`, "lone_button", false],
    ["a button under a long text", `<p>${WORDS.repeat(20)}</p>${BUTTON}`, "lone_button", false],
    ["a picture with a caption", `<img src="cid:1"><p>${WORDS}</p>${LINK}`, "caption_only", true],
    ["a picture with a text", `<img src="cid:1"><p>${WORDS.repeat(9)}</p>${LINK}`, "caption_only", false],
    ["a brand's picture", `<img src="https://img.paypal.com/a.png">${LINK}`, "brand_picture", true],
    [
      "a brand's picture and a link to it",
      `<img src="https://img.paypal.com/a.png"><a href="https://www.paypal.com/">Open</a>`,
      "brand_picture",
      false,
    ],
    [
      "a picture that anybody may have put there",
      `<img src="//i.imgur.com/a.png">${LINK}`,
      "hosted_picture",
      true,
    ],
    ["a picture of a shop", `<img src="https://cdn.shop.example/a.png">${LINK}`, "hosted_picture", false],
    [
      "more hidden than shown",
      `<p>Hi</p><p style="display:none">${WORDS.repeat(5)}</p>`,
      "mostly_hidden",
      true,
    ],
    [
      "a hidden preheader",
      `<p style="display:none">${WORDS}</p><p>${WORDS.repeat(3)}</p>`,
      "mostly_hidden",
      false,
    ],
  ])("%s", (_, html, type, found) => {
    expect(typesOf(html).includes(type)).toBe(found);
  });

  test("an offer to unsubscribe counts only where the headers don't make it", () => {
    const page = '<a href="https://sender.example.com/u">Se désabonner</a>';
    expect(typesOf(page)).toContain("unsubscribe_unannounced");
    expect(typesOf(page, [{ name: "list-unsubscribe", value: "<mailto:u@x.example>" }])).not.toContain(
      "unsubscribe_unannounced",
    );
  });

  test("alone never comes near holding a mail", () => {
    const all = (Object.keys(SIGNALS) as SignalType[]).filter((type) => SIGNALS[type].family === "layout");
    expect(scoreOf(all.map((type) => ({ type })))).toBeLessThanOrEqual(FAMILY_CAPS.layout);
    expect(FAMILY_CAPS.layout).toBeLessThan(SUSPICIOUS_FROM);
  });
});
