import type { ExtractedText, StoredAttachment, TextKind } from "../model/attachments.ts";

const INLINE_TYPES = /^(?:image\/(?:png|jpeg|gif|webp|avif)|(?:audio|video)\/[a-z0-9.+-]+)$/;
const SCRIPTABLE_TYPES = [
  "text/html",
  "application/xhtml+xml",
  "image/svg+xml",
  "text/xml",
  "application/xml",
  "application/javascript",
];
const SCRIPTABLE_FAMILIES =
  /^(?:text|application)\/(?:x-)?(?:javascript|ecmascript|html)$|[+/](?:xml|html|xhtml|svg)$/;

/** A Content-ID as mail is sent with it: without characters that some readers of mail don't take. */
export const sentContentId = (content_id: string): string => content_id.replace(/[^\w.@+$=-]/g, "");

/**
 * The headers of a download (interface, "Attachment download rules"): nothing that a mail contains can run on
 * the service's origin.
 */
export function downloadHeaders(
  {
    filename,
    content_type,
    disposition,
  }: Pick<StoredAttachment, "filename" | "content_type" | "disposition">,
  forced: boolean,
): Record<string, string> {
  const type = servedType(content_type);
  const inline = !forced && disposition === "inline" && INLINE_TYPES.test(type);
  return {
    "Content-Type": type,
    "Content-Disposition": `${inline ? "inline" : "attachment"}; ${filenameParameters(filename)}`,
    ...SAFETY_HEADERS,
  };
}

/** Headers of every response that contains bytes from a mail. */
export const SAFETY_HEADERS: Record<string, string> = {
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "private",
};

/**
 * The Content-Type to serve: a malformed type, or one that a browser could execute, becomes
 * `application/octet-stream`.
 */
export function servedType(content_type: string): string {
  const type = bareType(content_type);
  if (!/^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+$/.test(type)) return "application/octet-stream";
  return SCRIPTABLE_TYPES.includes(type) || SCRIPTABLE_FAMILIES.test(type)
    ? "application/octet-stream"
    : type;
}

/**
 * Returns a file name without quotes, control characters and path separators, otherwise unchanged, so that it is safe
 * in a header and names a file in no other folder. A name with nothing else, or only dots, becomes `attachment`.
 */
export function cleanFilename(filename: string): string {
  const clean = filename.replace(/["\\/\u0000-\u001f\u007f-\u009f]/g, "");
  return /^\.*$/.test(clean) ? "attachment" : clean;
}

/** `filename`, a clean one, plus `filename*` when it is not ASCII (RFC 6266, RFC 5987). */
export function filenameParameters(filename: string): string {
  const clean = cleanFilename(filename);
  const ascii = clean.replace(/[^\u0020-\u007e]/g, "_");
  if (ascii === clean) return `filename="${clean}"`;
  const coded = encodeURIComponent(clean.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `filename="${ascii}"; filename*=UTF-8''${coded}`;
}

/**
 * The headers of an attachment's text (interface, "Attachment text rules"): plain text, always a download,
 * under the file's own name.
 */
export function textHeaders(filename: string, { text, truncated }: ExtractedText): Record<string, string> {
  return {
    "Content-Type": "text/plain; charset=utf-8",
    "Content-Disposition": `attachment; ${filenameParameters(filename)}`,
    ...SAFETY_HEADERS,
    ...(truncated ? { "x-svc-text-truncated": "1" } : {}),
    ...(text === "" ? { "x-svc-text-empty": "1" } : {}),
  };
}

const KIND_BY_TYPE: Record<string, TextKind> = {
  "application/pdf": "pdf",
  "application/x-pdf": "pdf",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.template": "docx",
  "application/vnd.ms-word.document.macroenabled.12": "docx",
  "application/vnd.ms-word.template.macroenabled.12": "docx",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.template": "xlsx",
  "application/vnd.ms-excel.sheet.macroenabled.12": "xlsx",
  "application/vnd.ms-excel.template.macroenabled.12": "xlsx",
  "application/vnd.ms-excel.sheet.binary.macroenabled.12": "xlsx",
  "application/vnd.ms-excel": "xls",
  "message/rfc822": "mail",
  "message/global": "mail",
  "application/json": "text",
  "application/csv": "text",
  "text/html": "html",
};

const KIND_BY_EXTENSION: Record<string, TextKind> = {
  pdf: "pdf",
  docx: "docx",
  dotx: "docx",
  docm: "docx",
  dotm: "docx",
  xlsx: "xlsx",
  xltx: "xlsx",
  xlsm: "xlsx",
  xltm: "xlsx",
  xlsb: "xlsx",
  xls: "xls",
  csv: "text",
  tsv: "text",
  json: "text",
  txt: "text",
  md: "text",
  log: "text",
  eml: "mail",
  htm: "html",
  html: "html",
};

/**
 * Types that say nothing about the file, or that mail programs use for other types; for these, the extension decides.
 */
const EXTENSIONS_BY_VAGUE_TYPE: Record<string, readonly string[]> = {
  "": Object.keys(KIND_BY_EXTENSION),
  "application/octet-stream": Object.keys(KIND_BY_EXTENSION),
  "binary/octet-stream": Object.keys(KIND_BY_EXTENSION),
  "application/x-download": Object.keys(KIND_BY_EXTENSION),
  "application/force-download": Object.keys(KIND_BY_EXTENSION),
  "application/vnd.ms-excel": ["csv", "xlsx"],
};

/**
 * Returns the way to read an attachment's text: by its type, or by its name where the type says too little. Null when
 * its text can't be read (interface: text/*, JSON, CSV, PDF, DOCX, XLSX, XLS; and attached mails).
 */
export function textKind({
  content_type,
  filename,
}: Pick<StoredAttachment, "content_type" | "filename">): TextKind | null {
  const type = bareType(content_type);
  const extension = /\.([a-z]+)$/i.exec(filename)?.[1]?.toLowerCase() ?? "";
  if (Object.hasOwn(EXTENSIONS_BY_VAGUE_TYPE, type) && EXTENSIONS_BY_VAGUE_TYPE[type]?.includes(extension))
    return lookUp(KIND_BY_EXTENSION, extension);
  const known = lookUp(KIND_BY_TYPE, type);
  return known === null && /^text\/|^application\/[^/]*\+json$/.test(type) ? "text" : known;
}

/** How the text of an attachment is read, and the name under which that is kept; undefined if it has none. */
export function readAs(
  attachment: Pick<StoredAttachment, "content_type" | "filename" | "parameters">,
): { read_as: string; charset: string | undefined } | undefined {
  const kind = textKind(attachment);
  if (kind === null) return undefined;
  const charset = kind === "text" || kind === "html" ? charsetOf(attachment) : undefined;
  return { read_as: charset === undefined ? kind : `${kind} ${charset}`, charset };
}

function lookUp(kinds: Readonly<Record<string, TextKind>>, word: string): TextKind | null {
  return (Object.hasOwn(kinds, word) && kinds[word]) || null;
}

/** The charset that an attachment states; undefined without one, and for UTF-8, which is tried first anyway. */
export function charsetOf({ parameters }: Pick<StoredAttachment, "parameters">): string | undefined {
  const charset = parameters?.["charset"]?.toLowerCase() ?? "";
  return CHARSET.test(charset) && !/^(?:utf-?8|us-ascii|ascii)$/.test(charset) ? charset : undefined;
}

const CHARSET = /^[\w.:+-]{1,64}$/;

/** A media type in lower case, without parameters. */
const bareType = (content_type: string): string => content_type.replace(/;.*$/s, "").trim().toLowerCase();
