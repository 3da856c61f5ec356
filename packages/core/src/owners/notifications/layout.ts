import type { Letter } from "../../model/letters.ts";

/** A part of a letter, rendered both as text and as HTML. */
export type Block =
  | { kind: "heading" | "section" | "strong" | "text" | "note"; text: string }
  | { kind: "code"; code: string }
  /** The service's own buttons. An agent's links must never become buttons. */
  | { kind: "buttons"; buttons: readonly { label: string; url: string }[] }
  /** The service's own small links. */
  | { kind: "pages"; links: readonly { label: string; url: string }[] }
  /** An agent's links: each shows its host, since the label could claim anything. */
  | { kind: "links"; links: readonly { label: string; url: string }[] }
  | { kind: "list"; items: readonly { text: string; more: string | null }[] };

/** A letter's content. Every string may come from an agent or a mail: `layOut` escapes and truncates it. */
export interface LetterPlan {
  subject: string;
  blocks: readonly Block[];
  /** Small print, one line each. */
  footer: readonly Block[];
}

const MAX_SUBJECT_CHARS = 180;
export const MAX_LINE_CHARS = 200;
export const MAX_TEXT_CHARS = 10_000;
const MAX_URL_CHARS = 2_048;

/**
 * Renders a letter as text and as HTML: plain tables without external resources, fit for phones and dark
 * mode.
 */
export function layOut({ subject, blocks, footer }: LetterPlan): Letter {
  const line = ellipsize(oneLine(subject), MAX_SUBJECT_CHARS);
  const text = `${blocks.map(asText).join("\n\n")}\n\n-- \n${footer.map(asText).join("\n")}\n`;
  return {
    subject: line,
    text,
    html: page(line, blocks.map(asHtml).join("\n"), footer.map(asHtml).join("\n")),
  };
}

/** Shortens a text to `max` characters, including the ellipsis, and never within a character. */
export function ellipsize(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = /[\ud800-\udbff]/.test(text.charAt(max - 2)) ? max - 2 : max - 1;
  return `${text.slice(0, end).trimEnd()}…`;
}

/**
 * The text on one line: control characters and line breaks become spaces, direction overrides are removed.
 */
export function oneLine(text: string): string {
  return text
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, "")
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ")
    .trim();
}

/** The text without control characters and direction overrides; line breaks stay. */
function manyLines(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "")
    .trim();
}

/** Returns the name of an agent in letters: "Ada (ada@mail.example)", or the address alone. */
export const agentName = (agent: { inbox_email: string; display_name: string | null }): string =>
  agent.display_name === null ? agent.inbox_email : `${agent.display_name} (${agent.inbox_email})`;

/** An ISO time to the minute, such as "2026-11-20 13:00 UTC". */
export const shownTime = (time: string): string => `${time.slice(0, 16).replace("T", " ")} UTC`;

