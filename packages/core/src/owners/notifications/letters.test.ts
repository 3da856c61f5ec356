import { describe, expect, test } from "vitest";
import { confirmationLetters } from "./confirmation.ts";
import { digestLetters } from "./digest.ts";
import { type Block, ellipsize, escapeHtml, layOut, oneLine } from "./layout.ts";
import { updateLetters } from "./update.ts";

const hostile = `<script>alert("1")</script> & 'x' "y"`;
const overridden = "abc\u202edef\u2066ghi\u0007";

const from = { inbox_email: "ada@example.com", display_name: hostile };
const tone = "done";

const every: Block[] = [
  { kind: "quote", text: hostile },
  { kind: "facts", rows: [[hostile, hostile]] },
  { kind: "heading", text: hostile },
  { kind: "text", text: `${hostile}\nsecond line` },
  { kind: "note", text: hostile },
  { kind: "code", code: hostile },
  { kind: "buttons", buttons: [{ label: hostile, url: `https://example.com/?a="><script>` }] },
  { kind: "pages", links: [{ label: hostile, url: "https://example.com/p" }] },
  { kind: "list", items: [{ text: hostile, more: hostile }] },
  { kind: "links", links: [{ label: hostile, url: "https://example.com/b'c" }] },
];

describe("a letter", () => {
  test("escapes all input, in every block", () => {
    const { html } = layOut({ subject: hostile, from, tone, blocks: every, footer: every });
    expect(html).not.toContain("<script>");
    expect(html).not.toContain(`"y"`);
    expect(html.match(/&#60;script&#62;/g)?.length).toBe(26);
    expect(html).toContain("second line");
  });

  test("has no external resource and no script of its own", () => {
    const { html } = layOut({ subject: "x", from, tone, blocks: every, footer: [] });
    expect(html).not.toMatch(/<(?:script|img|link|iframe|object|form|video)\b|url\(|@import|src=/i);
  });

  test("links to web addresses only", () => {
    const urls = [
      "javascript:alert(1)",
      "data:text/html,x",
      "mailto:a@example.com",
      "not a url",
      `https://example.com/${"x".repeat(3000)}`,
    ];
    const { html, text } = layOut({
      subject: "x",
      from,
      tone,
      blocks: urls.map((url) => ({ kind: "buttons", buttons: [{ label: "Go", url }] })),
      footer: [],
    });
    expect([...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual(
      urls.map(() => "about:blank"),
    );
    expect(text).not.toContain("javascript:");
  });

  test("removes control characters and direction overrides", () => {
    const { subject, text, html } = layOut({
      subject: `a\r\nBcc: ${overridden}`,
      from,
      tone,
      blocks: [{ kind: "text", text: overridden }],
      footer: [],
    });
    expect(subject).toBe("a Bcc: abcdefghi");
    expect(text).toMatch(/^DONE\n\nabcdefghi\n/);
    expect(html).not.toMatch(/[\u0007\u202e\u2066]/);
  });

  test("has a limited length, however long its parts are", () => {
    const long = "long ".repeat(100_000);
    const blocks: Block[] = [
      { kind: "heading", text: long },
      { kind: "text", text: long },
      { kind: "links", links: [{ label: long, url: "https://example.com" }] },
    ];
    const { subject, text, html } = layOut({ subject: long, from, tone, blocks, footer: [] });
    expect(subject.length).toBeLessThanOrEqual(180);
    expect(text.length).toBeLessThan(11_000);
    expect(html.length).toBeLessThan(15_000);
  });

  test("is complete as plain text", () => {
    const blocks: Block[] = [
      { kind: "heading", text: "Title" },
      { kind: "text", text: "One.\r\nTwo." },
      { kind: "buttons", buttons: [{ label: "Open", url: "https://example.com/x" }] },
      { kind: "links", links: [{ label: "Board", url: "https://example.com/b" }] },
    ];
    expect(
      layOut({ subject: "s", from, tone, blocks, footer: [{ kind: "note", text: "Small print." }] }).text,
    ).toBe(
      "DONE\n\nTitle\n\nOne.\nTwo.\n\nOpen:\nhttps://example.com/x\n\nBoard: https://example.com/b\n\n-- \nSmall print.\n",
    );
  });
});

test("a text is shortened to the limit and never within a character", () => {
  expect(ellipsize("abc", 3)).toBe("abc");
  expect(ellipsize("abcd", 3)).toBe("ab…");
  expect(ellipsize("a🙂🙂", 4)).toBe("a🙂…");
  expect(ellipsize("ab🙂🙂", 4)).toBe("ab…");
  expect(oneLine(" a\n\tb ")).toBe("a b");
  expect(escapeHtml("a<b>\"'&")).toBe("a&#60;b&#62;&#34;&#39;&#38;");
});

describe("a confirmation letter", () => {
  const letters = confirmationLetters({
    inbox_email: "ada@mail.test",
    display_name: `<b>Ada</b>`,
    code: "493817",
    link: "https://mail.test/confirm?token=abc",
  });

  test("has the code and the link only in the sealed copy", () => {
    const shown = JSON.stringify(letters.shown);
    expect(shown).not.toContain("493817");
    expect(shown).not.toContain("token=");
    expect(letters.sealed.text).toContain("493817");
    expect(letters.sealed.text).toContain("https://mail.test/confirm?token=abc");
    expect(letters.sealed.html).toContain(`href="https://mail.test/confirm?token=abc"`);
    expect(letters.sealed.html).not.toContain("<b>Ada");
    expect(letters.shown.subject).toBe(letters.sealed.subject);
  });

  test("shows only the address when the agent has no name", () => {
    const { sealed } = confirmationLetters({
      inbox_email: "ada@mail.test",
      display_name: null,
      code: "1",
      link: "https://mail.test/",
    });
    expect(sealed.text).toContain("The software agent ada@mail.test wants to work for you");
  });
});

describe("an update's letter", () => {
  const update = {
    kind: "needs_input",
    title: "Which venue",
    status: "waiting",
    text: "Garden or hall?",
    links: [],
    question: null,
  } as const;
  const letter = {
    subject: "[Needs input] Which venue",
    update: { ...update, links: [{ label: "Plans", url: "https://example.com/plans" }] },
    inbox_email: "ada@mail.test",
    display_name: "Ada",
    unsubscribe_url: "https://mail.test/unsubscribe?token=abc",
    style_url: "https://mail.test/style?token=abc",
    answer_url: null,
  };

  test("is the title alone when concise, or the first sentence without one", () => {
    const text = (title: string | null) =>
      updateLetters({
        ...letter,
        style: "concise",
        update: { ...letter.update, title, text: "Garden? Or hall?" },
      }).shown.text;
    expect(text("Which venue")).toBe(
      "QUESTION\n\nWhich venue\n\n-- \nReply to this email to answer.\nSent by Ada (ada@mail.test).\n",
    );
    expect(text(null)).toMatch(/^QUESTION\n\nGarden\?\n\n-- /);
  });

  test("contains everything when detailed or casual", () => {
    for (const style of ["detailed", "casual"] as const) {
      const { text } = updateLetters({ ...letter, style }).shown;
      for (const piece of ["Which venue", "waiting", "Garden or hall?", "Plans: https://example.com/plans"])
        expect(text).toContain(piece);
    }
    const bare = { ...update, title: null, status: null, kind: "done" as const, links: [] };
    expect(
      updateLetters({ ...letter, style: "casual", display_name: null, update: bare }).shown.text,
    ).toContain("– ada@mail.test");
  });

  test("has its unsubscribe link only in the sealed copy", () => {
    const { shown, sealed } = updateLetters({ ...letter, style: "detailed" });
    expect(JSON.stringify(shown)).not.toContain("token=");
    expect(sealed.text).toContain("token=abc");
    expect(sealed.html).toContain("token=abc");
  });
});

test.each(["concise", "detailed", "casual"] as const)(
  "the items of a %s digest keep all their links",
  (style) => {
    const links = Array.from({ length: 10 }, (_, n) => ({
      label: `Offer ${n}`,
      url: `https://offers.example.org/${n}`,
    }));
    const item = {
      task_id: null,
      text: "All of it.",
      status: null,
      question: null,
      answer_url: null,
      number: null,
    };
    const { sealed } = digestLetters({
      updates: [
        { ...item, kind: "done", title: "The boxes are ordered", links },
        { ...item, kind: "progress", title: "Half is packed", links: [] },
      ],
      ...{ style, inbox_email: "ada@mail.test", display_name: null },
      unsubscribe_url: "https://mail.test/unsubscribe?token=abc",
      style_url: "https://mail.test/style?token=abc",
    });
    for (const { label, url } of links) {
      expect(sealed.text).toContain(`  ${label}: ${url}\n`);
      expect(sealed.html).toMatch(
        new RegExp(`href="${url}"[^>]*>${label}</a> <span[^>]*>\\(offers\\.example\\.org\\)`),
      );
    }
  },
);
