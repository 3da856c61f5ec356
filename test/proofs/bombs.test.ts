import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TextKind } from "../../packages/core/src/ports/index.ts";
import {
  createTextExtraction,
  type ThreadedTextExtraction,
} from "../../packages/text-extraction/src/text-extraction.ts";
import { docxOf, paragraph, xlsxOf } from "../../packages/text-extraction/test/office.ts";
import { deflated, pdfOf } from "../../packages/text-extraction/test/pdf.ts";
import { zipOf } from "../../packages/text-extraction/test/zip.ts";
import { caseCount, PROOF_TIMEOUT_MS } from "../support/case-count.ts";

/**
 * The API's limits for one file: memory in addition to the process's own, and CPU time.
 */
const MEMORY_BYTES = 300 * 1024 * 1024;
const TIME_MS = 10_000;
const pageBytes = caseCount(60_000_000, 400_000_000);
const elements = caseCount(50_000, 500_000);

const WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const spaces = () => Buffer.alloc(pageBytes, " ");
const inflating = () =>
  `<row r="1"><c r="A1" t="inlineStr"><is><t>${spaces().toString("latin1")}</t></is></c></row>`;
/** Each entity expands to ten of the previous one; the last to ten to the ninth. */
const laughs = Array.from(
  { length: 9 },
  (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`,
).join("");
const declared = (entities: string, body: string) =>
  `<?xml version="1.0"?><!DOCTYPE d [${entities}]><w:document xmlns:w="${WORD}"><w:body>${body}</w:body></w:document>`;
const documentOf = (xml: string) => docxOf("", [], { data: xml, stored: true });

/** A file of each kind that expands to far more than its size. */
const bombs: Record<string, { kind: TextKind; make(): Uint8Array }> = {
  "a DOCX that inflates": { kind: "docx", make: () => docxOf(`<w:p>${spaces().toString("latin1")}</w:p>`) },
  "a DOCX of entities of entities": {
    kind: "docx",
    make: () => documentOf(declared(`<!ENTITY l0 "lol">${laughs}`, "<w:p><w:r><w:t>&l9;</w:t></w:r></w:p>")),
  },
  "a DOCX with one long entity, referenced often": {
    kind: "docx",
    make: () =>
      documentOf(
        declared(
          `<!ENTITY a "${"a".repeat(100_000)}">`,
          `<w:p><w:r><w:t>${"&a;".repeat(100_000)}</w:t></w:r></w:p>`,
        ),
      ),
  },
  "a DOCX that references a file on the server": {
    kind: "docx",
    make: () =>
      documentOf(declared('<!ENTITY f SYSTEM "file:///etc/passwd">', "<w:p><w:r><w:t>&f;</w:t></w:r></w:p>")),
  },
  "a DOCX of paragraphs in paragraphs": {
    kind: "docx",
    make: () => documentOf(declared("", `${"<w:p>".repeat(elements)}${"</w:p>".repeat(elements)}`)),
  },
  "a DOCX of tables in tables": {
    kind: "docx",
    make: () => documentOf(declared("", "<w:tbl><w:tr><w:tc>".repeat(elements / 2))),
  },
  "a DOCX with archives in archives": {
    kind: "docx",
    make() {
      let inner: Buffer = zipOf([{ name: "page", data: spaces() }]);
      for (let level = 0; level < 3; level++) {
        const archive = inner;
        inner = zipOf(Array.from({ length: 10 }, (_, index) => ({ name: `${index}.zip`, data: archive })));
      }
      return docxOf(paragraph("x"), [{ name: "word/media/all.zip", data: inner, stored: true }]);
    },
  },
  "an XLSX that inflates": { kind: "xlsx", make: () => xlsxOf(inflating()) },
  "an XLSX whose cells are far apart": {
    kind: "xlsx",
    make: () =>
      xlsxOf('<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'),
  },
  "an XLSX of many cells": {
    kind: "xlsx",
    make: () =>
      xlsxOf(
        Array.from(
          { length: 2 * elements },
          (_, index) => `<c><v>${(index * 7919) % 1_000_003}</v></c>`,
        ).join(""),
      ),
  },
  "a PDF page that inflates": { kind: "pdf", make: () => pdfOf([deflated(spaces())]) },
  "a PDF page of arrays in arrays": {
    kind: "pdf",
    make: () => pdfOf([deflated(Buffer.alloc(3_000_000, "["))]),
  },
  "a PDF whose page includes itself": {
    kind: "pdf",
    make: () =>
      pdfOf([deflated(Buffer.from("/Fm0 Do ".repeat(1_000)))], {
        resources: "/XObject << /Fm0 10000 0 R >>",
        more: [
          deflated(
            Buffer.from("/Fm0 Do ".repeat(1_000)),
            "/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources << /XObject << /Fm0 10000 0 R >> >>",
          ),
        ],
      }),
  },
  "a text of nothing but line ends": { kind: "text", make: () => Buffer.alloc(10_000_000, "\n") },
};

describe("a decompression bomb takes no more memory and time than the API allows:", () => {
  let extraction: ThreadedTextExtraction;
  beforeAll(() => {
    extraction = createTextExtraction({ threads: 1 });
  });
  afterAll(() => extraction.close());

  test.each(Object.entries(bombs))("%s", { timeout: PROOF_TIMEOUT_MS }, async (_, { kind, make }) => {
    const bytes = make();
    const [memoryBefore, timeBefore] = [process.memoryUsage().rss, process.cpuUsage()];
    let peak = memoryBefore;
    const look = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss);
    }, 5);
    const read = await extraction.extract({ kind, bytes }).catch((error: { code: string }) => error.code);
    clearInterval(look);
    const { user, system } = process.cpuUsage(timeBefore);
    expect(peak - memoryBefore).toBeLessThan(MEMORY_BYTES);
    expect((user + system) / 1_000).toBeLessThan(TIME_MS);
    if (typeof read === "string")
      return expect(["attachment_too_large", "text_extraction_failed"]).toContain(read);
    expect(read.text.length).toBeLessThanOrEqual(200_000);
    expect(read.text).not.toContain("root:");
  });
});
