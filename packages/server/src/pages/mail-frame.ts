import { html } from "hono/html";
import { type Markup, PAGE_HEADERS } from "./layout.ts";

/** The policy of pages with a `mailFrame`: that of all pages, and the mail's own styles, as attributes only. */
export const MAIL_FRAME_POLICY = `${PAGE_HEADERS["Content-Security-Policy"]}; style-src-attr 'unsafe-inline'`;

const FRAME_POLICY =
  "default-src 'none'; style-src-attr 'unsafe-inline'; form-action 'none'; base-uri 'none'";
/** What mail programs bring along for mail that says nothing else. The margins are those of the mail. */
const PROGRAM_STYLE = "background:#ffffff;color:#000000;font:16px sans-serif;overflow-wrap:break-word";
const DOCTYPE = /^<!doctype html>/;
const EMBEDDED = /<img src="cid:[^"]*" alt="([^"]*)"[^>]*>/g;

/**
 * Renders a mail in a frame without scripts, forms, other origins or network access. `cleaned` must be HTML that core
 * cleaned. Attached images are shown by their names: the page links to the attachments themselves.
 */
export function mailFrame(cleaned: string): Markup {
  const mail = cleaned
    .replace(DOCTYPE, "")
    .replace(
      EMBEDDED,
      (_image, alt: string) =>
        `<span style="border:1px dashed #666666;padding:2px 6px">[image${alt === "" ? "" : `: ${alt}`}]</span>`,
    );
  const document = `<!doctype html><html style="${PROGRAM_STYLE}"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${FRAME_POLICY}"><title>The email</title></head>${mail}</html>`;
  return html`<iframe title="The email as most people will see it" sandbox="" referrerpolicy="no-referrer" srcdoc="${document}"></iframe>`;
}
