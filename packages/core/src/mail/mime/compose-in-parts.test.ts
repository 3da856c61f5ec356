import fc from "fast-check";
import { expect, test } from "vitest";
import { composeMail, type MailToCompose } from "./compose.ts";
import { composeInParts, type FileToCompose, whole } from "./compose-in-parts.ts";

const plain: MailToCompose = {
  from: { address: "ada@agents.example.com", name: "Ada" },
  to: [{ address: "bo@example.org", name: "Bo" }],
  subject: "Zahlen für später",
  message_id: "<one@agents.example.com>",
  date: "2026-11-20T04:19:00.000Z",
};

interface File {
  bytes: Uint8Array;
  content_type: string;
  content_id: string | null;
  piece_bytes: number;
}

function* inPieces({ bytes, piece_bytes }: File) {
  for (let at = 0; at < bytes.length; at += piece_bytes) yield bytes.subarray(at, at + piece_bytes);
}

const fileToRead = (file: File, index: number): FileToCompose => ({
  ...{ filename: `Datei ${index}.bin`, content_type: file.content_type, content_id: file.content_id },
  ...{ size_bytes: file.bytes.length, read: () => inPieces(file) },
});

const NESTED = "Subject: a\n\nb\n";

const anyFile = fc.record({
  bytes: fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.constantFrom("", NESTED, "ä\n", "A: b").map((text) => new Uint8Array(Buffer.from(text))),
  ),
  content_type: fc.constantFrom(
    "application/pdf",
    "message/rfc822",
    "text/csv",
    "multipart/mixed",
    "image/png",
  ),
  content_id: fc.option(fc.constantFrom("one", "two")),
  piece_bytes: fc.integer({ min: 1, max: 100 }),
});

test("a mail in parts has the bytes that it has in memory, whatever its attachments", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyFile, { maxLength: 4 }),
      fc.option(fc.string({ unit: "grapheme", maxLength: 100 })),
      fc.option(fc.constantFrom("<p>Hi", '<img src="cid:one">')),
      async (files, text, html) => {
        const attachments = files.map((file, index) => {
          const { size_bytes: _size, read: _read, ...shown } = fileToRead(file, index);
          return { ...shown, bytes: file.bytes };
        });
        const words = { ...plain, text, html };
        const at_once = Buffer.from(await composeMail({ ...words, attachments }));
        const parts = await composeInParts({ ...words, attachments: files.map(fileToRead) }, composeMail);
        const bytes = await whole(parts);
        expect(Buffer.from(bytes).toString("latin1")).toBe(at_once.toString("latin1"));
        expect(parts.size_bytes).toBe(at_once.length);
      },
    ),
  );
});

test("a file that breaks off ends the mail with its error", async () => {
  let begun = 0;
  async function* read() {
    begun += 1;
    yield new Uint8Array(100);
    if (begun > 1) throw new Error("gone");
    yield new Uint8Array(100);
  }
  const file = { filename: "a.bin", content_type: "application/pdf", size_bytes: 200, read };
  const parts = await composeInParts({ ...plain, text: "x", attachments: [file] }, composeMail);
  await expect(whole(parts)).rejects.toThrow("gone");
});
