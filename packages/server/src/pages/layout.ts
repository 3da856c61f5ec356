import { createHash } from "node:crypto";
import type { LetterslotError } from "@letterslot/core";
import { CHIPS, MARK_SVG, themeVariables } from "@letterslot/core/internal";
import { html, raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";

/** Markup made by `html`, which escapes every interpolated value. */
export type Markup = HtmlEscapedString | Promise<HtmlEscapedString>;

/** The colours of every page, in light and dark. */
const PALETTE = `:root { color-scheme: light dark; }
${themeVariables()}`;

const CHIP_RULES = Object.keys(CHIPS)
  .map((tone) => `.chip.${tone} { color: var(--${tone}); background: var(--${tone}-ground); }`)
  .join("\n");

const STYLESHEET = `${PALETTE}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: var(--type-text)/var(--type-text-line) var(--fonts); overflow-wrap: anywhere; }
header, main { max-width: 34rem; margin: 0 auto; padding: 0 1rem; }
header { display: flex; align-items: center; gap: .6rem; padding-top: 1.25rem; font-weight: 600; color: var(--soft); }
header svg { width: 1.75rem; height: 1.75rem; flex: none; }
main { padding-top: 1rem; padding-bottom: 3rem; }
body.wide header, body.wide main { max-width: 56rem; }
.sheet { background: var(--sheet); border: 1px solid var(--line); border-radius: var(--round-sheet); padding: 1.5rem 1.5rem 1.75rem; box-shadow: var(--shade); }
@media (max-width: 30rem) { .sheet { padding: 1.25rem 1.1rem 1.4rem; } }
.who { display: flex; align-items: center; gap: .75rem; margin: 0 0 1rem; padding-bottom: 1rem; border-bottom: 1px solid var(--line); line-height: 1.35; }
.who .initial { flex: none; width: 2.5rem; height: 2.5rem; border-radius: 50%; background: var(--accent); color: var(--on-accent); font-weight: 600; font-size: var(--type-lead); line-height: 2.5rem; text-align: center; }
.who .soft { font-size: var(--type-small); }
h1 { font: 600 var(--type-head)/var(--type-head-line) var(--fonts); margin: 0 0 .75rem; }
h2 { font: 600 var(--type-title)/var(--type-title-line) var(--fonts); margin: 2.25rem 0 .5rem; }
h3 { font: 600 var(--type-text)/var(--type-text-line) var(--fonts); margin: 1.5rem 0 .25rem; }
p { margin: .5rem 0; }
a { color: var(--accent); }
.soft { color: var(--soft); }
.bad { color: var(--problem); }
label { display: block; margin: .9rem 0 .25rem; font-weight: 600; }
input, select, textarea { width: 100%; min-height: 2.75rem; padding: .5rem .75rem; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--soft); border-radius: var(--round-field); }
button { min-height: 2.75rem; margin-top: 1.1rem; padding: .55rem 1.4rem; font: inherit; font-weight: 600; color: var(--on-accent); background: var(--accent); border: 0; border-radius: var(--round-field); cursor: pointer; }
button.quiet { color: var(--accent); background: none; border: 1px solid var(--accent); margin-left: .5rem; }
button.lone { margin-left: 0; }
button.link { margin: 0; padding: .55rem .25rem; color: var(--accent); background: none; text-decoration: underline; }
a.button { display: inline-block; margin-top: .6rem; padding: .6rem 1.4rem; font-weight: 600; color: var(--on-accent); background: var(--accent); border-radius: var(--round-field); text-decoration: none; }
.chip { display: inline-block; padding: 0 .55rem; border-radius: var(--round-full); font: 600 var(--type-small)/var(--type-small-line) var(--fonts); }
${CHIP_RULES}
ul.waiting { list-style: none; padding: 0; }
ul.waiting li { padding: .65rem 0; border-bottom: 1px solid var(--line); }
ul.waiting li:last-child { border: 0; }
ul.waiting .soft { font-size: var(--type-small); }
.line { display: flex; flex-wrap: wrap; align-items: center; gap: 0 .5rem; }
fieldset { border: 0; margin: 1rem 0 0; padding: 0; min-width: 0; }
legend { font-weight: 600; padding: 0; }
.pick { display: flex; gap: .65rem; align-items: center; min-height: 2.75rem; margin: 0; font-weight: 400; cursor: pointer; }
.pick input { padding: 0; width: 1.25rem; min-height: 1.25rem; flex: none; margin: 0; accent-color: var(--accent); }
summary { min-height: 2.75rem; padding: .65rem 0; font-weight: 600; cursor: pointer; }
form details { margin-top: 1.25rem; }
ul.reasons { padding-left: 1.25rem; }
.said { white-space: pre-line; }
hr { border: 0; border-top: 1px solid var(--line); margin: 1.75rem 0 1.25rem; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
code, pre { font: .9em/1.5 var(--code-fonts); }
iframe { display: block; width: 100%; height: 26rem; background: #fff; border: 1px solid var(--line); border-radius: var(--round-field); }
.code { font: var(--type-code)/var(--type-code-line) var(--code-fonts); letter-spacing: .08em; }
iframe.status { height: 18rem; background: none; }
pre { background: var(--paper); border: 1px solid var(--line); border-radius: var(--round-field); padding: .75rem; white-space: pre-wrap; }
table { width: 100%; border-collapse: collapse; }
th[scope=row] { white-space: nowrap; }
th, td { text-align: left; vertical-align: top; padding: .4rem .5rem .4rem 0; border-bottom: 1px solid var(--line); }
dt { font-weight: 600; margin-top: .9rem; scroll-margin-top: 1rem; }
dd { margin: 0; }
:target { background: color-mix(in srgb, var(--accent) 18%, transparent); }
`;

/** The mark, in each page itself: a page asks for nothing else. */
const MARK = MARK_SVG.replace(
  / xmlns="[^"]*" viewBox="0 0 32 32" role="img" aria-label="[^"]*"/,
  ' viewBox="0 0 32 32" aria-hidden="true"',
);
const ICON = Buffer.from(MARK_SVG).toString("base64");

const STYLESHEET_HASH = createHash("sha256").update(STYLESHEET).digest("base64");

/**
 * The headers of every page: no scripts (but that of passkeys, where a page takes them), no external content, no framing, and no Referer to other sites that leaks a token.
 */
export const PAGE_HEADERS: Record<string, string> = {
  "Content-Security-Policy": `default-src 'none'; img-src data:; style-src 'sha256-${STYLESHEET_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  "X-Frame-Options": "DENY",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "same-origin",
  "Cache-Control": "no-store",
};

/** A complete HTML page around `content`. */
export function page(title: string, content: Markup, width: "narrow" | "wide" = "narrow"): Markup {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="icon" href="data:image/svg+xml;base64,${ICON}">
<title>${title}</title>
<style>${raw(STYLESHEET)}</style>
</head>
<body class="${width}">
<header>${raw(MARK)} Letterslot</header>
<main>
${content}
</main>
</body>
</html>
`;
}

/** The page that explains an error. */
export function failurePage({ message, fix }: LetterslotError): Markup {
  return page(
    "That did not work",
    html`<div class="sheet"><h1>That did not work</h1><p class="bad" role="alert">${message} ${fix}</p></div>`,
  );
}

/** A group of radio buttons; `selected` is the value of the one that is checked. */
export function radioGroup(
  title: string,
  name: string,
  choices: readonly (readonly [value: string, label: string])[],
  selected: string | undefined,
): Markup {
  const rows = choices.map(
    ([value, label]) =>
      html`<label class="pick"><input type="radio" name="${name}" value="${value}" required${value === selected ? " checked" : ""}> ${label}</label>`,
  );
  return html`<fieldset><legend>${title}</legend>${rows}</fieldset>`;
}

/** Shows the asking agent: its initial, name and address. */
export function whoMarkup(inbox: { inbox_email: string; inbox_display_name: string | null }): Markup {
  const { inbox_email, inbox_display_name } = inbox;
  const name = inbox_display_name ?? inbox_email;
  const [initial = "·"] = /[\p{L}\p{N}]/u.exec(name) ?? [];
  const address = inbox_display_name === null ? "" : html`<br><span class="soft">${inbox_email}</span>`;
  return html`<div class="who"><span class="initial" aria-hidden="true">${initial.toUpperCase()}</span><span><strong>${name}</strong>${address}</span></div>`;
}

/** The agent as people know it: its display name, if any, and its address. */
export function agentName(inbox: { inbox_email: string; inbox_display_name: string | null }): string {
  const { inbox_email, inbox_display_name } = inbox;
  return inbox_display_name === null ? inbox_email : `${inbox_display_name} (${inbox_email})`;
}
