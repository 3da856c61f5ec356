import type { ReadMail } from "@letterslot/core/ports";

const DOCTYPE = /^\s*<!doctype[^>]*>/i;
const EMBEDDED = /\bcid:([^\s"'<>()]+)/gi;
/** An address that a picture is loaded from, of another server. */
const REMOTE_PICTURE = /\b(?:src|background)\s*=\s*["']?(?:https?:)?\/\//i;
const PICTURES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** The headers under which a captured mail's HTML is shown as it is: nothing in it runs, loads anything or leads away. */
export const CAPTURED_HTML_HEADERS: Record<string, string> = {
  "Content-Security-Policy":
    "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  // Browsers look up the hosts of links before they are followed, which no policy stops.
  "X-DNS-Prefetch-Control": "off",
};

/** Whether a mail names pictures of other servers. */
export const hasRemotePictures = (html: string): boolean => REMOTE_PICTURE.test(html);

/**
 * A mail's HTML as it was sent, with the pictures that came with it in their places; its links open beside the page.
 * It isn't cleaned: only `CAPTURED_HTML_HEADERS` make it harmless.
 */
export function capturedHtml({ html, attachments }: Pick<ReadMail, "html" | "attachments">): string {
  const embedded = new Map(
    attachments.flatMap(({ content_id, content_type, bytes }) =>
      content_id === null || !PICTURES.has(content_type)
        ? []
        : [[content_id, `data:${content_type};base64,${Buffer.from(bytes).toString("base64")}`] as const],
    ),
  );
  const shown = (html ?? "").replace(EMBEDDED, (url, id: string) => embedded.get(id) ?? url);
  const [doctype = "<!doctype html>"] = DOCTYPE.exec(shown) ?? [];
  return `${doctype}<base target="_blank">${shown.replace(DOCTYPE, "")}`;
}
