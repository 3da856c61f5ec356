import { utils, write } from "@e965/xlsx";
import { type ZipFile, zipOf } from "./zip.ts";

const header = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const types = "http://schemas.openxmlformats.org/package/2006/content-types";
const relations = "http://schemas.openxmlformats.org/package/2006/relationships";
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const sheetXml = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** A paragraph of a DOCX. */
export const paragraph = (text: string): string =>
  `<w:p><w:r><w:t xml:space="preserve">${escaped(text)}</w:t></w:r></w:p>`;

/** A DOCX with this body and optional extra files. */
export function docxOf(body: string, more: readonly ZipFile[] = [], document: Partial<ZipFile> = {}): Buffer {
  return zipOf([
    {
      name: "[Content_Types].xml",
      data: `${header}<Types xmlns="${types}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    },
    {
      name: "_rels/.rels",
      data: `${header}<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/officeDocument" Target="word/document.xml"/></Relationships>`,
    },
    {
      name: "word/document.xml",
      data: `${header}<w:document xmlns:w="${word}"><w:body>${body}</w:body></w:document>`,
      ...document,
    },
    ...more,
  ]);
}

/** A handwritten XLSX with one sheet. */
export function xlsxOf(sheetData: string, dimension = "A1", sheet = "worksheets/sheet1.xml"): Buffer {
  return zipOf([
    {
      name: "[Content_Types].xml",
      data: `${header}<Types xmlns="${types}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/${sheet}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`,
    },
    {
      name: "_rels/.rels",
      data: `${header}<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    },
    {
      name: "xl/workbook.xml",
      data: `${header}<workbook xmlns="${sheetXml}" xmlns:r="${office}"><sheets><sheet name="Data" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    },
    {
      name: "xl/_rels/workbook.xml.rels",
      data: `${header}<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/worksheet" Target="${sheet}"/></Relationships>`,
    },
    {
      name: `xl/${sheet}`,
      data: `${header}<worksheet xmlns="${sheetXml}"><dimension ref="${dimension}"/><sheetData>${sheetData}</sheetData></worksheet>`,
    },
  ]);
}

/** A workbook as XLSX or XLS (BIFF8). */
export function workbookOf(
  sheets: Record<string, readonly (readonly unknown[])[]>,
  bookType: "xlsx" | "biff8",
): Buffer {
  const book = utils.book_new();
  for (const [name, rows] of Object.entries(sheets)) {
    utils.book_append_sheet(
      book,
      utils.aoa_to_sheet(rows as unknown[][], { cellDates: true, dateNF: "yyyy-mm-dd" }),
      name,
    );
  }
  return write(book, { type: "buffer", bookType, compression: true }) as Buffer;
}
