import type { StoredAttachment } from "./schema.ts";

const inlineTypes = /^(?:image\/(?:png|jpeg|gif|webp|avif)|(?:audio|video)\/[a-z0-9.+-]+)$/;
const scriptableTypes = [
  "text/html",
  "application/xhtml+xml",
  "image/svg+xml",
  "text/xml",
  "application/xml",
  "application/javascript",
];
const scriptableFamilies = /^(?:text|application)\/(?:x-)?(?:javascript|ecmascript|html)$|[+/](?:xml|html|xhtml|svg)$/;

/** The headers of a download (interface, "Attachment download rules"): nothing that a mail brought runs in the service's name. */
export function downloadHeaders(
  { filename, content_type, disposition }: Pick<StoredAttachment, "filename" | "content_type" | "disposition">,
  forced: boolean,
): Record<string, string> {
  const type = servedType(content_type);
  const inline = !forced && disposition === "inline" && inlineTypes.test(type);
  return {
    "Content-Type": type,
    "Content-Disposition": `${inline ? "inline" : "attachment"}; ${filenameParameters(filename)}`,
    ...safetyHeaders,
  };
}

/** What every answer with bytes from a mail carries. */
export const safetyHeaders: Record<string, string> = {
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "private",
};

/** The type that bytes are served as: one that a browser could run becomes plain bytes; a malformed one too. */
export function servedType(content_type: string): string {
  const type = content_type.toLowerCase().split(";")[0]?.trim() ?? "";
  if (!/^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+$/.test(type)) return "application/octet-stream";
  return scriptableTypes.includes(type) || scriptableFamilies.test(type) ? "application/octet-stream" : type;
}

/** `filename`, and `filename*` when the name is not ASCII (RFC 6266, RFC 5987). Quotes, control characters and path separators are dropped. */
export function filenameParameters(filename: string): string {
  const clean =
    filename.replace(/["\\/\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, "").trim() || "attachment";
  const ascii = clean.replace(/[^\u0020-\u007e]/g, "_");
  if (ascii === clean) return `filename="${clean}"`;
  const coded = encodeURIComponent(clean.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `filename="${ascii}"; filename*=UTF-8''${coded}`;
}
