/** What a file's first bytes show. */
export type Container = "pdf" | "zip" | "ole" | null;

const oleMagic = Buffer.from("d0cf11e0a1b11ae1", "hex");

/** Bytes that may come before a PDF's header; readers have always allowed for them. */
const pdfHeaderWithin = 1024;

/**
 * Which container a file really is, by its bytes alone: PDF, ZIP (of DOCX and XLSX) or OLE (of XLS, and of
 * encrypted Office files).
 */
export function sniffContainer(bytes: Uint8Array, expectsPdf: boolean): Container {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, pdfHeaderWithin));
  if (head.subarray(0, 4).equals(Buffer.from("PK\u0003\u0004"))) return "zip";
  if (head.subarray(0, 8).equals(oleMagic)) return "ole";
  const at = head.indexOf("%PDF-");
  return at === 0 || (expectsPdf && at > 0) ? "pdf" : null;
}
