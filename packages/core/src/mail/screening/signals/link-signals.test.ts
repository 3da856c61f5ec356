import { describe, expect, test } from "vitest";
import { screeningInput } from "../../../../test/screened-mail.ts";
import { SIGNALS, type SignalType } from "../../../catalogue/signals.ts";
import type { ParsedMail } from "../../../model/parsed-mail.ts";
import { screenMail } from "../screen.ts";

/** These mails are little more than a link, which leads away from their sender. */
const ALL_HAVE = new Set<SignalType>(["lone_link", "links_elsewhere"]);

/** Returns the other link signals of a mail. */
const linkTypes = (mail: Partial<ParsedMail>) =>
  screenMail(screeningInput({ mail }))
    .findings.map(({ type }) => type)
    .filter((type: SignalType) => SIGNALS[type].family === "links" && !ALL_HAVE.has(type));

const TEXTS: ReadonlyArray<[string, string, string[]]> = [
  ["an ordinary link", "See https://docs.example.com/a?b=c#d.", []],
  ["a link to the sender's own site", "See https://sender.example.com:8443/x", []],
  ["an IP address", "See http://192.0.2.7/login", ["link_ip_host"]],
  ["an IP address written as one number", "See http://3221225991/login", ["link_ip_host"]],
  ["a name before an @", "See https://bank.example.com@elsewhere.example.org/", ["link_userinfo"]],
  ["a shortener", "See https://bit.ly/3x", ["link_shortener"]],
  [
    "a brand in front of another site",
    "See https://paypal.com.elsewhere.example.org/",
    ["link_lookalike", "link_deep_host"],
  ],
  ["a brand one letter off", "See https://paypa1.com/", ["link_lookalike"]],
  ["the brand itself", "See https://www.paypal.com/", []],
  ["an international name", "See https://xn--bcher-kva.example/", ["link_punycode"]],
  ["a name of mixed scripts", "See https://раypal-help.example/", ["link_mixed_script"]],
  ["public hosting", "See https://my-page.web.app/login", ["link_hosted"]],
  [
    "a redirect to another site",
    "See https://go.example.net/?url=https://elsewhere.example.org/",
    ["link_redirect"],
  ],
  ["a redirect within a site", "See https://www.example.net/?next=https://app.example.net/", []],
  ["a program", "See https://files.example.net/setup.exe", ["link_download"]],
  ["an unusual port", "See https://files.example.net:4444/", ["link_odd_port"]],
  ["the recipient's address", "See https://x.example.net/?e=agent%40inbox.test", ["link_recipient"]],
  ["an abused ending", "See https://offer.click/", ["link_risky_domain"]],
  ["code", "Open javascript:alert(1) now", ["link_script"]],
];

describe("a link in the text", () => {
  test.each(TEXTS)("%s", (_, text, types) => {
    expect(linkTypes({ text })).toEqual(types);
  });
});

const PAGES: ReadonlyArray<[string, string, string[]]> = [
  ["that shows where it leads", '<a href="https://www.example.net/a">www.example.net</a>', []],
  ["that shows words", '<a href="https://www.example.net/a">Read more</a>', []],
  [
    "that shows another site",
    '<a href="https://elsewhere.example.org/">https://bank.example.com/login</a>',
    ["link_text_mismatch"],
  ],
  ["that shows a file's name", '<a href="https://elsewhere.example.org/">report.pdf</a>', []],
  ["to the sender's mailbox", '<a href="mailto:ann@sender.example.com">Answer</a>', []],
  [
    "to a free mailbox",
    '<a href="mailto:help.desk4@gmail.com?subject=x">Report the user</a>',
    ["link_mail_elsewhere"],
  ],
  ["of data", '<a href="data:text/html;base64,AAAA">open</a>', ["link_script"]],
  ["with line breaks in its scheme", '<a href="java\nscript:alert(1)">open</a>', ["link_script"]],
  [
    "and a password form",
    '<form action="https://elsewhere.example.org/"><input type=password></form>',
    ["form_password", "form_elsewhere"],
  ],
  [
    "and a refresh",
    '<meta http-equiv="refresh" content="0;url=https://elsewhere.example.org/">',
    ["page_redirect"],
  ],
  [
    "around a picture and nothing else",
    '<a href="https://elsewhere.example.org/"><img src="x.png"></a>',
    ["picture_link"],
  ],
];

