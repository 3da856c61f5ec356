import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTextExtraction, type ThreadedTextExtraction } from "./text-extraction.ts";

let extraction: ThreadedTextExtraction;
beforeAll(() => {
  extraction = createTextExtraction({ threads: 1 });
});
afterAll(() => extraction.close());

const mail = (...lines: string[]) => Buffer.from(lines.join("\r\n"), "latin1");
const textOf = async (bytes: Uint8Array) => (await extraction.extract({ kind: "mail", bytes })).text;

describe("the text of an attached mail", () => {
  test("is who, when, what, and the files in it", async () => {
    const bytes = mail(
      "From: Ada Moss <ada@example.com>",
      "To: bo@example.com, Cy <cy@example.com>",
      "Date: Mon, 5 Jan 2026 10:00:00 +0000",
      "Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=",
      "Content-Type: multipart/mixed; boundary=b",
      "",
      "--b",
      "Content-Type: text/plain; charset=iso-8859-1",
      "",
      "Sch\xf6nen Tag.",
      "--b",
      "Content-Type: application/pdf; name=a.pdf",
      "",
      "x",
      "--b--",
    );
    expect(await textOf(bytes)).toBe(
      [
        "From: Ada Moss <ada@example.com>",
        "To: bo@example.com, Cy <cy@example.com>",
        "Date: 2026-01-05T10:00:00.000Z",
        "Subject: Grüße",
        "",
        "Schönen Tag.",
        "",
        "Attachment: a.pdf (application/pdf, 1 bytes)",
      ].join("\n"),
    );
  });

  test("is that of its HTML where it has nothing else, and of mails within, to a depth", async () => {
    const around = [1, 2, 3, 4].flatMap((depth) => [
      `Subject: at ${depth}`,
      "Content-Type: message/rfc822",
      "",
    ]);
    const text = await textOf(
      mail(...around, "Subject: inmost", "Content-Type: text/html", "", "<p>One<br>two</p>"),
    );
    expect(text).toContain("Subject: at 1");
    expect(text).toContain("Subject: at 4");
    expect(text).not.toContain("inmost");
    expect(await textOf(mail("Subject: x", "Content-Type: text/html", "", "<p>One<br>two</p>"))).toBe(
      "Subject: x\n\nOne\ntwo",
    );
  });

  test("fails for no mail, and is cut where it names many files", async () => {
    await expect(textOf(Buffer.alloc(0))).rejects.toMatchObject({ code: "text_extraction_failed" });
    const parts = Array.from({ length: 200 }, (_, index) => [
      `--b`,
      `Content-Type: image/png; name=${index}.png`,
      "",
      "x",
    ]);
    const bytes = mail("Content-Type: multipart/mixed; boundary=b", "", ...parts.flat(), "--b--");
    const { text, truncated } = await extraction.extract({ kind: "mail", bytes });
    expect({ files: text.split("Attachment:").length - 1, truncated }).toEqual({
      files: 100,
      truncated: true,
    });
  });
});

describe("text in a stated charset is read in it", () => {
  test.each([
    ["koi8-r", "\xf0\xd2\xc9\xd7\xc5\xd4", "Привет"],
    ["gb2312", "\xc4\xe3\xba\xc3", "你好"],
    ["iso-8859-2", "\xb3\xf3d\xbc", "łódź"],
    ["utf-16le", "h\0i\0", "hi"],
    ["iso-8859-1", "Gr\xfc\xdfe", "Grüße"],
    ["iso-8859-1", "Gr\xc3\xbc\xc3\x9fe", "Grüße"],
    ["utf-8", "Gr\xfc\xdfe", "Grüße"],
    ["no-such", "plain", "plain"],
    [undefined, "Gr\xfc\xdfe", "Grüße"],
  ])("%s", async (charset, written, text) => {
    const bytes = Buffer.from(written, "latin1");
    for (const kind of ["text", "html"] as const)
      expect((await extraction.extract({ kind, bytes, charset })).text).toBe(text);
  });

  test("and is cut between its characters", async () => {
    const bytes = Buffer.from("\xc4\xe3".repeat(300_000), "latin1");
    const { text, truncated } = await extraction.extract({ kind: "text", bytes, charset: "gb2312" });
    expect(truncated).toBe(true);
    expect(/^你+$/.test(text)).toBe(true);
  });
});
