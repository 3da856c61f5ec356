import type { Letter } from "../messages/index.ts";

/** A piece of a letter; the text and the html are both written from it. */
export type Block =
  | { kind: "heading" | "section" | "strong" | "text" | "note"; text: string }
  | { kind: "code"; code: string }
  /** Buttons of the service itself, each to a page of its own. Nothing of an agent's may become one. */
  | { kind: "buttons"; buttons: readonly { label: string; url: string }[] }
  /** Small links of the service itself. */
  | { kind: "pages"; links: readonly { label: string; url: string }[] }
  /** Links of an agent: the host stands beside the label, which could claim anything. */
  | { kind: "links"; links: readonly { label: string; url: string }[] }
  | { kind: "list"; items: readonly { text: string; more: string | null }[] };

/**
 * What a letter says, before it is laid out. Every string may come from an agent or a mail: it is escaped and
 * cut here.
 */
export interface LetterPlan {
  subject: string;
  blocks: readonly Block[];
  /** Small print, one line each. */
  footer: readonly Block[];
}

const subjectChars = 180;
const lineChars = 200;
const textChars = 10_000;
const urlChars = 2_048;

/**
 * Lays a letter out: a text that stands alone, and html of plain tables without any external resource, for
 * phones and dark mode too.
 */
export function layOut({ subject, blocks, footer }: LetterPlan): Letter {
  const line = cut(oneLine(subject), subjectChars);
  const text = `${blocks.map(asText).join("\n\n")}\n\n-- \n${footer.map(asText).join("\n")}\n`;
  return {
    subject: line,
    text,
    html: page(line, blocks.map(asHtml).join("\n"), footer.map(asHtml).join("\n")),
  };
}

/** The text cut to so many characters, an ellipsis included, and never within a character. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = /[\ud800-\udbff]/.test(text.charAt(max - 2)) ? max - 2 : max - 1;
  return `${text.slice(0, end).trimEnd()}…`;
}

/** The text as one line: control characters and line breaks become spaces, and direction overrides vanish. */
export function oneLine(text: string): string {
  return text
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, "")
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ")
    .trim();
}

/** The text with its line breaks, without other control characters and direction overrides. */
function manyLines(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "")
    .trim();
}

/**
 * The text with everything replaced that HTML would read as markup, in element and attribute values alike.
 */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function asText(block: Block): string {
  switch (block.kind) {
    case "section":
      return cut(oneLine(block.text), lineChars).toUpperCase();
    case "heading":
    case "strong":
      return cut(oneLine(block.text), lineChars);
    case "text":
    case "note":
      return cut(manyLines(block.text), textChars);
    case "code":
      return `    ${oneLine(block.code)}`;
    case "list":
      return block.items
        .map(({ text, more }) => `- ${listLine(text)}${more === null ? "" : `\n  ${listLine(more)}`}`)
        .join("\n");
    case "buttons":
      return block.buttons
        .map(({ label, url }) => `${cut(oneLine(label), lineChars)}:\n${safeUrl(url)}`)
        .join("\n\n");
    case "pages":
    case "links":
      return block.links
        .map(({ label, url }) => `${cut(oneLine(label), lineChars)}: ${safeUrl(url)}`)
        .join("\n");
  }
}

