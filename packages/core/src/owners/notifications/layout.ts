import { CHIPS, CODE_FONTS, FONTS, ROUND, THEMES, type Tone, TYPE } from "../../catalogue/look.ts";
import type { Letter } from "../../model/letters.ts";

/** A part of a letter, rendered both as text and as HTML. */
export type Block =
  | { kind: "heading" | "section" | "strong" | "text" | "note"; text: string }
  /** Words that aren't the service's: in a box, and in the text part behind a bar on every line. */
  | { kind: "quote"; text: string }
  | { kind: "facts"; rows: readonly (readonly [name: string, value: string])[] }
  | { kind: "code"; code: string }
  /** The service's own buttons. An agent's links must never become buttons. */
  | { kind: "buttons"; buttons: readonly Button[] }
  /** The service's own small links. */
  | { kind: "pages"; links: readonly { label: string; url: string }[] }
  /** An agent's links: each shows its host, since the label could claim anything. */
  | { kind: "links"; links: readonly { label: string; url: string }[] }
  | { kind: "list"; items: readonly Item[] };

/** A button; the quiet one of two has no colour. */
interface Button {
  label: string;
  url: string;
  quiet?: true;
}

/** A line of a list; its links are an agent's. */
interface Item {
  text: string;
  more: string | null;
  links?: readonly { label: string; url: string }[];
}

/** A letter's content. Every string may come from an agent or a mail: `layOut` escapes and truncates it. */
export interface LetterPlan {
  subject: string;
  /** The agent that the letter is from, or the service by its host; at the top of the letter. */
  from: Sender;
  /** What the letter is about: the chip at its top, and the first line of its text. */
  tone: Tone;
  blocks: readonly Block[];
  /** Small print, one line each. */
  footer: readonly Block[];
}

const MAX_SUBJECT_CHARS = 180;
export const MAX_LINE_CHARS = 200;
export const MAX_TEXT_CHARS = 10_000;
const MAX_URL_CHARS = 2_048;
const MAX_NAME_CHARS = 60;
const MAX_FACT_CHARS = 2_000;
/** The longest label of a button that is beside another. */
const MAX_CHARS_BESIDE = 16;

/**
 * Renders a letter as text and as HTML: plain tables without external resources, fit for phones and dark
 * mode.
 */
export function layOut({ subject, from, tone, blocks, footer }: LetterPlan): Letter {
  const line = ellipsize(oneLine(subject), MAX_SUBJECT_CHARS);
  const named = [{ kind: "section" as const, text: CHIPS[tone].word }, ...blocks];
  const text = `${named.map(asText).join("\n\n")}\n\n-- \n${footer.map(asText).join("\n")}\n`;
  const body = [head(from, tone), ...blocks.map(asHtml)].join("\n");
  return { subject: line, text, html: page(line, body, footer.map(asHtml).join("\n")) };
}

/** The sender of a letter, as its reader knows them. */
type Sender = { inbox_email: string; display_name: string | null } | { host: string };

