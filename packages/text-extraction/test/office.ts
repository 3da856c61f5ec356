import { type BookType, utils, write } from "@e965/xlsx";
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

/** A part beside the document, by its role: "footnotes", "styles", "chart" … */
export interface DocxPart {
  role: string;
  data: string;
}

/** A DOCX with this body and optional extra files; `document` says otherwise about the main part. */
export function docxOf(
  body: string,
  more: readonly ZipFile[] = [],
  document: Partial<ZipFile> = {},
  parts: readonly DocxPart[] = [],
): Buffer {
  const { name = "word/document.xml" } = document;
  const [, folder = "", file = ""] = /^(.*\/)?([^/]+)$/.exec(name) ?? [];
  const related = parts.map(
    ({ role }, index) =>
      `<Relationship Id="rId${index}" Type="${office}/${role}" Target="part${index}/${role}.xml"/>`,
  );
  return zipOf([
    {
      name: "[Content_Types].xml",
      data: `${header}<Types xmlns="${types}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${name}" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    },
    {
      name,
      data: `${header}<w:document xmlns:w="${word}"><w:body>${body}</w:body></w:document>`,
      ...document,
    },
    ...parts.map(({ role, data }, index) => ({ name: `${folder}part${index}/${role}.xml`, data })),
    {
      name: "_rels/.rels",
      data: `${header}<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/officeDocument" Target="${name}"/></Relationships>`,
    },
    {
      name: `${folder}_rels/${file}.rels`,
      data: `${header}<Relationships xmlns="${relations}">${related.join("")}</Relationships>`,
    },
    ...more,
  ]);
}

/** A handwritten XLSX with one sheet; `styles` is the content of its style sheet. */
export function xlsxOf(
  sheetData: string,
  {
    dimension = "A1",
    sheet = "worksheets/sheet1.xml",
    folder = "xl",
    styles = "",
  }: { dimension?: string; sheet?: string; folder?: string; styles?: string } = {},
): Buffer {
  const spreadsheet = "application/vnd.openxmlformats-officedocument.spreadsheetml";
  return zipOf([
    {
      name: "[Content_Types].xml",
      data: `${header}<Types xmlns="${types}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/${folder}/workbook.xml" ContentType="${spreadsheet}.sheet.main+xml"/><Override PartName="/${folder}/${sheet}" ContentType="${spreadsheet}.worksheet+xml"/><Override PartName="/${folder}/styles.xml" ContentType="${spreadsheet}.styles+xml"/></Types>`,
    },
    {
      name: "_rels/.rels",
      data: `${header}<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/officeDocument" Target="${folder}/workbook.xml"/></Relationships>`,
    },
    {
      name: `${folder}/workbook.xml`,
      data: `${header}<workbook xmlns="${sheetXml}" xmlns:r="${office}"><sheets><sheet name="Data" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    },
    {
      name: `${folder}/_rels/workbook.xml.rels`,
      data: `${header}<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/worksheet" Target="${sheet}"/><Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    },
    {
      name: `${folder}/styles.xml`,
      data: `${header}<styleSheet xmlns="${sheetXml}">${styles}</styleSheet>`,
    },
    {
      name: `${folder}/${sheet}`,
      data: `${header}<worksheet xmlns="${sheetXml}"><dimension ref="${dimension}"/><sheetData>${sheetData}</sheetData></worksheet>`,
    },
  ]);
}

/**
 * A workbook as XLSX, XLSB, XLS (BIFF8, or the BIFF of older versions), XML of Excel 2003, or HTML. The sheets
 * in `hidden` are hidden.
 */
export function workbookOf(
  sheets: Record<string, readonly (readonly unknown[])[]>,
  bookType: "xlsx" | "xlsb" | "biff8" | "biff5" | "biff4" | "biff3" | "biff2" | "xlml" | "html",
  hidden: readonly string[] = [],
): Buffer {
  const book = utils.book_new();
  for (const [name, rows] of Object.entries(sheets)) {
    utils.book_append_sheet(
      book,
      utils.aoa_to_sheet(rows as unknown[][], { cellDates: true, dateNF: "yyyy-mm-dd" }),
      name,
    );
  }
  book.Workbook = {
    Sheets: book.SheetNames.map((name) => ({ name, Hidden: hidden.includes(name) ? 2 : 0 })),
  };
  return write(book, { type: "buffer", bookType: bookType as BookType, compression: true }) as Buffer;
}
