import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { measureThreadCpu } from "../../../../test/support/processor-time.ts";
import { signedMessage } from "../../test/signed-mail.ts";
import type { ParsedMail } from "../model/parsed-mail.ts";
import { decodeUtf7 } from "./mime/legacy-charsets.ts";
import { MAX_PARTS } from "./mime/parts.ts";
import { parseMail } from "./parse.ts";
import { looksCostly } from "./parse-cost.ts";

/** A mail from lines; every character is one byte, so `\xe9` is a raw 8-bit one. */
const mail = (...lines: string[]) => Buffer.from(lines.join("\r\n"), "latin1");
const header = (...lines: string[]) => parseMail(mail(...lines, "", "Hello."));
const utf8 = (text: string) => Buffer.from(text, "utf8").toString("latin1");

describe("headers", () => {
  test("are unfolded and decoded, in order", async () => {
    const { headers } = await header("X-One: a", " b", "Subject: =?utf-8?Q?Caf=C3=A9?=", "X-One: c");
    expect(headers).toEqual([
      { name: "x-one", value: "a b" },
      { name: "subject", value: "Café" },
      { name: "x-one", value: "c" },
    ]);
  });

  test.each([
    ["raw UTF-8", utf8("Grüße"), "Grüße"],
    ["raw windows-1252", "Gr\xfc\xdfe \x80 5", "Grüße € 5"],
    ["a character cut between two words", "=?utf-8?B?w7w=?= =?utf-8?Q?=C3?= =?utf-8?Q?=BC?=", "üü"],
    ["words in two charsets", "=?utf-8?Q?=C3=BC?= =?iso-8859-1?Q?=FC?=", "üü"],
    ["raw 8-bit characters within a word", "=?iso-8859-1?Q?Gr\xfc=DFe?=", "Grüße"],
    ["words that touch text", "Re:=?utf-8?Q?_hi?=there", "Re: hithere"],
    ["a language tag", "=?utf-8*de?Q?Gr=C3=BC=C3=9Fe?=", "Grüße"],
    ["UTF-7 words", "=?utf-7?Q?Fr+APY-sche?=", "Frösche"],
    ["an unknown charset", "=?x-none?Q?Gr=C3=BC=C3=9Fe?=", "Grüße"],
    ["a bad escape", "=?utf-8?Q?100=_=ZZ?=", "100= =ZZ"],
    ["Japanese in its old charset", "=?iso-2022-jp?B?GyRCRnxLXBsoQg==?=", "日本"],
    ["Japanese in its old charset, raw", "\x1b$BF|K\\\x1b(B", "日本"],
    ["raw Cyrillic of Windows", "\xcf\xee\xe7\xe4\xf0\xe0\xe2\xeb\xff\xe5\xec", "Поздравляем"],
  ])("a subject with %s is read", async (_, written, subject) => {
    expect((await header(`Subject: ${written}`)).subject).toBe(subject);
  });

  test("a subject keeps its blanks, but no line break or tab", async () => {
    expect((await header("Subject: a  b", "\tc =?utf-8?Q?d=0D=0A=20?= =?utf-8?Q?=20e?=")).subject).toBe(
      "a  b c d   e",
    );
    // A character and a run of blanks are cut between two words.
    expect((await header("Subject: =?utf-8?B?QSAgQsM=?=", " =?utf-8?B?pCAgQw==?=")).subject).toBe("A  Bä  C");
  });

  test("addresses keep their names, groups are unwrapped", async () => {
    const parsed = await header(
      "From: =?utf-8?B?U2htaXR0LCBKw7xyZ2Vu?= <J@Example.ORG>",
      'To: Team: a@example.com, "B, C" <b@example.com>;, <d@example.com>',
      "Cc: undisclosed-recipients:;",
    );
    expect(parsed.from).toEqual([{ address: "J@example.org", name: "Shmitt, Jürgen" }]);
    expect(parsed.to.map(({ address }) => address)).toEqual([
      "a@example.com",
      "b@example.com",
      "d@example.com",
    ]);
    expect(parsed.cc).toEqual([]);
  });

  test.each([
    ["a quoted name", '"john doe"@example.com', "", '"john doe"@example.com'],
    ["a quoted name with a quote", '"a\\"b"@example.com', "", '"a\\"b"@example.com'],
    ["a quoted name with an @", '"a@b"@example.com', "", '"a@b"@example.com'],
    ["a quoted name in brackets", 'Ada <"john doe"@example.com>', "Ada", '"john doe"@example.com'],
    ["a quoted name behind a person's", 'Ada "john doe"@example.com', "Ada", '"john doe"@example.com'],
    ["a quoted name that needs no quotes", '"john"@example.com', "", "john@example.com"],
    ["dots in a row", "a..b@example.com", "", "a..b@example.com"],
    ["a dot at the end", "Ada <a.@example.com>", "Ada", "a.@example.com"],
    ["a dot at the beginning", ".a@example.com", "", ".a@example.com"],
    ["a domain with vowel signs", utf8("ada@उदाहरण.भारत"), "", "ada@उदाहरण.भारत"],
    ["a name with vowel signs", utf8("प्रिया@example.com"), "", "प्रिया@example.com"],
    ["a comment behind it", "ada@example.com (Ada Byron)", "Ada Byron", "ada@example.com"],
    ["comments in comments", "Ada (a (b) c) <ada@example.com>", "Ada", "ada@example.com"],
    ["a way there, as of old", "Ada <@a.example,@b.example:ada@example.com>", "Ada", "ada@example.com"],
    ["quotes escaped once too often", 'Ada \\"A\\" <ada@example.com>', "Ada A", "ada@example.com"],
    ["a scheme", "Ada <mailto:ada@example.com>", "Ada", "ada@example.com"],
  ])("an address with %s is read", async (_, written, name, address) => {
    expect((await header(`To: ${written}`)).to).toEqual([{ name, address }]);
  });

  test.each([
    'a@"b"@example.com',
    '"a" "b"@evil.test@example.com',
    '"Ada, x@evil.test" <ada@example.com>',
    '"\\"x\\"@evil.test" <ada@example.com>',
    '("x y"@evil.test) ada@example.com',
  ])("%s has no address of evil.test", async (written) => {
    const { to } = await header(`To: ${written}`);
    expect(to.filter(({ address }) => address.endsWith("evil.test"))).toEqual([]);
  });

  test("a From that is repeated word for word is one; of two different ones both count", async () => {
    const twice = await header(
      "From: Ada <ada@example.com>",
      "Subject: Hi",
      "From: Ada\r\n <ada@example.com>",
    );
    expect(twice).toMatchObject({ from_headers: 1, from: [{ name: "Ada", address: "ada@example.com" }] });
    for (const other of ["Ada <eve@evil.test>", "Eve <ada@example.com>", "Ada <ADA@example.com>"])
      expect((await header("From: Ada <ada@example.com>", `From: ${other}`)).from_headers).toBe(2);
  });

  test("may have blank lines before them", async () => {
    const parsed = await parseMail(mail("", "  ", "From: ada@example.com", "Subject: Hi", "", "Hello."));
    expect(parsed).toMatchObject({ from: [{ address: "ada@example.com" }], subject: "Hi", text: "Hello." });
    expect((await parseMail(Buffer.from("\r\n\r\nTo-do: milk\r\n"))).text).toBe("\nTo-do: milk\n");
  });

  test("that only a line of blanks ends leave the body", async () => {
    const parsed = await parseMail(
      mail("From: ada@example.com", "Subject: Hi", "  ", "Hello there.", "Bye."),
    );
    expect(parsed).toMatchObject({ subject: "Hi", text: "Hello there.\nBye." });
    const hidden = await parseMail(mail("From: ada@example.com", " ", "From: eve@evil.test", "", "Hello."));
    expect(hidden).toMatchObject({ from_headers: 2, text: "Hello." });
  });

  const greeting = "\xc4\xe3\xba\xc3";
  test.each([
    ["of the text", ["Content-Type: text/plain; charset=gb2312"]],
    [
      "of the first part",
      ["Content-Type: multipart/mixed; boundary=b", "", "--b", "Content-Type: text/plain; charset=gb2312"],
    ],
  ])("raw bytes are read in the charset %s", async (_, type) => {
    const parsed = await header(
      `Subject: ${greeting}`,
      `From: ${greeting} <bo@example.org>`,
      `X-Note: ${greeting}`,
      ...type,
    );
    expect(parsed).toMatchObject({ subject: "你好", from: [{ address: "bo@example.org", name: "你好" }] });
    expect(parsed.headers.find(({ name }) => name === "x-note")?.value).toBe("你好");
  });

  test("a charset doesn't change an address of raw bytes", async () => {
    const type = "Content-Type: text/plain; charset=shift_jis";
    const { from } = await header("From: \x95@evil.test <bo@example.org>", "To: \x81<bo@example.org>", type);
    expect(from).toMatchObject([{ address: "bo@example.org" }]);
    expect((await header("From: bo\x81@example.org", type)).from[0]?.address).toMatch(/@example\.org$/);
  });

  test("text that only looks like an address is a name", async () => {
    const parsed = await header('From: "ceo@example.com" <eve@evil.test>', "Reply-To: nobody");
    expect(parsed.from).toEqual([{ address: "eve@evil.test", name: "ceo@example.com" }]);
    expect(parsed.reply_to).toEqual([]);
    expect(parsed.unaddressed).toEqual([{ field: "reply_to", name: "nobody" }]);
  });

  test("an encoded word doesn't create a second address", async () => {
    const word = Buffer.from("a@example.com>, <eve@evil.test").toString("base64");
    expect(
      (await header(`From: =?utf-8?B?${word}?= <bo@example.org>`)).from.map(({ address }) => address),
    ).toEqual(["bo@example.org"]);
  });

  test.each(["From: eve@evil.test", "from : eve@evil.test", "FROM:eve@evil.test"])(
    "a second From is reported: %j",
    async (line) => {
      const parsed = await header("From: ada@example.com", line);
      expect(parsed.from_headers).toBe(2);
      expect(parsed.from.map(({ address }) => address)).toEqual(["ada@example.com", "eve@evil.test"]);
    },
  );

  test.each(["\xef\xbb\xbfFrom: eve@evil.test", "\xa0From: eve@evil.test", "Fr\0om: eve@evil.test"])(
    "%j is not a From",
    async (line) => {
      const parsed = await header("From: ada@example.com", line);
      expect(parsed).toMatchObject({ from_headers: 1, from: [{ address: "ada@example.com" }] });
    },
  );

  test("a second From behind the limit is still counted", async () => {
    const parsed = await header(
      "From: ada@example.com",
      ...Array.from({ length: 900 }, (_, index) => `X-${index}: ${"x".repeat(90)}`),
      "From: eve@evil.test",
    );
    expect(parsed).toMatchObject({
      from_headers: 2,
      truncated: ["headers"],
      from: [{ address: "ada@example.com" }],
    });
  });

  test("identifiers get their brackets and are unfolded", async () => {
    const parsed = await header(
      "Message-ID: one@example.com",
      "In-Reply-To: Your mail of today <a@\r\n example.com>",
      "References: <r1@x>\r\n\t<r2@x> <r1@x>",
    );
    expect(parsed).toMatchObject({
      message_id: "<one@example.com>",
      in_reply_to: "<a@example.com>",
      references: ["<r1@x>", "<r2@x>"],
    });
  });

  test("the first and the last of many references are kept", async () => {
    const { references } = await header(
      `References: ${Array.from({ length: 1_300 }, (_, index) => `<${index}@x>`).join(" ")}`,
    );
    expect([references.length, references[0], references[1], references.at(-1)]).toEqual([
      1_000,
      "<0@x>",
      "<301@x>",
      "<1299@x>",
    ]);
  });

  test.each([
    ["Fri, 20 Nov 2026 04:19:00 +0130 (CET)", "2026-11-20T02:49:00.000Z"],
    ["20 Nov 26 04:19 EST", "2026-11-20T09:19:00.000Z"],
    ["Fri, 20 Nov 2026 04:19:00", "2026-11-20T04:19:00.000Z"],
    ["2026-11-20T04:19:00Z", "2026-11-20T04:19:00.000Z"],
    ["yesterday", null],
    ["99 Foo 2026 04:19:00 +0000", null],
  ])("the date %s is %s", async (written, date) => {
    expect((await header(`Date: ${written}`)).date).toBe(date);
  });
});