function asHtml(block: Block): string {
  switch (block.kind) {
    case "heading":
      return `<h1 class="ink" dir="auto" style="${styles.heading}">${escapeHtml(cut(oneLine(block.text), lineChars))}</h1>`;
    case "section":
      return `<h2 class="faint" dir="auto" style="${styles.section}">${escapeHtml(cut(oneLine(block.text), lineChars))}</h2>`;
    case "strong":
      return `<h3 class="ink" dir="auto" style="${styles.strong}">${escapeHtml(cut(oneLine(block.text), lineChars))}</h3>`;
    case "text":
      return `<p class="ink" dir="auto" style="${styles.text}">${paragraphs(block.text)}</p>`;
    case "note":
      return `<p class="faint" dir="auto" style="${styles.note}">${paragraphs(block.text)}</p>`;
    case "code":
      return `<p class="code" style="${styles.code}">${escapeHtml(oneLine(block.code))}</p>`;
    case "list":
      return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="${styles.buttonRow}">${block.items.map(listRow).join("")}</table>`;
    case "buttons":
      return block.buttons.map(button).join("\n");
    case "pages":
      return `<p class="faint" dir="auto" style="${styles.note}">${block.links.map((link) => anchor(link, styles.link, "link")).join(" · ")}</p>`;
    case "links":
      return `<p class="ink" dir="auto" style="${styles.text}">${block.links.map(foreignLink).join("<br>")}</p>`;
  }
}

/** A cell with a colour of its own, because Outlook gives links no padding. */
function button(wanted: { label: string; url: string }): string {
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="${styles.buttonRow}"><tr><td class="button" bgcolor="#1f5fd0" style="${styles.buttonCell}">${anchor(wanted, styles.button, "button")}</td></tr></table>`;
}

function foreignLink(link: { label: string; url: string }): string {
  const url = safeUrl(link.url);
  const host = URL.canParse(url) ? new URL(url).host : "";
  return `${anchor(link, styles.link, "link")} <span class="faint" style="${styles.host}">(${escapeHtml(host)})</span>`;
}

const listLine = (text: string): string => cut(oneLine(text), lineChars);

function listRow({ text, more }: { text: string; more: string | null }): string {
  const second =
    more === null
      ? ""
      : `<br><span class="faint" style="${styles.host}">${escapeHtml(listLine(more))}</span>`;
  return `<tr><td class="ink" dir="auto" style="${styles.item}">${escapeHtml(listLine(text))}${second}</td></tr>`;
}

const paragraphs = (text: string): string =>
  escapeHtml(cut(manyLines(text), textChars)).replaceAll("\n", "<br>");

function anchor({ label, url }: { label: string; url: string }, style: string, name: string): string {
  return `<a class="${name}" href="${escapeHtml(safeUrl(url))}" style="${style}">${escapeHtml(cut(oneLine(label), lineChars))}</a>`;
}

/**
 * The URL as a parser writes it, so that nothing in it can end an attribute or a line; only web addresses
 * pass.
 */
function safeUrl(url: string): string {
  const parsed = url.length <= urlChars && URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol !== "https:" && parsed?.protocol !== "http:") return "about:blank";
  return parsed.href;
}

const fonts = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const styles = {
  heading: `margin:0 0 16px;${fonts};font-size:20px;line-height:28px;font-weight:600;color:#16191d`,
  section: `margin:16px 0 8px;${fonts};font-size:14px;line-height:20px;font-weight:600;color:#5b6470`,
  strong: `margin:12px 0 4px;${fonts};font-size:16px;line-height:24px;font-weight:600;color:#16191d`,
  text: `margin:0 0 16px;${fonts};font-size:16px;line-height:24px;color:#16191d;word-break:break-word`,
  note: `margin:0 0 8px;${fonts};font-size:13px;line-height:20px;color:#5b6470;word-break:break-word`,
  code: "margin:0 0 16px;padding:12px 0;font-family:ui-monospace,Menlo,Consolas,monospace;font-size:30px;line-height:36px;letter-spacing:6px;text-align:center;background:#f1f3f5;color:#16191d;border-radius:8px",
  buttonRow: "margin:0 0 16px",
  buttonCell: "border-radius:8px;background:#1f5fd0",
  button: `display:inline-block;padding:12px 20px;${fonts};font-size:16px;line-height:20px;font-weight:600;color:#ffffff;text-decoration:none;border-radius:8px`,
  item: `padding:8px 0;border-bottom:1px solid #d9dee4;${fonts};font-size:16px;line-height:24px;color:#16191d;word-break:break-word`,
  host: `${fonts};font-size:13px;line-height:20px;color:#5b6470`,
  link: "color:#1f5fd0",
} as const;

const darkMode = `@media (prefers-color-scheme:dark){.page{background:#0e1216!important}.card{background:#1b1f23!important}.ink{color:#eceff2!important}.faint{color:#a3adb8!important}.code{background:#2a3036!important;color:#eceff2!important}.link{color:#8ab4ff!important}.button{background:#8ab4ff!important;color:#0e1216!important}td.ink{border-color:#3a424b!important}}`;

function page(title: string, body: string, footer: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${darkMode}</style>
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
