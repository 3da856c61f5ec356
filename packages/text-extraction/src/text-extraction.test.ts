import { randomBytes } from "node:crypto";
import type { TextKind } from "@letterslot/core/ports";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { measureLongestTick } from "../../../test/support/processor-time.ts";
import { docxOf, paragraph, workbookOf, xlsxOf } from "../test/office.ts";
import { deflated, pdfLines, pdfOf } from "../test/pdf.ts";
import { zipOf } from "../test/zip.ts";
import { createTextExtraction, type ThreadedTextExtraction } from "./text-extraction.ts";

/** The longest time that a hostile file may block the event loop. */
const MAX_BLOCKED_MS = 100;
const BOMB_BYTES = 60_000_000;

let extraction: ThreadedTextExtraction;
beforeAll(() => {
  extraction = createTextExtraction({ threads: 1 });
});
afterAll(() => extraction.close());

const read = (kind: TextKind, bytes: Uint8Array | string) =>
  extraction.extract({ kind, bytes: Buffer.from(bytes as string) });
const numbers = (rows: number, columns: number) =>
  Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (__, column) => row * columns + column),
  );
const image = deflated(
  Buffer.alloc(30_000),
  "/Type /XObject /Subtype /Image /Width 100 /Height 100 /ColorSpace /DeviceRGB /BitsPerComponent 8",
);
const imageOnly = pdfOf([deflated(Buffer.from("q 100 0 0 100 0 0 cm /Im0 Do Q"))], {
  resources: "/XObject << /Im0 10000 0 R >>",
  more: [image],
});
const encrypted = `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${"ab".repeat(32)}> /U <${"cd".repeat(32)}> /P -44 >> /ID [<00> <00>]`;
const sheets = {
  Income: [["Item", "Paid"], ["Tea, green", 2.5], ['say "hi"', true], [], ["on", new Date("2026-01-02")]],
  Notes: [["x"]],
};
const sheetsText = 'Item,Paid\n"Tea, green",2.5\n"say ""hi""",TRUE\non,2026-01-02\n\nx\n';
const table = `<w:tbl><w:tr><w:tc>${paragraph("a")}</w:tc><w:tc>${paragraph("b")}${paragraph("c")}</w:tc></w:tr></w:tbl>`;
const fallback =
  "<w:p><mc:AlternateContent><mc:Choice><w:r><w:t>once</w:t></w:r></mc:Choice><mc:Fallback><w:r><w:t>once</w:t></w:r></mc:Fallback></mc:AlternateContent></w:p>";
const row = (number: number) => `<row r="${number}"><c r="A${number}"><v>${number}</v></c></row>`;
const deleted =
  "<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:t>kept</w:t><w:tab/><w:t>on</w:t><w:br/><w:t>next</w:t></w:r></w:p>";
const notes = {
  role: "footnotes",
  data: `<w:footnotes xmlns:w="w">${paragraph("A note")}</w:footnotes>`,
};

describe("the text of", () => {
  test.each<[string, TextKind, Uint8Array | string, string]>([
    ["UTF-8", "text", "Grüße, 42 €", "Grüße, 42 €"],
    ["UTF-8 with a byte order mark", "text", "\ufeffGrüße", "Grüße"],
    ["UTF-16", "text", Buffer.from("\ufeffGrüße", "utf16le"), "Grüße"],
    ["windows-1252", "text", Buffer.from("Gr\u00fc\u00dfe", "latin1"), "Grüße"],
    ["JSON", "text", '{"a": [1]}', '{"a": [1]}'],
    ["HTML", "html", "<style>p{}</style><p>Hello <b>you</b></p><script>x()</script>", "Hello you"],
    [
      "a PDF",
      "pdf",
      pdfOf([pdfLines(["Hello (world)", "second"]), pdfLines(["page two"])]),
      "Hello (world)\nsecond\n\npage two",
    ],
    ["an image-only PDF", "pdf", imageOnly, ""],
    [
      "a DOCX",
      "docx",
      docxOf(paragraph("Fish & <chips>") + table + paragraph("End")),
      "Fish & <chips>\na\tb c\nEnd",
    ],
    [
      "a DOCX with fallback content and deleted text",
      "docx",
      docxOf(fallback + deleted),
      "once\nkept\ton\nnext",
    ],
    ["a DOCX with notes", "docx", docxOf(paragraph("Body"), [], {}, [notes]), "Body\nA note"],
    ["an XLSX", "xlsx", workbookOf(sheets, "xlsx"), sheetsText],
    ["an XLS", "xls", workbookOf(sheets, "biff8"), sheetsText],
    [
      "an XLSX without references",
      "xlsx",
      xlsxOf('<row><c><v>1</v></c><c t="inlineStr"><is><t>two</t></is></c></row>'),
      "1,two\n",
    ],
    [
      "an XLSX whose sheet is in another folder",
      "xlsx",
      xlsxOf(row(1) + row(2), { dimension: "A1:A2", sheet: "parts/one.xml" }),
      "1\n2\n",
    ],
    ["an empty file", "text", "", ""],
  ])("%s", async (_, kind, bytes, text) => {
    expect(await read(kind, bytes)).toEqual({ text, truncated: false });
  });

  test.each<[string, TextKind, Uint8Array]>([
    ["a PDF labelled as DOCX", "docx", pdfOf([pdfLines(["true self"])])],
    ["a DOCX labelled as text", "text", docxOf(paragraph("true self"))],
    ["an XLS labelled as XLSX", "xlsx", workbookOf({ a: [["true self"]] }, "biff8")],
  ])("%s is read by its real type", async (_, kind, bytes) => {
    expect((await read(kind, bytes)).text.trim()).toBe("true self");
  });
});