describe("bodies", () => {
  const body = (type: string, encoding: string, ...lines: string[]) =>
    parseMail(mail(`Content-Type: ${type}`, `Content-Transfer-Encoding: ${encoding}`, "", ...lines));

  test.each([
    [
      "quoted-printable",
      "text/plain; charset=utf-8",
      "quoted-printable",
      "Gr=C3=BC=C3=\r\n=9Fe=  \r\n!",
      "Grüße!",
    ],
    ["broken quoted-printable", "text/plain", "quoted-printable", "50= 50 =G1 =", "50= 50 =G1 "],
    ["base 64 with padding in the middle", "text/plain", "base64", "SGk=\r\nSGk=", "HiHi"],
    ["base 64 with dirt", "text/plain", "base64", "SG!k*g\r\nSGk", "Hi Hi"],
    [
      "base 64 and a list's footer in plain text",
      "text/plain; charset=utf-8",
      "base64",
      `${Buffer.from("Grüße aus Köln").toString("base64")}\r\n______________________\r\nTeam list\r\nhttps://lists.example/team`,
      "Grüße aus Köln\n______________________\nTeam list\nhttps://lists.example/team",
    ],
    [
      "base 64 in another charset and a gateway's line",
      "text/plain; charset=koi8-r",
      "base64",
      "8NLJ18XUIQ==\r\n\r\nThis message was scanned and is believed to be clean.",
      "Привет!\nThis message was scanned and is believed to be clean.",
    ],
    ["base 64 behind a comment", "text/plain", "(by hand) base64", "SGk=", "Hi"],
    ["no charset and UTF-8 bytes", "text/plain", "8bit", utf8("Grüße"), "Grüße"],
    ["no charset and windows-1252 bytes", "text/plain", "8bit", "Gr\xfc\xdfe", "Grüße"],
    ["UTF-8 that isn't", "text/plain; charset=utf-8", "8bit", "Gr\xfc\xdfe", "Grüße"],
    [
      "UTF-8 with one torn character",
      "text/plain; charset=utf-8",
      "8bit",
      `${utf8("Grüße")}\xc3`,
      "Grüße\ufffd",
    ],
    ["UTF-7", "text/plain; charset=utf-7", "7bit", "Fr+APY-sche +- +ZeVnLIqe-", "Frösche + 日本語"],
    ["UTF-16 with its mark", "text/plain; charset=utf-16", "base64", "/v8ASABp", "Hi"],
    ["Cyrillic by code page", "text/plain; charset=cp1251", "8bit", "\xcf\xf0\xe8", "При"],
    [
      "a charset in quotes with a comment",
      'text/plain; charset="koi8-r" (Russian)',
      "8bit",
      "\xf0\xd2\xc9",
      "При",
    ],
    [
      "flowed text",
      "text/plain; format=flowed",
      "7bit",
      "one \r\ntwo\r\n> a \r\n> b\r\n-- \r\nme",
      "one two\n> a b\n-- \nme",
    ],
    ["flowed text with delsp", "text/plain; format=flowed; delsp=yes", "7bit", "one \r\ntwo", "onetwo"],
    ["a NUL", "text/plain", "7bit", "a\0b", "ab"],
    ["an unknown encoding", "text/plain", "x-mine", "as is", "as is"],
    ["no sense in its type", "???", "7bit", "as is", "as is"],
    ["half a type", "text", "7bit", "as is", "as is"],
    ["a type without its semicolon", "text/plain charset=koi8-r", "8bit", "\xf0\xd2\xc9", "При"],
    ["an encoding by another name", "text/plain", "quoted_printable", "Gr=FC=DFe", "Grüße"],
    ["files' own encoding", "text/plain", "x-uuencode", "begin 644 a.txt\r\n#2&D*\r\n`\r\nend", "Hi\n"],
    ["that encoding and no file", "text/plain", "x-uuencode", "as is", "as is"],
  ])("text with %s is read", async (_, type, encoding, written, text) => {
    expect((await body(type, encoding, written)).text).toBe(text);
  });

  test.each([
    ["in its head", '<html><head><meta charset="koi8-r"></head>'],
    ["as a header", '<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">'],
  ])("html that declares its charset %s is read in it", async (_, head) => {
    expect((await body("text/html", "8bit", `${head}\xf0\xd2\xc9`)).html).toBe(`${head}При`);
    expect((await body("text/html; charset=windows-1251", "8bit", `${head}\xcf\xf0\xe8`)).html).toBe(
      `${head}При`,
    );
  });

  test("a file with a malformed type is a file", async () => {
    const parsed = await body("pdf; name=a.pdf", "7bit", "%PDF");
    expect(parsed.attachments).toMatchObject([
      { filename: "a.pdf", content_type: "application/octet-stream" },
    ]);
  });

  test("html only has no text", async () => {
    expect(await body("text/html", "7bit", "<p>Hi</p>")).toMatchObject({ text: "", html: "<p>Hi</p>" });
  });

  test("a mail without a header is only a body", async () => {
    expect((await parseMail(Buffer.from("Hello there\nand so on\n"))).text).toBe("Hello there\nand so on\n");
  });

  test("a uuencoded file in the text becomes an attachment", async () => {
    const parsed = await body("text/plain", "7bit", "See:", "begin 644 hi.txt", "#2&D*", "`", "end", "Bye");
    expect(parsed.text).toBe("See:\nBye");
    expect(
      parsed.attachments.map(({ filename, bytes }) => [filename, Buffer.from(bytes).toString()]),
    ).toEqual([["hi.txt", "Hi\n"]]);
  });
});

