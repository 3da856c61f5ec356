import { describe, expect, test } from "vitest";
import { createTestService } from "../../testing/index.ts";
import { newLetterWord } from "../catalogue/letter-words.ts";

const AUTHOR = "ada@example.org";

async function open() {
  const service = createTestService();
  const account = await service.signUp();
  return { service, as: account.as, inbox_id: account.inbox.id };
}

describe("what is injected", () => {
  const texts = [
    "One line",
    "Ends with a newline.\n",
    "Windows\r\nlines\r\n",
    "Old Mac\rlines",
    "\n\n  Blank lines and spaces around  \n\n",
    "Trailing blanks   \nand a tab\t\n",
    ".\n..\n.dots",
    "From the start of a line\nFrom again",
    "-- \nA signature",
    "> a quote\n\nOn Monday, Bo wrote:\n> more",
    "=20=\nsoft=3D",
    "naïve 東京 🙂 \u00a0\u200b\ufeff",
    `${"x".repeat(5_000)}\n`,
    "begin 644 a.txt\n#86)C\n`\nend\n",
    "",
  ];
  test.each(texts)("comes back as the same text: %j", async (text) => {
    const { as, inbox_id } = await open();
    const { id } = await as.messages.inject({ inbox_id, from: AUTHOR, text });
    expect((await as.messages.get({ inbox_id, message_id: id })).text).toBe(text);
  });

  const pages = [
    "<p>Hello</p>",
    "<p>Hello</p>\n",
    "<!doctype html>\r\n<html>\r\n<body>\r\n<p>x</p>\r\n</body></html>\r\n",
    "<p>entities &amp; &#x41; &nbsp;</p>",
    '<div style="display:none">hidden</div><script>alert(1)</script><!-- comment -->',
    "not HTML at all < > &",
    "<p>unclosed",
    "<p>東京 🙂</p>   ",
    "",
  ];
  test.each(pages)("comes back as the same HTML, with and without a text: %j", async (html) => {
    const { as, inbox_id } = await open();
    for (const words of [{ html }, { html, text: "Beside it.\r\n" }]) {
      const { id } = await as.messages.inject({ inbox_id, from: AUTHOR, ...words });
      expect(await as.messages.get({ inbox_id, message_id: id })).toMatchObject(words);
    }
  });

  test("loses the secrets of letters, and nothing else", async () => {
    const { as, inbox_id } = await open();
    const link = `https://mail.example.com/owners/approve?token=${newLetterWord()}`;
    const around = (middle: string) => `\r\nSee ${middle} \r\n\r\nbye\r\n`;
    const { id } = await as.messages.inject({
      inbox_id,
      from: AUTHOR,
      text: around(link),
      html: around(link),
    });
    expect(await as.messages.get({ inbox_id, message_id: id })).toMatchObject({
      redacted: true,
      text: around("[link removed]"),
      html: around("[link removed]"),
    });
  });

  test("is screened and read as it was stated", async () => {
    const { as, inbox_id } = await open();
    const text =
      "New words.\r\n\r\nOn Mon, 16 Nov 2026 at 10:00, Bo <bo@example.org> wrote:\r\n> old words\r\n";
    const message = await as.messages.inject({ inbox_id, from: AUTHOR, subject: "Re: it", text });
    expect(message).toMatchObject({ text, extracted_text: "New words." });
  });
});

describe("the injector refuses", () => {
  test.each([
    ["a line feed", "a\nBcc: eve@example.net"],
    ["a carriage return", "a\rb"],
    ["a NUL", "a\0b"],
  ])("%s in a header's value", async (_, value) => {
    const { as, inbox_id } = await open();
    await expect(
      as.messages.inject({ inbox_id, from: AUTHOR, text: "x", headers: { "X-Job": value } }),
    ).rejects.toMatchObject({ code: "invalid_header", param: "headers.X-Job" });
  });

  test.each([
    "From",
    "from",
    "Sender",
    "Reply-To",
    "To",
    "Cc",
    "Bcc",
    "Subject",
    "Date",
    "Message-ID",
    "In-Reply-To",
    "References",
    "MIME-Version",
    "Content-Type",
    "Content-Transfer-Encoding",
    "Content-Disposition",
    "DKIM-Signature",
    "ARC-Seal",
    "Authentication-Results",
    "Received-SPF",
    "Return-Path",
    "Delivered-To",
  ])("the header %s, which it would ignore", async (name) => {
    const { as, inbox_id } = await open();
    await expect(
      as.messages.inject({ inbox_id, from: AUTHOR, text: "x", headers: { [name]: "x" } }),
    ).rejects.toMatchObject({ code: "invalid_header", param: `headers.${name}` });
  });

  test.each(["X-Job", "List-Id", "Auto-Submitted", "Precedence", "Importance", "Received"])(
    "but not the header %s, which counts",
    async (name) => {
      const { as, inbox_id } = await open();
      await expect(
        as.messages.inject({ inbox_id, from: AUTHOR, text: "x", headers: { [name]: "x" } }),
      ).resolves.toMatchObject({ object: "message" });
    },
  );

  const raw = Buffer.from("Subject: Raw\r\n\r\nRaw words.\r\n").toString("base64");
  test.each<[string, object]>([
    ["text", { text: "x" }],
    ["text", { text: "" }],
    ["html", { html: "<p>x</p>" }],
    ["subject", { subject: "x" }],
    ["to", { to: ["bo@example.net"] }],
    ["cc", { cc: ["bo@example.net"] }],
    ["in_reply_to", { in_reply_to: "<a@example.net>" }],
    ["references", { references: ["<a@example.net>"] }],
    ["attachments", { attachments: [{ filename: "a.txt", content_base64: "YQ==" }] }],
  ])("%s beside raw: the raw mail has its own", async (param, beside) => {
    const { as, inbox_id } = await open();
    await expect(as.messages.inject({ inbox_id, from: AUTHOR, raw, ...beside })).rejects.toMatchObject({
      code: "invalid_request",
      param,
    });
  });

  test("nothing of a raw mail with from, headers and results beside it", async () => {
    const { as, inbox_id } = await open();
    const beside = { headers: { "X-Job": "7" }, auth: { dkim: "pass" as const } };
    expect(await as.messages.inject({ inbox_id, from: AUTHOR, raw, ...beside })).toMatchObject({
      from: AUTHOR,
      subject: "Raw",
      text: "Raw words.\n",
      headers: { "x-job": "7" },
      auth: { dkim: "pass" },
    });
  });
});