describe("unreadable files:", () => {
  const pdf = pdfOf([pdfLines(["Hello"])]);
  const docx = docxOf(paragraph("Hello"));
  test.each<[string, TextKind, Uint8Array | string]>([
    ["text labelled as PDF", "pdf", "not a PDF"],
    ["an empty PDF", "pdf", "%PDF-1.7\n%%EOF"],
    ["a PDF that was cut off", "pdf", pdf.subarray(0, pdf.length - 200)],
    ["a PDF with a password", "pdf", pdfOf([pdfLines(["secret"])], { trailer: encrypted })],
    ["a DOCX that was cut off", "docx", docx.subarray(0, docx.length - 100)],
    ["a DOCX with a password", "docx", docxOf(paragraph("x"), [], { encrypted: true })],
    ["a DOCX that declares a wrong size", "docx", docxOf(paragraph("x".repeat(1_000)), [], { says: 10 })],
    ["an archive that is not a document", "docx", zipOf([{ name: "a.txt", data: "a" }])],
    ["an XLS that was cut off", "xls", workbookOf(sheets, "biff8").subarray(0, 700)],
    ["text labelled as XLS", "xls", "a,b"],
    ["an image labelled as text", "text", Buffer.from("89504e470d0a1a0a0000000d49484452", "hex")],
  ])("%s", async (_, kind, bytes) => {
    await expect(read(kind, bytes)).rejects.toMatchObject({ code: "text_extraction_failed" });
  });
});

describe("limits", () => {
  const long = "0123456789".repeat(20_000);
  test.each<[string, TextKind, Uint8Array | string, boolean]>([
    ["200,000 characters are kept", "text", long, false],
    ["one more is truncated", "text", `${long}x`, true],
    ["10 MB of text is truncated", "text", "Grüße\n".repeat(1_200_000), true],
    [
      "a long PDF is truncated",
      "pdf",
      pdfOf(
        Array.from({ length: 60 }, () => pdfLines(Array.from({ length: 50 }, () => "0123456789".repeat(8)))),
      ),
      true,
    ],
    [
      "a long DOCX is truncated",
      "docx",
      docxOf(
        numbers(60_000, 1)
          .map(([number]) => paragraph(`row ${number}`))
          .join(""),
      ),
      true,
    ],
    ["a long XLS is truncated", "xls", workbookOf({ a: numbers(5_000, 20) }, "biff8"), true],
    ["10,000 rows of 30 are truncated", "xlsx", workbookOf({ a: numbers(10_000, 30) }, "xlsx"), true],
    ["10,000 rows are read", "xlsx", workbookOf({ a: numbers(10_000, 1) }, "xlsx"), false],
    ["256 columns are read", "xlsx", workbookOf({ a: numbers(2, 256) }, "xlsx"), false],
    [
      "a sheet that only declares a large size is read",
      "xlsx",
      xlsxOf('<row r="1"><c r="A1"><v>1</v></c></row>', { dimension: "A1:XFD1048576" }),
      false,
    ],
  ])("%s", async (_, kind, bytes, truncated) => {
    const { text, truncated: was_truncated } = await read(kind, bytes);
    expect(was_truncated).toBe(truncated);
    expect(text.length).toBeLessThanOrEqual(200_000);
    if (truncated) expect(text.length).toBe(200_000);
  });

  test.each<[string, TextKind, Uint8Array]>([
    ["more than 10 MB", "text", Buffer.alloc(10 * 1024 * 1024 + 1, "a")],
    ["a ratio over 100", "docx", docxOf(paragraph("x".repeat(500_000)))],
    [
      "a ratio over 100 beside incompressible data",
      "docx",
      docxOf(paragraph("x".repeat(2_000_000)), [
        { name: "word/media/a.png", data: randomBytes(200_000), stored: true },
      ]),
    ],
    [
      "too many files",
      "docx",
      docxOf(
        "",
        numbers(5_001, 1).map(([number]) => ({ name: `${number}`, data: "" })),
      ),
    ],
  ])("%s is too large", async (_, kind, bytes) => {
    await expect(read(kind, bytes)).rejects.toMatchObject({ code: "attachment_too_large" });
  });
});