describe("parts", () => {
  const multipart = (type: string, ...parts: string[][]) =>
    mail(
      `Content-Type: multipart/${type}; boundary="b=1"`,
      "",
      "preamble",
      ...parts.flatMap((part) => ["--b=1", ...part]),
      "--b=1--",
      "epilogue",
    );

  test("an alternative gives text and html; the rest is attached", async () => {
    const inner = [
      'Content-Type: multipart/alternative; boundary="in"',
      "",
      "--in",
      "",
      "Hi",
      "--in",
      "Content-Type: text/html",
      "",
      "<p>Hi</p>",
      "--in--",
    ];
    const image = [
      "Content-Type: image/png",
      "Content-ID: <logo@x>",
      "Content-Disposition: inline; filename=logo.png",
      "Content-Transfer-Encoding: base64",
      "",
      "AAEC",
    ];
    const parsed = await parseMail(multipart("mixed", inner, image));
    expect(parsed).toMatchObject({ text: "Hi", html: "<p>Hi</p>", truncated: [] });
    expect(parsed.attachments).toEqual([
      {
        filename: "logo.png",
        content_type: "image/png",
        content_id: "logo@x",
        disposition: "inline",
        bytes: Buffer.from([0, 1, 2]),
      },
    ]);
  });

  test("neither text nor html side by side loses anything", async () => {
    const parsed = await parseMail(
      multipart("mixed", ["", "One & two"], ["Content-Type: text/html", "", "<p>Three &amp; four</p>"]),
    );
    expect(parsed.text).toBe("One & two\nThree & four");
    expect(parsed.html).toBe("<div>One &amp; two</div>\n<p>Three &amp; four</p>");
  });

  test("a text with a name is the body when it comes first, else a file", async () => {
    const named = (name: string, text: string) => [`Content-Type: text/plain; name=${name}`, "", text];
    const parsed = await parseMail(multipart("mixed", named("body.txt", "Hi"), named("notes.txt", "Notes")));
    expect(parsed.text).toBe("Hi");
    expect(parsed.attachments.map(({ filename }) => filename)).toEqual(["notes.txt"]);
  });

  test("a nested mail is an attachment with its own bytes", async () => {
    const parsed = await parseMail(
      multipart("mixed", ["", "See below"], ["Content-Type: message/rfc822", "", "Subject: in", "", "inner"]),
    );
    expect(parsed.text).toBe("See below");
    expect(
      parsed.attachments.map(({ filename, bytes }) => [filename, Buffer.from(bytes).toString()]),
    ).toEqual([["message.eml", "Subject: in\r\n\r\ninner"]]);
  });

  test.each([
    ["plain", "filename=report.pdf", "report.pdf"],
    ["raw 8-bit", 'filename="\xfcber.pdf"', "über.pdf"],
    ["direction marks", `filename="${utf8("a\u202efdp.exe")}"`, "a\u202efdp.exe"],
    ["nothing", "size=3", "attachment.pdf"],
  ])("a filename that is %s is read", async (_, parameter, filename) => {
    const parsed = await parseMail(
      multipart("mixed", [
        "Content-Type: application/pdf",
        `Content-Disposition: attachment; ${parameter}`,
        "",
        "x",
      ]),
    );
    expect(parsed.attachments[0]?.filename).toBe(filename);
  });

  test.each([
    ["no boundary", "Content-Type: multipart/mixed"],
    ["a boundary that never comes", "Content-Type: multipart/mixed; boundary=other"],
    ["a boundary hidden by an open quote", 'Content-Type: multipart/mixed; x="y; boundary=b1'],
  ])("with %s the parts are found", async (_, type) => {
    const parsed = await parseMail(
      mail(
        type,
        "",
        "--b1",
        "Content-Type: text/plain",
        "",
        "Hi",
        "--b1",
        "Content-Type: text/html",
        "",
        "<p>Hi</p>",
        "--b1--",
      ),
    );
    expect(parsed).toMatchObject({ text: "Hi\nHi", html: "<div>Hi</div>\n<p>Hi</p>" });
  });

  test("a boundary within that continues the one around with dashes begins no end", async () => {
    const parsed = await parseMail(
      mail(
        'Content-Type: multipart/mixed; boundary="a--"',
        "",
        "--a--",
        'Content-Type: multipart/alternative; boundary="a----"',
        "",
        "--a----",
        "Content-Type: text/plain",
        "",
        "Hi",
        "--a----",
        "Content-Type: text/html",
        "",
        "<p>Hi</p>",
        "--a------",
        "--a--",
        "Content-Type: application/pdf; name=a.pdf",
        "",
        "x",
        "--a----",
      ),
    );
    expect(parsed).toMatchObject({ text: "Hi", html: "<p>Hi</p>", attachments: [{ filename: "a.pdf" }] });
  });

  test("a file in base 64 is what it was, whatever text follows it", async () => {
    const file = [
      "Content-Type: application/pdf; name=a.pdf",
      "Content-Transfer-Encoding: base64",
      "",
      "SGVsbG8=",
    ];
    const parsed = await parseMail(multipart("mixed", [...file, "Scanned by the gateway."]));
    expect(Buffer.from(parsed.attachments[0]?.bytes ?? []).toString()).toBe("Hello");
  });

  test.each([
    ["text/plain; charset=koi8-r", "a.txt", "text/plain", { charset: "koi8-r" }],
    [
      'text/csv; header=present; charset="ISO-8859-2"',
      "a.csv",
      "text/csv",
      { header: "present", charset: "ISO-8859-2" },
    ],
    [
      "text/calendar; method=REQUEST; charset=UTF-8",
      "a.ics",
      "text/calendar",
      { method: "REQUEST", charset: "UTF-8" },
    ],
    ['text/calendar; method="x; y"', "a.ics", "text/calendar", undefined],
    ["; name=a.pdf", "a.pdf", "application/pdf", undefined],
    ["application/octet-stream", "a.pdf", "application/octet-stream", undefined],
    ["", "report.PDF", "application/pdf", undefined],
    ["", "a.unknown", "text/plain", undefined],
  ])("an attachment's type %j with the name %s is %s", async (type, filename, expected, parameters) => {
    const fields = type === "" ? [] : [`Content-Type: ${type}`];
    const disposition = `Content-Disposition: attachment; filename=${filename}`;
    const { attachments } = await parseMail(multipart("mixed", [...fields, disposition, "", "x"]));
    expect(attachments).toMatchObject([{ filename, content_type: expected }]);
    expect(attachments[0]?.parameters).toEqual(parameters);
  });

  test("what a signed S/MIME message holds is read, and told to be unverified", async () => {
    const content = multipart(
      "mixed",
      ["", "Signed text."],
      ["Content-Type: text/csv; name=a.csv", "", "1,2"],
    );
    const signed = signedMessage(content.toString("latin1").replace(/^[^]*?(?=Content-Type)/, ""));
    const parsed = await parseMail(
      mail(
        "Subject: Signed",
        "Content-Type: application/pkcs7-mime; smime-type=signed-data; name=smime.p7m",
        "Content-Transfer-Encoding: base64",
        "",
        signed.toString("base64"),
      ),
    );
    expect(parsed).toMatchObject({ text: "Signed text.", unverified_signature: true });
    expect(parsed.attachments.map(({ filename }) => filename)).toEqual(["a.csv", "smime.p7m"]);
    expect(await parseMail(mail("Subject: x", "", "Text"))).toMatchObject({ unverified_signature: false });
  });

  test("without a delimiter the body is text", async () => {
    expect((await parseMail(mail("Content-Type: multipart/mixed; boundary=x", "", "Just text"))).text).toBe(
      "Just text",
    );
  });

  test("an unclosed part is read to the end", async () => {
    expect(
      (await parseMail(mail("Content-Type: multipart/mixed; boundary=x", "", "--x", "", "Hi"))).text,
    ).toBe("Hi");
  });

  test("a part header without an end stops at the next delimiter", async () => {
    const torn = mail(
      "Content-Type: multipart/mixed; boundary=a",
      "",
      "--a",
      "Content-Type: multipart/mixed; boundary=ab",
      "MIME-Version: 1.0",
      "--ab",
      "Content-Type: text/plain",
      "",
      "Hi",
      "--ab--",
      "--a--",
    );
    expect(await parseMail(torn)).toMatchObject({ text: "Hi", attachments: [] });
  });

  const parts = [
    "--b",
    "Content-Type: text/plain",
    "",
    "Hi",
    "--b",
    "Content-Type: text/html",
    "",
    "<p>Hi</p>",
    "--b--",
  ];
  test.each([
    ["a mail's fields", ["Content-Type: multipart/alternative; boundary=b", ...parts]],
    [
      "a mail's fields, whatever begins its text",
      ["Content-Type: multipart/alternative; boundary=b", ...parts.toSpliced(1, 2)],
    ],
    [
      "a mail's fields, by a boundary with a colon",
      [
        'Content-Type: multipart/alternative; boundary="b:1"',
        ...parts.map((line) => line.replace("--b", "--b:1")),
      ],
    ],
    [
      "a part's fields",
      [
        "Content-Type: multipart/mixed; boundary=a",
        "",
        "--a",
        "Content-Type: multipart/alternative; boundary=b",
        ...parts,
        "--a--",
      ],
    ],
    [
      "a part's fields, by a boundary with a colon",
      [
        "Content-Type: multipart/mixed; boundary=a",
        "",
        "--a",
        'Content-Type: multipart/alternative; boundary="b:1"',
        ...parts.map((line) => line.replace("--b", "--b:1")),
        "--a--",
      ],
    ],
  ])("parts that no blank line parts from %s are read", async (_, lines) => {
    expect(await parseMail(mail("From: a@a.example", ...lines))).toMatchObject({
      text: "Hi",
      html: "<p>Hi</p>",
      attachments: [],
    });
  });

  test.each([
    ["a line", ["Content-Type: text/plain", "Hi there"], "Hi there"],
    [
      "lines with a colon",
      ["Content-Type: text/plain", "Hi there,", "Note: soon", "", "Bye"],
      "Hi there,\nNote: soon\n\nBye",
    ],
    ["Base64", ["Content-Transfer-Encoding: base64", "SGkgdGhl cmU="], "Hi there"],
    ["a parameter that lost its blank", ["Content-Type: text/plain;", "charset=utf-8", "", "Hi"], "Hi"],
    [
      "a line before a field",
      ["Content-Type: text/plain;", "no field", "Content-Transfer-Encoding: base64", "", "SGk="],
      "Hi",
    ],
  ])("text of a part that no blank line parts from its fields is read: %s", async (_, lines, text) => {
    const parsed = await parseMail(multipart("mixed", lines));
    expect(parsed).toMatchObject({ text, attachments: [] });
  });

  test("a line like a delimiter doesn't hide a second From", async () => {
    expect((await header("From: ada@example.com", "--b", "From: eve@evil.test")).from_headers).toBe(2);
  });

  test("a longer boundary with the same start is a different one", async () => {
    const parsed = await parseMail(
      mail("Content-Type: multipart/mixed; boundary=x", "", "--x", "", "a", "--xy", "b", "--x--"),
    );
    expect(parsed.text).toBe("a\r\n--xy\r\nb".replaceAll("\r", ""));
  });
});