describe("a link in the HTML", () => {
  test.each(PAGES)("%s", (_, html, types) => {
    expect(linkTypes({ html })).toEqual(types);
  });

  test("of a mailing list may pass through a click counter, another mail's may not", () => {
    const mail = {
      html: '<a href="https://count.example.net/1">www.shop.example.com</a>',
      from: [{ name: "", address: "news@shop.example.com" }],
    };
    expect(linkTypes(mail)).toEqual(["link_text_mismatch"]);
    expect(
      linkTypes({ ...mail, headers: [{ name: "list-unsubscribe", value: "<mailto:u@shop.example.com>" }] }),
    ).toEqual([]);
  });

  test("of a mail that names a brand but links elsewhere is a signal", () => {
    const mail = {
      from: [{ name: "Netflix", address: "x@elsewhere.example.org" }],
      text: "Pay at https://pay.example.net/",
    };
    expect(linkTypes(mail)).toEqual(["link_brand_elsewhere"]);
    expect(linkTypes({ ...mail, text: "Pay at https://www.netflix.com/" })).toEqual([]);
  });
});

describe("a mail that is little more than a link", () => {
  const words = "the council met on Tuesday to talk about the bridge ".repeat(3);
  test.each<[string, Partial<ParsedMail>, boolean]>([
    ["a sentence and a link elsewhere", { text: "Look: https://elsewhere.example.org/x" }, true],
    ["the same as HTML", { html: '<p>Look <a href="https://elsewhere.example.org/x">here</a></p>' }, true],
    ["a link to the sender's own site", { text: "Look: https://www.sender.example.com/x" }, false],
    ["more words", { text: `${words} https://elsewhere.example.org/x` }, false],
    [
      "links to three sites",
      { text: "https://a.example.org https://b.example.net https://c.example.edu" },
      false,
    ],
  ])("%s", (_, mail, found) => {
    expect(screenMail(screeningInput({ mail })).findings.some(({ type }) => type === "lone_link")).toBe(
      found,
    );
  });
});

describe("a link to another organisation", () => {
  const typesOf = (href: string, to = "bo@agents.example.org") =>
    screenMail(
      screeningInput({ mail: { text: `See ${href}`, to: [{ name: "", address: to }] } }),
    ).findings.map(({ type }) => type);

  test.each<[string, string, SignalType, boolean]>([
    ["in a bucket of a public cloud", "https://b.s3.eu-west-1.amazonaws.com/x.html", "link_hosted", true],
    ["with a name of letters and digits", "https://xk2qw9vb7t.example/", "link_made_up", true],
    ["with a name of words", "https://cornershop.example/", "link_made_up", false],
    ["with five labels", "https://a.b.c.example.net/", "link_deep_host", true],
    ["with four labels", "https://b.c.example.net/", "link_deep_host", false],
    ["with three hyphens", "https://log-in-here-now.example/", "link_deep_host", true],
    ["in the sender's own organisation", "https://a.b.c.d.sender.example.com/", "link_deep_host", false],
    ["through a search engine", "https://www.google.com/url?q=x", "link_redirector", true],
    ["to a search", "https://www.google.com/search?q=x", "link_redirector", false],
    ["with a brand in its path", "https://shop.example.net/paypal/login", "link_brand_in_path", true],
    ["with an everyday word in its path", "https://shop.example.net/booking", "link_brand_in_path", false],
    ["with a long code", "https://t.example.net/q9xk27fm3zt8vb41cd90wn55re", "link_token", true],
    ["with a long title", "https://t.example.net/the-bridge-over-the-river-in-may", "link_token", false],
    ["with a long fragment", "https://t.example.net/#0123456789abc", "link_long_fragment", true],
    ["with an anchor", "https://t.example.net/#part-2", "link_long_fragment", false],
    ["with the recipient's domain", "https://t.example.net/?d=example.org", "link_recipient_domain", true],
    [
      "with the recipient's address",
      "https://t.example.net/?e=bo%40agents.example.org",
      "link_recipient_domain",
      false,
    ],
  ])("%s", (_, href, type, found) => {
    expect(typesOf(href).includes(type)).toBe(found);
  });
});
