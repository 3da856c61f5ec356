import { deflateSync } from "node:zlib";

/** A PDF stream: its dictionary without /Length, and its stored bytes. */
export interface PdfStream {
  dictionary: string;
  data: Buffer;
}

/**
 * A PDF with a page per content stream (ISO 32000-1, section 7.5); extra objects are numbered from 10,000.
 * `page` adds to the dictionary of each page, `fonts` to its fonts.
 */
export function pdfOf(
  pages: readonly PdfStream[],
  options: {
    trailer?: string;
    more?: readonly PdfStream[];
    resources?: string;
    page?: string;
    fonts?: string;
  } = {},
): Buffer {
  const objects = new Map<number, Buffer>();
  const pageNumber = (index: number) => 10 + index * 2;
  const kids = pages.map((_, index) => `${pageNumber(index)} 0 R`).join(" ");
  objects.set(1, Buffer.from("<< /Type /Catalog /Pages 2 0 R >>"));
  objects.set(2, Buffer.from(`<< /Type /Pages /Count ${pages.length} /Kids [${kids}] >>`));
  objects.set(
    3,
    Buffer.from("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"),
  );
  for (const [index, content] of pages.entries()) {
    const number = pageNumber(index);
    const resources = `/Resources << /Font << /F1 3 0 R ${options.fonts ?? ""} >> ${options.resources ?? ""} >>`;
    objects.set(
      number,
      Buffer.from(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] ${resources} ${options.page ?? ""} /Contents ${number + 1} 0 R >>`,
      ),
    );
    objects.set(number + 1, streamObject(content));
  }
  for (const [index, stream] of (options.more ?? []).entries())
    objects.set(10_000 + index, streamObject(stream));
  return assemble(objects, options.trailer ?? "");
}

/** Page content with these lines, deflated. */
export function pdfLines(lines: readonly string[]): PdfStream {
  const shown = lines.map((line) => `(${line.replace(/[\\()]/g, "\\$&")}) Tj T*`).join("\n");
  return deflated(Buffer.from(`BT /F1 12 Tf 14 TL 50 800 Td\n${shown}\nET`, "latin1"));
}

/** Page content of operators (ISO 32000-1, annex A). */
export function pdfOperators(operators: string): PdfStream {
  return deflated(Buffer.from(operators, "latin1"));
}

/** A deflated stream. */
export function deflated(data: Buffer, dictionary = ""): PdfStream {
  return { dictionary: `/Filter /FlateDecode ${dictionary}`, data: deflateSync(data, { level: 9 }) };
}

function streamObject({ dictionary, data }: PdfStream): Buffer {
  return Buffer.concat([
    Buffer.from(`<< /Length ${data.length} ${dictionary} >>\nstream\n`),
    data,
    Buffer.from("\nendstream"),
  ]);
}

function assemble(objects: Map<number, Buffer>, trailer: string): Buffer {
  const parts: Buffer[] = [Buffer.from("%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n", "latin1")];
  let offset = parts[0]?.length ?? 0;
  const table: string[] = [];
  for (const [number, body] of objects) {
    const object = Buffer.concat([Buffer.from(`${number} 0 obj\n`), body, Buffer.from("\nendobj\n")]);
    table.push(`${number} 1\n${String(offset).padStart(10, "0")} 00000 n \n`);
    parts.push(object);
    offset += object.length;
  }
  const size = Math.max(...objects.keys()) + 1;
  parts.push(
    Buffer.from(
      `xref\n0 1\n0000000000 65535 f \n${table.join("")}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${offset}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}