describe("bombs", () => {
  const spaces = Buffer.alloc(BOMB_BYTES, " ");
  const twiceDeflated = {
    dictionary: "/Filter [/FlateDecode /FlateDecode]",
    data: deflated(deflated(spaces).data).data,
  };
  // Poorly compressible numbers in more elements than an in-memory tree could hold.
  const elements = docxOf(
    numbers(300_000, 1)
      .map(([number]) => `<w:p><w:r id="${((number ?? 0) * 7919) % 1_000_003}"/></w:p>`)
      .join(""),
  );
  const bombs: [string, TextKind, Uint8Array, string][] = [
    ["a PDF stream", "pdf", pdfOf([deflated(spaces)]), "attachment_too_large"],
    ["a PDF stream deflated twice", "pdf", pdfOf([twiceDeflated]), "attachment_too_large"],
    [
      "a PDF page labelled as an image",
      "pdf",
      pdfOf([deflated(Buffer.alloc(400_000_000, " "), "/Subtype /Image /Width 1")]),
      "attachment_too_large",
    ],
    ["a deeply nested DOCX", "docx", docxOf("<w:p>".repeat(2_000)), "attachment_too_large"],
    ["a DOCX", "docx", docxOf(`<w:p>${spaces.toString("latin1")}</w:p>`), "attachment_too_large"],
    [
      "a DOCX that declares a wrong size",
      "docx",
      docxOf(`<w:p>${spaces.toString("latin1")}</w:p>`, [], { says: 100 }),
      "text_extraction_failed",
    ],
    ["a DOCX with many elements", "docx", elements, "read"],
  ];

  test.each(bombs)(
    "%s costs little memory and does not block the event loop",
    async (_, kind, bytes, outcome) => {
      const before = process.memoryUsage().rss;
      let peak = before;
      const measuring = setInterval(() => {
        peak = Math.max(peak, process.memoryUsage().rss);
      }, 5);
      let result = "read";
      const blocked_ms = await measureLongestTick(() =>
        read(kind, bytes).catch((error: { code: string }) => {
          result = error.code;
        }),
      );
      clearInterval(measuring);
      expect(result).toBe(outcome);
      expect(peak - before).toBeLessThan(300 * 1024 * 1024);
      expect(blocked_ms).toBeLessThan(MAX_BLOCKED_MS);
    },
  );

  test("a file over its deadline has its worker terminated, and the next one is read", async () => {
    const strict = createTextExtraction({ threads: 1, deadlineMs: 1 });
    await expect(strict.extract({ kind: "docx", bytes: elements })).rejects.toMatchObject({
      code: "attachment_too_large",
    });
    await strict.close();
    expect(await read("text", "on")).toEqual({ text: "on", truncated: false });
  });

  test("a slow file does not delay the other worker", async () => {
    const both = createTextExtraction({ threads: 2 });
    const quick = () => both.extract({ kind: "text", bytes: Buffer.from("quick") });
    // Start both workers before the race.
    await Promise.all([quick(), quick()]);
    const order: string[] = [];
    const slow = both.extract({ kind: "docx", bytes: elements }).then(() => order.push("slow"));
    await quick().then(() => order.push("quick"));
    await slow;
    expect(order).toEqual(["quick", "slow"]);
    await both.close();
  });

  test("a file that can't be handed to its worker leaves the worker to the next", async () => {
    let started = 0;
    const count = () => {
      started += 1;
    };
    process.on("worker", count);
    const own = createTextExtraction({ threads: 1 });
    const text = () => Buffer.from(new Uint8Array(Buffer.from("whole")).buffer);
    const gone = text();
    gone.buffer.transfer(0);
    await own.extract({ kind: "text", bytes: text() });
    for (let round = 0; round < 3; round++) {
      await expect(own.extract({ kind: "text", bytes: gone })).rejects.toThrow(TypeError);
      const uncloneable = { kind: "text" as const, bytes: text(), charset: Symbol("none") as never };
      await expect(own.extract(uncloneable)).rejects.toThrow(/could not be cloned/);
      expect(await own.extract({ kind: "text", bytes: text() })).toMatchObject({ text: "whole" });
    }
    process.off("worker", count);
    await own.close();
    expect(started).toBe(1);
  });

  test("closing does not blame the files being read", async () => {
    const closing = createTextExtraction({ threads: 1 });
    await closing.extract({ kind: "text", bytes: Buffer.from("started") });
    const reading = closing
      .extract({ kind: "docx", bytes: elements })
      .catch((error: { code: string }) => error.code);
    await closing.close();
    expect(await reading).toBe("storage_unavailable");
  });
});
