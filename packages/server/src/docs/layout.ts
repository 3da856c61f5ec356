import { createHash } from "node:crypto";
import { html, raw } from "hono/html";
import { type Markup, PAGE_HEADERS, PALETTE } from "../pages/layout.ts";
import { SEARCH_SCRIPT } from "./search-script.ts";

const STYLESHEET = `${PALETTE}
* { box-sizing: border-box; }
html { scroll-padding-top: 4.5rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere; }
a { color: var(--accent); }
[hidden] { display: none !important; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
header { position: sticky; top: 0; z-index: 1; display: flex; gap: .75rem; align-items: center; padding: .5rem 1rem; background: var(--sheet); border-bottom: 1px solid var(--line); }
header h1 { margin: 0; font-size: 1rem; }
header a { text-decoration: none; color: inherit; }
header label { flex: 1; max-width: 26rem; margin-left: auto; }
header input { width: 100%; min-height: 2.75rem; padding: .25rem .75rem; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--soft); border-radius: .5rem; }
.off-screen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.columns { max-width: 76rem; margin: 0 auto; }
main { padding: 0 1rem 4rem; min-width: 0; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav summary, nav h2 { margin: .9rem 0 .1rem; font-size: .85rem; font-weight: 700; }
nav a { display: block; padding: .3rem 0; text-decoration: none; font-size: .9rem; }
nav a:hover { text-decoration: underline; }
.side { display: none; }
.contents { margin: 1rem; padding: .25rem 1rem; background: var(--sheet); border: 1px solid var(--line); border-radius: .5rem; }
.contents > summary { margin: 0; padding: .6rem 0; font-size: 1rem; }
.contents a { min-height: 2.75rem; display: flex; align-items: center; }
@media (min-width: 64rem) {
  .columns { display: grid; grid-template-columns: 17rem minmax(0, 1fr); }
  .side { display: block; position: sticky; top: 3.9rem; align-self: start; max-height: calc(100vh - 3.9rem); overflow-y: auto; padding: 0 1rem 2rem; border-right: 1px solid var(--line); }
  .contents { display: none; }
  main { padding: 0 2rem 4rem; }
}
h2 { font-size: 1.35rem; margin: 2.5rem 0 .5rem; }
h3 { font-size: 1.1rem; margin: 0; }
h4 { font-size: .95rem; margin: 1.1rem 0 .25rem; }
h2 a, h3 a { color: inherit; text-decoration: none; }
h2 a:hover::after, h3 a:hover::after { content: " #"; color: var(--soft); }
p { margin: .4rem 0; }
.soft { color: var(--soft); }
.entry { margin: 1rem 0; padding: 1rem; background: var(--sheet); border: 1px solid var(--line); border-radius: .75rem; content-visibility: auto; contain-intrinsic-size: auto 30rem; }
.entry:target { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent); }
.short { contain-intrinsic-size: auto 7rem; }
code, pre { font: .88em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.path { margin: .35rem 0; }
.method { font-weight: 700; }
pre { margin: .35rem 0; background: var(--paper); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem; white-space: pre-wrap; }
.code { position: relative; }
.code button { position: absolute; top: .35rem; right: .35rem; min-height: 2rem; padding: .1rem .6rem; font: inherit; font-size: .8rem; color: var(--accent); background: var(--sheet); border: 1px solid var(--line); border-radius: .4rem; cursor: pointer; }
.field { padding: .5rem 0; border-top: 1px solid var(--line); }
.field p { margin: .1rem 0 0; }
.field .name code { font-weight: 700; }
.within { margin: .25rem 0 0; padding-left: .9rem; border-left: 2px solid var(--line); }
.within > summary, details > summary { cursor: pointer; min-height: 2rem; color: var(--accent); }
#results { padding-top: 1rem; }
#results:empty { display: none; }
#results a { display: flex; align-items: center; min-height: 2.75rem; }
.list { display: flex; flex-wrap: wrap; gap: .25rem .75rem; margin: .25rem 0; padding: 0; list-style: none; }
`;

const sha256 = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** The headers of the documentation: it loads nothing, and its one script is the one that searches it. */
export const DOCS_HEADERS: Record<string, string> = {
  ...PAGE_HEADERS,
  "Content-Security-Policy": `default-src 'none'; style-src ${sha256(STYLESHEET)}; script-src ${sha256(SEARCH_SCRIPT)}; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`,
  "Cache-Control": "public, max-age=300",
};

/** The documentation around its contents and sections. */
export function docsLayout(contents: Markup, sections: Markup): Markup {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Letterslot documentation</title>
<style>${raw(STYLESHEET)}</style>
</head>
<body>
<header><h1><a href="#begin">Letterslot</a></h1><label hidden><span class="off-screen">Search the documentation</span><input type="search" id="search" placeholder="Search (press /)" autocomplete="off"></label></header>
<p class="off-screen" id="found" role="status"></p>
<div class="columns">
<nav class="side" aria-label="Contents">${contents}</nav>
<details class="contents"><summary>Contents</summary><nav aria-label="Contents">${contents}</nav></details>
<main><ul class="list" id="results" aria-label="Best matches"></ul>${sections}</main>
</div>
<script>${raw(SEARCH_SCRIPT)}</script>
</body>
</html>
`;
}