/** The agent's initial, its name and address, and what the letter is about. */
function head(from: Sender, tone: Tone): string {
  const [name, address] =
    "host" in from ? [from.host, null] : [from.display_name ?? from.inbox_email, from.inbox_email];
  const shown = ellipsize(oneLine(name), MAX_NAME_CHARS);
  const [initial = "·"] = /[\p{L}\p{N}]/u.exec(shown) ?? [];
  const below =
    address === null || address === name
      ? ""
      : `<br><span class="faint" style="${STYLES.host}">${escapeHtml(address)}</span>`;
  const chip = ` <span class="chip-${tone}" style="${chipStyle(tone)}">${CHIPS[tone].word}</span>`;
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="head" style="${STYLES.head}"><tr><td width="40" style="${STYLES.initialCell}"><p class="initial" style="${STYLES.initial}">${escapeHtml(initial.toUpperCase())}</p></td><td dir="auto" style="${STYLES.name}"><strong class="ink">${escapeHtml(shown)}</strong>${chip}${below}</td></tr></table>`;
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
    case "quote":
      return ellipsize(manyLines(block.text), MAX_TEXT_CHARS)
        .split("\n")
        .map((line) => `| ${line}`)
        .join("\n");
    case "facts":
      return block.rows
        .map(([name, value]) => `${name}: ${ellipsize(oneLine(value), MAX_FACT_CHARS)}`)
        .join("\n");
    case "code":
      return `    ${oneLine(block.code)}`;
    case "list":
      return block.items.map(itemText).join("\n");
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
    case "quote":
      return `<blockquote class="quote" dir="auto" style="${STYLES.quote}">${paragraphs(block.text)}</blockquote>`;
    case "facts":
      return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="${STYLES.buttonRow}">${block.rows.map(factRow).join("")}</table>`;
    case "code":
      return `<p class="code" style="${STYLES.code}">${escapeHtml(oneLine(block.code))}</p>`;
    case "list":
      return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="${STYLES.buttonRow}">${block.items.map((item, index) => listRow(item, index === block.items.length - 1)).join("")}</table>`;
    case "buttons":
      return buttonRows(block.buttons);
    case "pages":
      return `<p class="faint" dir="auto" style="${STYLES.note}">${block.links.map((link) => anchor(link, STYLES.link, "link")).join(" · ")}</p>`;
    case "links":
      return `<p class="ink" dir="auto" style="${STYLES.text}">${block.links.map(foreignLink).join("<br>")}</p>`;
  }
}

/** Two buttons with short labels, such as yes and no, are side by side. */
function buttonRows(buttons: readonly Button[]): string {
  const beside = buttons.length === 2 && buttons.every(({ label }) => label.length <= MAX_CHARS_BESIDE);
  const rows = beside ? [buttons] : buttons.map((each) => [each]);
  return rows
    .map((row) => {
      const cells = row.map(button).join(`<td width="12" style="${STYLES.gap}">&nbsp;</td>`);
      return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="${STYLES.buttonRow}"><tr>${cells}</tr></table>`;
    })
    .join("\n");
}

/** The cell has the button's colour, because Outlook ignores a link's padding. */
const button = ({ quiet, ...wanted }: Button): string =>
  quiet === true
    ? `<td class="quiet" style="${STYLES.quietCell}">${anchor(wanted, STYLES.quiet, "link")}</td>`
    : `<td class="button" bgcolor="${LIGHT.accent}" style="${STYLES.buttonCell}">${anchor(wanted, STYLES.button, "button")}</td>`;

function foreignLink(link: { label: string; url: string }): string {
  const url = safeUrl(link.url);
  const host = URL.canParse(url) ? new URL(url).host : "";
  return `${anchor(link, STYLES.link, "link")} <span class="faint" style="${STYLES.host}">(${escapeHtml(host)})</span>`;
}

const listLine = (text: string): string => ellipsize(oneLine(text), MAX_LINE_CHARS);

const itemText = ({ text, more, links = [] }: Item): string =>
  [
    `- ${listLine(text)}`,
    ...(more === null ? [] : [`  ${listLine(more)}`]),
    ...links.map(({ label, url }) => `  ${listLine(label)}: ${safeUrl(url)}`),
  ].join("\n");

function listRow({ text, more, links = [] }: Item, last: boolean): string {
  const second =
    more === null
      ? ""
      : `<br><span class="faint" style="${STYLES.host}">${escapeHtml(listLine(more))}</span>`;
  const linked = links.map((link) => `<br>${foreignLink(link)}`).join("");
  return `<tr><td class="ink" dir="auto" style="${last ? STYLES.lastItem : STYLES.item}">${escapeHtml(listLine(text))}${second}${linked}</td></tr>`;
}

const factRow = ([name, value]: readonly [string, string]): string =>
  `<tr><td class="faint" width="96" style="${STYLES.factName}">${escapeHtml(name)}</td><td class="ink" dir="auto" style="${STYLES.fact}">${escapeHtml(ellipsize(oneLine(value), MAX_FACT_CHARS))}</td></tr>`;

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

const LIGHT = THEMES.light;
/** The font in a size of the scale; mail programs know no variables. */
const font = (size: keyof typeof TYPE): string =>
  `font-family:${FONTS};font-size:${TYPE[size][0]}px;line-height:${TYPE[size][1]}px`;