describe("limits", () => {
  const nested = (depth: number) => {
    const lines: string[] = [];
    for (let level = 0; level < depth; level += 1)
      lines.push(`Content-Type: multipart/mixed; boundary=b${level}`, "", `--b${level}`);
    return mail(...lines, "", "deep");
  };
  // Quadratic work takes minutes on these.
  const within = async (raw: Uint8Array, milliseconds = 2_000) => {
    let parsed: Promise<ParsedMail> | undefined;
    expect(await measureThreadCpu(() => (parsed = parseMail(raw)))).toBeLessThan(milliseconds);
    return (await parsed) as ParsedMail;
  };

  test("blanks in HTML are read in linear time", async () => {
    const blanks = `<p>a${" ".repeat(120_000)}b${"\t ".repeat(60_000)}\r\nc</p>`;
    expect((await within(mail("Content-Type: text/html", "", blanks))).html).toContain("c</p>");
    const both = mail(
      "Content-Type: multipart/mixed; boundary=b",
      ...[
        "",
        "--b",
        "Content-Type: text/plain",
        "",
        "see",
        "--b",
        "Content-Type: text/html",
        "",
        blanks,
        "--b--",
      ],
    );
    expect((await within(both)).text).toBe(`see\na${" ".repeat(120_000)}b\nc`);
  });

  test("twenty levels are read; the rest is attached whole", async () => {
    expect(await within(nested(20))).toMatchObject({ text: "deep", truncated: [] });
    const deeper = await within(nested(2_000));
    expect(deeper).toMatchObject({ text: "", truncated: ["depth"] });
    expect(deeper.attachments).toHaveLength(1);
  });

  test("twenty thousand parts cost no more than a thousand", async () => {
    const raw = mail(
      "Content-Type: multipart/mixed; boundary=b",
      "",
      ...Array.from({ length: 20_000 }, () => "--b\r\nContent-Type: image/png\r\n\r\nx"),
      "--b--",
    );
    const parsed = await within(raw);
    expect(parsed.truncated).toEqual(["parts"]);
    expect(parsed.attachments.length).toBeLessThanOrEqual(MAX_PARTS);
    expect(looksCostly(raw)).toBe(true);
  });

  test.each([
    ["one folded 200 KB header", mail(`Subject: ${"a\r\n ".repeat(50_000)}`, "", "x")],
    ["a header of open comments", mail(`Content-Type: text/plain; ${"(".repeat(60_000)}`, "", "x")],
    ["a header of quotes", mail(`Content-Type: text/plain; x=${'"\\'.repeat(30_000)}`, "", "x")],
    ["a header of blanks", mail(`Subject: a${" ".repeat(60_000)}b`, "", "x")],
    ["a header of half words", mail(`Subject: ${"=?a?q?".repeat(10_000)}`, "", "x")],
    ["a header of words without their end", mail(`Subject: ${"=?a?q?x".repeat(9_000)} b`, "", "x")],
    [
      "raw bytes of no charset",
      mail(`Subject: ${"\xfc".repeat(60_000)}`, "", "\xfc\xfe\x81 ".repeat(100_000)),
    ],
    ["an address list of open brackets", mail(`To: ${"<".repeat(60_000)}`, "", "x")],
    ["an address list of quotes", mail(`To: ${'"a" '.repeat(15_000)}`, "", "x")],
    ["an address list of quoted names", mail(`To: ${'"a b"@c.d '.repeat(6_000)}`, "", "x")],
    ["an address list of ways", mail(`To: ${"<@a,".repeat(15_000)}`, "", "x")],
    ["an address list of comments in comments", mail(`To: ${"(".repeat(60_000)}@`, "", "x")],
    ["thousands of From fields", mail(...Array.from({ length: 9_000 }, (_, n) => `From:${n}`), "", "x")],
    ["lines of blanks", mail(" \r\n".repeat(300_000), "", "x")],
    [
      "ends of a boundary that the part inside has made its own",
      mail(
        "Content-Type: multipart/mixed; boundary=a",
        "",
        "--a",
        "Content-Type: multipart/mixed; boundary=a--",
        "",
        "--a--\r\n".repeat(100_000),
      ),
    ],
    [
      "words behind Base64",
      mail("Content-Transfer-Encoding: base64", "", "SGk=", "word and word\r\n".repeat(100_000)),
    ],
    ["references of open brackets", mail(`References: ${"<".repeat(60_000)}`, "", "x")],
    [
      "boundary lines that aren't",
      mail("Content-Type: multipart/mixed; boundary=b", "", "--bx\r\n".repeat(100_000)),
    ],
    [
      "soft breaks that aren't",
      mail("Content-Transfer-Encoding: quoted-printable", "", `=${" ".repeat(1_000_000)}`),
    ],
    ["begin lines", mail("", "begin 644 a\n".repeat(50_000))],
    [
      "tags that never close",
      mail(
        "Content-Type: multipart/mixed; boundary=b",
        "",
        "--b",
        "",
        "x",
        "--b",
        "Content-Type: text/html",
        "",
        "<br ".repeat(200_000),
      ),
    ],
    ["UTF-7 runs", mail("Content-Type: text/plain; charset=utf-7", "", "+AAAA".repeat(150_000))],
  ])("%s is read in no time", async (_, raw) => {
    await within(raw);
  });

  test("what can't be cut is refused", async () => {
    await expect(parseMail(mail(`Subject: ${"a".repeat(1_100_000)}`, "", "x"))).rejects.toMatchObject({
      code: "mail_too_complex",
    });
    await expect(parseMail(new Uint8Array())).rejects.toMatchObject({ code: "mail_unreadable" });
  });

  test("a body is cut at a million characters and marked as truncated", async () => {
    const parsed = await within(mail("Content-Type: text/html", "", "x".repeat(1_200_000)));
    expect(parsed.truncated).toEqual(["html"]);
    expect(parsed.html).toHaveLength(1_000_000);
  });
});