/** Escapes a text for HTML, for element content and attribute values alike. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function asText(block: Block): string {
  switch (block.kind) {
    case "section":
      return ellipsize(oneLine(block.text), MAX_LINE_CHARS).toUpperCase();
    case "heading":
    case "strong":
      return ellipsize(oneLine(block.text), MAX_LINE_CHARS);
    case "text":
    case "note":
      return ellipsize(manyLines(block.text), MAX_TEXT_CHARS);
    case "code":
      return `    ${oneLine(block.code)}`;
    case "list":
      return block.items
        .map(({ text, more }) => `- ${listLine(text)}${more === null ? "" : `\n  ${listLine(more)}`}`)
        .join("\n");
    case "buttons":
      return block.buttons
        .map(({ label, url }) => `${ellipsize(oneLine(label), MAX_LINE_CHARS)}:\n${safeUrl(url)}`)
        .join("\n\n");
    case "pages":
    case "links":
      return block.links
        .map(({ label, url }) => `${ellipsize(oneLine(label), MAX_LINE_CHARS)}: ${safeUrl(url)}`)
        .join("\n");
  }
}

function asHtml(block: Block): string {
  switch (block.kind) {
    case "heading":
      return `<h1 class="ink" dir="auto" style="${STYLES.heading}">${escapeHtml(ellipsize(oneLine(block.text), MAX_LINE_CHARS))}</h1>`;
    case "section":
      return `<h2 class="faint" dir="auto" style="${STYLES.section}">${escapeHtml(ellipsize(oneLine(block.text), MAX_LINE_CHARS))}</h2>`;
    case "strong":
      return `<h3 class="ink" dir="auto" style="${STYLES.strong}">${escapeHtml(ellipsize(oneLine(block.text), MAX_LINE_CHARS))}</h3>`;
    case "text":
      return `<p class="ink" dir="auto" style="${STYLES.text}">${paragraphs(block.text)}</p>`;
    case "note":
      return `<p class="faint" dir="auto" style="${STYLES.note}">${paragraphs(block.text)}</p>`;
    case "code":
      return `<p class="code" style="${STYLES.code}">${escapeHtml(oneLine(block.code))}</p>`;
    case "list":
      return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="${STYLES.buttonRow}">${block.items.map(listRow).join("")}</table>`;
    case "buttons":
      return block.buttons.map(button).join("\n");
    case "pages":
      return `<p class="faint" dir="auto" style="${STYLES.note}">${block.links.map((link) => anchor(link, STYLES.link, "link")).join(" · ")}</p>`;
    case "links":
      return `<p class="ink" dir="auto" style="${STYLES.text}">${block.links.map(foreignLink).join("<br>")}</p>`;
  }
}

/** The cell has the button's colour, because Outlook ignores a link's padding. */
function button(wanted: { label: string; url: string }): string {
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="${STYLES.buttonRow}"><tr><td class="button" bgcolor="#1f5fd0" style="${STYLES.buttonCell}">${anchor(wanted, STYLES.button, "button")}</td></tr></table>`;
}

function foreignLink(link: { label: string; url: string }): string {
  const url = safeUrl(link.url);
  const host = URL.canParse(url) ? new URL(url).host : "";
  return `${anchor(link, STYLES.link, "link")} <span class="faint" style="${STYLES.host}">(${escapeHtml(host)})</span>`;
}

const listLine = (text: string): string => ellipsize(oneLine(text), MAX_LINE_CHARS);

function listRow({ text, more }: { text: string; more: string | null }): string {
  const second =
    more === null
      ? ""
      : `<br><span class="faint" style="${STYLES.host}">${escapeHtml(listLine(more))}</span>`;
  return `<tr><td class="ink" dir="auto" style="${STYLES.item}">${escapeHtml(listLine(text))}${second}</td></tr>`;
}

const paragraphs = (text: string): string =>
  escapeHtml(ellipsize(manyLines(text), MAX_TEXT_CHARS)).replaceAll("\n", "<br>");

function anchor({ label, url }: { label: string; url: string }, style: string, name: string): string {
  return `<a class="${name}" href="${escapeHtml(safeUrl(url))}" style="${style}">${escapeHtml(ellipsize(oneLine(label), MAX_LINE_CHARS))}</a>`;
}

/**
 * The URL as the parser serialises it, so that it can't end an attribute or a line. Only http(s) URLs pass.
 */
function safeUrl(url: string): string {
  const parsed = url.length <= MAX_URL_CHARS && URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol !== "https:" && parsed?.protocol !== "http:") return "about:blank";
  return parsed.href;
}

const FONTS = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const STYLES = {
  heading: `margin:0 0 16px;${FONTS};font-size:20px;line-height:28px;font-weight:600;color:#16191d`,
  section: `margin:16px 0 8px;${FONTS};font-size:14px;line-height:20px;font-weight:600;color:#5b6470`,
  strong: `margin:12px 0 4px;${FONTS};font-size:16px;line-height:24px;font-weight:600;color:#16191d`,
  text: `margin:0 0 16px;${FONTS};font-size:16px;line-height:24px;color:#16191d;word-break:break-word`,
  note: `margin:0 0 8px;${FONTS};font-size:13px;line-height:20px;color:#5b6470;word-break:break-word`,
  code: "margin:0 0 16px;padding:12px 0;font-family:ui-monospace,Menlo,Consolas,monospace;font-size:30px;line-height:36px;letter-spacing:6px;text-align:center;background:#f1f3f5;color:#16191d;border-radius:8px",
  buttonRow: "margin:0 0 16px",
  buttonCell: "border-radius:8px;background:#1f5fd0",
  button: `display:inline-block;padding:12px 20px;${FONTS};font-size:16px;line-height:20px;font-weight:600;color:#ffffff;text-decoration:none;border-radius:8px`,
  item: `padding:8px 0;border-bottom:1px solid #d9dee4;${FONTS};font-size:16px;line-height:24px;color:#16191d;word-break:break-word`,
  host: `${FONTS};font-size:13px;line-height:20px;color:#5b6470`,
  link: "color:#1f5fd0",
} as const;

const DARK_MODE = `@media (prefers-color-scheme:dark){.page{background:#0e1216!important}.card{background:#1b1f23!important}.ink{color:#eceff2!important}.faint{color:#a3adb8!important}.code{background:#2a3036!important;color:#eceff2!important}.link{color:#8ab4ff!important}.button{background:#8ab4ff!important;color:#0e1216!important}td.ink{border-color:#3a424b!important}}`;

function page(title: string, body: string, footer: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${DARK_MODE}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f1f3f5">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f1f3f5">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;background:#ffffff;border-radius:12px">
<tr><td style="padding:28px 24px 12px">
${body}
</td></tr>
<tr><td style="padding:0 24px 20px">
${footer}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}