const corners = (round: keyof typeof ROUND): string => `border-radius:${ROUND[round]}px`;
const INITIAL_PIXELS = 2 * ROUND.full;
const STYLES = {
  head: `margin:0 0 20px;border-bottom:1px solid ${LIGHT.line}`,
  initialCell: "padding:0 12px 16px 0;vertical-align:top",
  initial: `margin:0;width:${INITIAL_PIXELS}px;height:${INITIAL_PIXELS}px;${corners("full")};background:${LIGHT.accent};color:${LIGHT.on_accent};${font("lead")};line-height:${INITIAL_PIXELS}px;font-weight:600;text-align:center`,
  name: `padding:0 0 16px;vertical-align:middle;${font("text")};color:${LIGHT.ink};word-break:break-word`,
  heading: `margin:0 0 16px;${font("title")};font-weight:600;color:${LIGHT.ink}`,
  section: `margin:20px 0 8px;${font("note")};font-weight:600;color:${LIGHT.soft}`,
  strong: `margin:12px 0 4px;${font("text")};font-weight:600;color:${LIGHT.ink}`,
  text: `margin:0 0 16px;${font("text")};color:${LIGHT.ink};word-break:break-word`,
  note: `margin:0 0 8px;${font("small")};color:${LIGHT.soft};word-break:break-word`,
  quote: `margin:0 0 16px;padding:12px 16px;border-left:3px solid ${LIGHT.accent};${corners("small")};background:${LIGHT.paper};${font("text")};color:${LIGHT.ink};word-break:break-word`,
  code: `margin:0 0 16px;padding:16px 0;${font("code")};font-family:${CODE_FONTS};letter-spacing:6px;text-align:center;background:${LIGHT.paper};color:${LIGHT.ink};${corners("field")}`,
  buttonRow: "margin:0 0 16px",
  gap: "font-size:1px;line-height:1px",
  buttonCell: `${corners("field")};background:${LIGHT.accent}`,
  button: `display:inline-block;padding:12px 20px;${font("text")};line-height:20px;font-weight:600;color:${LIGHT.on_accent};text-decoration:none;${corners("field")}`,
  quietCell: `${corners("field")};border:1px solid ${LIGHT.line}`,
  quiet: `display:inline-block;padding:11px 19px;${font("text")};line-height:20px;font-weight:600;color:${LIGHT.accent};text-decoration:none;${corners("field")}`,
  item: `padding:8px 0;border-bottom:1px solid ${LIGHT.line};${font("text")};color:${LIGHT.ink};word-break:break-word`,
  lastItem: `padding:8px 0;${font("text")};color:${LIGHT.ink};word-break:break-word`,
  factName: `padding:4px 12px 4px 0;vertical-align:top;${font("note")};line-height:24px;color:${LIGHT.soft}`,
  fact: `padding:4px 0;${font("text")};color:${LIGHT.ink};word-break:break-word`,
  host: `${font("small")};color:${LIGHT.soft}`,
  link: `color:${LIGHT.accent}`,
} as const;

const chipStyle = (tone: Tone): string =>
  `display:inline-block;margin:0 0 0 6px;padding:0 9px;${corners("full")};${font("small")};font-weight:600;color:${CHIPS[tone].light[0]};background:${CHIPS[tone].light[1]}`;

const DARK_MODE = darkRules();

function darkRules(): string {
  const { ink, soft, paper, sheet, line, accent, on_accent } = THEMES.dark;
  const chips = Object.entries(CHIPS)
    .map(([tone, { dark }]) => `.chip-${tone}{color:${dark[0]}!important;background:${dark[1]}!important}`)
    .join("");
  return `@media (prefers-color-scheme:dark){.page{background:${paper}!important}.card{background:${sheet}!important}.ink{color:${ink}!important}.faint{color:${soft}!important}.code,.quote{background:${paper}!important;color:${ink}!important}.quote{border-color:${accent}!important}.link{color:${accent}!important}.button,.initial{background:${accent}!important;color:${on_accent}!important}td.ink,td.quiet,.head{border-color:${line}!important}${chips}}`;
}

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
<body class="page" style="margin:0;padding:0;background:${LIGHT.paper}">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:${LIGHT.paper}">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;background:${LIGHT.sheet};${corners("sheet")}">
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