describe("cost", () => {
  test.each([
    ["an ordinary mail", mail("Subject: a", "", "x"), false],
    ["a large mail", mail("Subject: a", "", "x".repeat(270_000)), true],
    ["a long header", mail(`Subject: ${"a".repeat(17_000)}`, "", "x"), true],
    ["many delimiters", mail("Subject: a", "", "--b\n".repeat(300)), true],
  ])("%s", (_, raw, costly) => {
    expect(looksCostly(raw)).toBe(costly);
  });
});

test("any bytes give a mail or an error code", async () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "Content-Type: ",
      "multipart/mixed; boundary=b",
      "text/html",
      "--b",
      "--b--",
      "\r\n",
      "\n",
      "\r",
      "\r\n\r\n",
      "=?utf-8?B?",
      "?=",
      '"',
      "(",
      "<a@b.test>",
      "From: ",
      "\0",
      "=",
      ";",
    ),
    fc.string({ unit: "binary", maxLength: 8 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
      const answer = await parseMail(Buffer.from(pieces.join(""))).catch(
        (error: { code: string }) => error.code,
      );
      expect(typeof answer === "string" ? answer : "parsed").toMatch(/^(?:parsed|mail_unreadable)$/);
    }),
    { numRuns: 500 },
  );
});

test("UTF-7 ends a run at any other character", () => {
  expect(decodeUtf7("a+AOQ.b +- +A")).toBe("aä.b + ");
});
