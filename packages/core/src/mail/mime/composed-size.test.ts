import fc from "fast-check";
import { expect, test } from "vitest";
import { composeMail, type MailToCompose } from "./compose.ts";
import { fitsWhenComposed, type MailToMeasure } from "./composed-size.ts";

const head: MailToCompose = {
  from: { address: "ada@agents.example.com", name: "Ada" },
  to: [{ address: "bo@example.org", name: "Bö" }],
  subject: "Zahlen für später",
  message_id: "<one@agents.example.com>",
  date: "2026-11-20T04:19:00.000Z",
};
const LIMIT = 26_214_400;
/** So much of it that only composing the rest tells. */
const LARGE = 19_000_000;
const textOf = (html: string) => `text of ${html}`;
/** Measures with the text that `make` makes of HTML, in a mail without text. */
const sizeWith = (make: (html: string) => string) => async (mail: MailToCompose) => {
  const { length } = await composeMail({ ...mail, text: mail.text || (mail.html ? make(mail.html) : "") });
  return length;
};
const sizeOf = sizeWith(textOf);

const file = (size: number, content_type = "application/pdf") => ({
  filename: `Datei ${size} für Bo.pdf`,
  content_type,
  bytes: new Uint8Array(size).fill(7),
});

/** The size of a mail by composing all of it, and whether it fits in a byte less, as much, and a byte more. */
async function judge(mail: Omit<MailToCompose, "attachments">, files: ReturnType<typeof file>[]) {
  const text = mail.text || (mail.html ? textOf(mail.html) : "");
  const { length } = await composeMail({ ...mail, text, attachments: files });
  const attachments = files.map(({ bytes, ...shown }) => ({
    ...shown,
    size_bytes: bytes.length,
    read: async () => bytes,
  }));
  const measured: MailToMeasure = { ...mail, sizeOf, attachments };
  const sizes = [length - 1, length, length + 1];
  return Promise.all(sizes.map((size) => fitsWhenComposed(measured, size)));
}

test("whether a mail fits is known to the byte, whatever its words and its attachments' sizes", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 4 }),
      fc.string({ unit: "grapheme", maxLength: 200 }),
      fc.option(fc.string({ maxLength: 200 })),
      async (sizes, text, html) => {
        const files = sizes.map((size) => file(size));
        expect(await judge({ ...head, text, html }, files)).toEqual([false, true, true]);
      },
    ),
  );
});

test.each([
  ["a file", file(1)],
  ["an empty file", file(0)],
  [
    "a nested mail",
    { ...file(0, "message/rfc822"), bytes: new Uint8Array(Buffer.from("Subject: a\n\nb\n")) },
  ],
  [
    "one without a last line end",
    { ...file(0, "message/rfc822"), bytes: new Uint8Array(Buffer.from("A: b")) },
  ],
])("a mail that is nothing but %s is measured to the byte", async (_, attachment) => {
  expect(await judge({ ...head, text: "" }, [attachment])).toEqual([false, true, true]);
});

test.each([
  ["as it is", "Subject: a\n\nb\n"],
  ["in Base64 for its letters", "Subject: ä\r\n\r\nb\r\n"],
  ["in Base64 for its long lines", `Subject: a\r\n\r\n${"b".repeat(1_000)}`],
])("a nested mail counts as it is sent: %s", async (_, text) => {
  const nested = { ...file(0, "message/rfc822"), bytes: new Uint8Array(Buffer.from(text)) };
  expect(await judge({ ...head, text: "x" }, [nested])).toEqual([false, true, true]);
});

test.each([
  [19_150_000, true],
  [19_160_000, false],
])("in a mail of at most 25 MB an attachment of %i bytes fits: %s", async (size_bytes, fits) => {
  const read = () => Promise.reject(new Error("not needed"));
  const { bytes: _bytes, ...shown } = file(0);
  const mail = { ...head, text: "x", sizeOf, attachments: [{ ...shown, size_bytes, read }] };
  expect(await fitsWhenComposed(mail, LIMIT)).toBe(fits);
});

test("the text that is made of HTML counts", async () => {
  const read = () => Promise.reject(new Error("not needed"));
  const { bytes: _bytes, ...shown } = file(0);
  const attachments = [{ ...shown, size_bytes: LARGE, read }];
  const mail = { ...head, html: "<p>x", attachments };
  expect(await fitsWhenComposed({ ...mail, sizeOf: sizeWith(() => "x".repeat(100_000)) }, LIMIT)).toBe(true);
  expect(await fitsWhenComposed({ ...mail, sizeOf: sizeWith(() => "x\n".repeat(150_000)) }, LIMIT)).toBe(
    false,
  );
});
