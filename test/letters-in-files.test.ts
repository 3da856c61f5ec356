import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createTestService, forgedFrom, type TestService } from "../packages/core/testing/index.ts";
import { lettersTo, tokensIn, withOwner } from "../packages/core/testing/owner-mail.ts";
import {
  file,
  grace,
  mailOf,
  newest,
  placeOfCode,
  startSignIn,
  text,
} from "../packages/core/testing/returned-mail.ts";
import { createTextExtraction } from "../packages/text-extraction/src/index.ts";
import { docxOf, paragraph } from "../packages/text-extraction/test/office.ts";
import { pdfLines, pdfOf } from "../packages/text-extraction/test/pdf.ts";

const extraction = createTextExtraction();
afterAll(() => extraction.close());

const FILES: [string, string, (words: string) => Buffer][] = [
  ["a.pdf", "application/pdf", (words) => pdfOf([pdfLines(words.split("\n"))])],
  [
    "a.docx",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    (words) => docxOf(words.split("\n").map(paragraph).join("")),
  ],
];

let service: TestService;
let setting: Awaited<ReturnType<typeof withOwner>>;
beforeEach(async () => {
  service = createTestService({ textExtraction: extraction });
  setting = await withOwner(service);
});

const receive = (parts: ReturnType<typeof text>[]) =>
  service.receiveRaw(
    mailOf(setting, parts),
    setting.inbox.email,
    "help@desk.example",
    forgedFrom("desk.example"),
  );

/** The text of the newest message's file, as an agent asks for it. */
async function textOfFile(): Promise<string> {
  const message = await newest(setting);
  const place = { inbox_id: setting.inbox.id, message_id: message?.id ?? "" };
  const attachment_id = message?.attachments[0]?.id ?? "";
  const { bytes } = await setting.as.attachments.text({ ...place, attachment_id });
  return new TextDecoder().decode(bytes);
}

describe.each(FILES)("a letter that somebody saved as %s", (name, type, save) => {
  test("is withheld while its code lives, which is void", async () => {
    const begun = await startSignIn(service);
    await receive([text("See."), file(name, save(begun.words), type)]);
    expect((await newest(setting))?.attachments).toMatchObject([{ filename: "withheld.txt" }]);
    expect(await textOfFile()).toContain("was withheld");
    expect(await placeOfCode({ ...setting, code: begun.code })).toBe("");
    await expect(begun.signIn()).rejects.toMatchObject({ code: "session_invalid" });
  });

  test("within a saved mail is withheld too", async () => {
    const begun = await startSignIn(service);
    const inner = mailOf(setting, [text("Inner."), file(name, save(begun.words), type)]);
    await receive([text("See."), file("in.eml", inner, "message/rfc822")]);
    const message = await newest(setting);
    const place = { inbox_id: setting.inbox.id, message_id: message?.id ?? "" };
    const attachment_id = message?.attachments[0]?.id ?? "";
    const stored = await setting.as.attachments.get({ ...place, attachment_id });
    expect(Buffer.from(stored.bytes).toString()).toContain("withheld.txt");
    await expect(begun.signIn()).rejects.toMatchObject({ code: "session_invalid" });
  });

  test("that came before a code lived has its link struck when its text is asked for", async () => {
    const { report, as, inbox } = setting;
    await report({ kind: "done", title: "It is done" });
    await service.work();
    const [secret = ""] = tokensIn(lettersTo(service, grace).at(-1) ?? "", "style");
    expect(secret).toMatch(/^lso/);
    await service.clock.advance(25 * 3600_000);
    // No code of a letter is valid, so the file is not opened when it comes.
    const raw = mailOf(setting, [
      text("Old."),
      file(name, save(`See https://x.example/?t=${secret} and 482913.`), type),
    ]);
    await as.messages.inject({ inbox_id: inbox.id, raw: raw.toString("base64") });
    expect((await newest(setting))?.attachments).toMatchObject([{ filename: name }]);
    const read = await textOfFile();
    expect(read).toContain("[link removed]");
    expect(read).toContain("482913");
    expect(read.includes(secret)).toBe(false);
  });
});
