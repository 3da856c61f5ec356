import fc from "fast-check";
import PostalMime from "postal-mime";
import { describe, expect, test } from "vitest";
import { cleanFilename } from "../attachments.ts";
import { parseMail } from "../parse.ts";
import { composeMail, type MailToCompose } from "./compose.ts";

const plain: MailToCompose = {
  from: { address: "ada@agents.example.com", name: "Ada" },
  to: [{ address: "bo@example.org", name: "Bo" }],
  subject: "Numbers",
  text: "Two and two.\n",
  message_id: "<one@agents.example.com>",
  date: "2026-11-20T04:19:00.000Z",
};
const latin1 = (raw: Uint8Array) => Buffer.from(raw).toString("latin1");
const names = (raw: Uint8Array) =>
  (latin1(raw).split("\r\n\r\n")[0] ?? "")
    .split("\r\n")
    .filter((line) => !/^[ \t]/.test(line))
    .map((line) => line.slice(0, line.indexOf(":")).toLowerCase())
    .toSorted();
const USUAL = [
  "content-transfer-encoding",
  "content-type",
  "date",
  "from",
  "message-id",
  "mime-version",
  "subject",
  "to",
];

test("a mail is written with CRLF, its date and its identifiers", async () => {
  const raw = await composeMail({
    ...plain,
    in_reply_to: "zero@example.org",
    references: ["<zero@example.org>"],
    headers: { "X-Job": "7" },
  });
  const mail = await parseMail(raw);
  expect(latin1(raw).replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  expect(mail).toMatchObject({
    from: [{ address: "ada@agents.example.com", name: "Ada" }],
    to: [{ address: "bo@example.org", name: "Bo" }],
    subject: "Numbers",
    text: "Two and two.\n",
    html: null,
    message_id: "<one@agents.example.com>",
    in_reply_to: "<zero@example.org>",
    references: ["<zero@example.org>"],
    date: "2026-11-20T04:19:00.000Z",
  });
  expect(mail.headers).toContainEqual({ name: "x-job", value: "7" });
});

test("another mail's identifier that can't be written is omitted", async () => {
  const mail = await parseMail(
    await composeMail({
      ...plain,
      in_reply_to: "<ü@example.org>",
      references: ["<a@example.org>", "<ü@example.org>"],
    }),
  );
  expect(mail).toMatchObject({ in_reply_to: null, references: ["<a@example.org>"] });
});

test("the same mail gives the same bytes", async () => {
  const mail = {
    ...plain,
    html: "<p>Two</p>",
    attachments: [{ filename: "a.bin", content_type: "image/png", bytes: new Uint8Array([1, 2]) }],
  };
  expect(latin1(await composeMail(mail))).toBe(latin1(await composeMail(mail)));
});

test("text, html, an inline image and a file are read back unchanged", async () => {
  const bytes = new Uint8Array(5_000).map((_, index) => index % 256);
  const mail = await parseMail(
    await composeMail({
      ...plain,
      subject: "Größe 大小",
      text: "Grüße,\nlange Zeile ".concat("wort ".repeat(400)),
      html: '<p>Grüße <img src="cid:logo"></p>',
      cc: ["cy@example.org"],
      reply_to: [{ address: "desk@example.com", name: "The, Desk" }],
      attachments: [
        { filename: "logo.png", content_type: "image/png", content_id: "logo", bytes },
        { filename: "Übersicht «1».pdf", content_type: "application/pdf", bytes },
        {
          filename: "old.eml",
          content_type: "message/rfc822",
          bytes: Buffer.from("From: a@example.org\n\nHi\n"),
        },
      ],
    }),
  );
  expect(mail.subject).toBe("Größe 大小");
  expect(mail.text).toBe("Grüße,\nlange Zeile ".concat("wort ".repeat(400)));
  expect(mail.html).toBe('<p>Grüße <img src="cid:logo"></p>');
  expect(mail.cc).toEqual([{ address: "cy@example.org", name: "" }]);
  expect(mail.reply_to).toEqual([{ address: "desk@example.com", name: "The, Desk" }]);
  expect(
    mail.attachments.map(({ filename, content_type, content_id, disposition }) => [
      filename,
      content_type,
      content_id,
      disposition,
    ]),
  ).toEqual([
    ["logo.png", "image/png", "logo", "inline"],
    ["Übersicht «1».pdf", "application/pdf", null, "attachment"],
    ["old.eml", "message/rfc822", null, "attachment"],
  ]);
  expect(Buffer.from(mail.attachments[1]?.bytes ?? []).equals(bytes)).toBe(true);
});

describe("a line break or NUL never reaches a header", () => {
  const bad = ["a\r\nBcc: eve@evil.test", "a\nX-Evil: 1", "a\rX-Evil: 1", "a\0b"];
  test.each(bad)("%j is refused in each field", async (value) => {
    const tries: Partial<MailToCompose>[] = [
      { subject: value },
      { from: { address: "ada@example.com", name: value } },
      { from: { address: `ada@example.com${value}`, name: "" } },
      { to: [value] },
      { to: [{ address: "bo@example.org", name: value }] },
      { cc: [`bo@example.org${value}`] },
      { reply_to: [{ address: "bo@example.org", name: value }] },
      { message_id: `<x@example.com>${value}` },
      { in_reply_to: `<x@example.com${value}>` },
      { references: [`x@example.com${value}`] },
      { headers: { "X-Note": value } },
      { headers: { [`X-Note${value}`]: "1" } },
    ];
    for (const change of tries) {
      await expect(composeMail({ ...plain, ...change })).rejects.toMatchObject({ code: "invalid_header" });
    }
  });

  test.each(["Bcc", "From", "Sender", "Content-Type", "Received", "DKIM-Signature", "X Bad", "Return-Path"])(
    "%s is not a custom header",
    async (name) => {
      await expect(composeMail({ ...plain, headers: { [name]: "x" } })).rejects.toMatchObject({
        code: "invalid_header",
        param: name,
      });
    },
  );

  test("with any texts, two parsers see only the intended headers", async () => {
    const nasty = fc.string({
      unit: fc.constantFrom(
        "a",
        " ",
        "\t",
        "<",
        ">",
        '"',
        ",",
        ":",
        ";",
        "@",
        "\\",
        "=?",
        "?=",
        "\u0085",
        "\u2028",
        "é",
        "\u{1f600}",
        "(",
        "'",
      ),
    });
    await fc.assert(
      fc.asyncProperty(nasty, nasty, nasty, async (subject, name, filename) => {
        const raw = await composeMail({
          ...plain,
          subject: `s${subject}`,
          from: { address: "ada@example.com", name },
          attachments: [
            {
              filename,
              content_type: `text/csv; name="${filename}"`,
              content_id: filename,
              bytes: new Uint8Array([65]),
            },
          ],
        });
        const expected = USUAL.filter((header) => header !== "content-transfer-encoding");
        expect(names(raw)).toEqual(expected);
        const other = await PostalMime.parse(raw);
        const ours = await parseMail(raw);
        expect(other.headers.map(({ key }) => key).toSorted()).toEqual(expected);
        expect(ours.headers.map((header) => header.name).toSorted()).toEqual(expected);
        expect(ours.from.map(({ address }) => address)).toEqual(["ada@example.com"]);
        expect(other.from?.address).toBe("ada@example.com");
        expect(ours.attachments).toHaveLength(1);
      }),
      { numRuns: 150 },
    );
  });

  test("no body creates a header or a part", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), async (text) => {
        const raw = await composeMail({ ...plain, text: `${text}\r\n.\r\nFrom: eve@evil.test\r\n` });
        expect(names(raw)).toEqual(USUAL);
        expect(latin1(raw)).not.toMatch(/[^\r]\n|\r[^\n]|\0/);
      }),
      { numRuns: 100 },
    );
  });
});

test.each([
  ["../../etc/passwd", "....etcpasswd"],
  ["C:\\temp\\a.txt", "C:tempa.txt"],
  ["a\r\nb.txt", "ab.txt"],
  ['say "hi".txt', "say hi.txt"],
  ["gpj.\u202eexe", "gpj.\u202eexe"],
  [" Bo's plan (1) .txt ", " Bo's plan (1) .txt "],
  ["a\u200b\u2028b.txt", "a\u200b\u2028b.txt"],
  ["x".repeat(255), "x".repeat(255)],
  ["..", "attachment"],
  ["", "attachment"],
])("the filename %j becomes %j", (given, cleaned) => {
  expect(cleanFilename(given)).toBe(cleaned);
});
