import { createHash } from "node:crypto";
import { extname } from "node:path/posix";
import { gunzipSync, gzipSync } from "node:zlib";
import { html } from "hono/html";
import { type Markup, PAGE_HEADERS, page } from "../pages/layout.ts";
import type { ServerContext } from "../request/context.ts";
import type { Site, SiteFile } from "./site.ts";
import { errorEntries } from "./site-pages.ts";

/** The address of the server in the samples of the reference, as the site is built. */
export const SAMPLE_URL = "http://localhost:8025";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** A beginning of an address within the site: the site is built to be at `/docs/`. */
const OWN_ADDRESS = /(?<=["'`(])\/docs\//g;

/** Answers with a file of the site, as this server is reached; undefined if the site has none at this path. */
export function siteAnswer(
  c: ServerContext,
  site: Site,
  path: string,
  base_url: string,
): Response | undefined {
  const name = site.files.has(path) ? path : `${path}.html`;
  const built = site.files.get(name);
  const type = TYPES[extname(name)];
  if (built === undefined || type === undefined) return undefined;
  const file = asReached(built, name, base_url);
  // The name of an asset has the hash of its content, as it was built.
  const isFixed = name.startsWith("assets/") && file === built;
  const headers: Record<string, string> = {
    ...(name.endsWith(".html") ? pageHeaders(site) : {}),
    "Content-Type": type,
    "Cache-Control": isFixed ? "public, max-age=31536000, immutable" : "public, max-age=300",
    ETag: file.etag,
    Vary: "Accept-Encoding",
  };
  if (c.req.header("if-none-match")?.includes(file.etag) === true) return c.body(null, 304, headers);
  return /\bgzip\b/.test(c.req.header("accept-encoding") ?? "")
    ? c.body(file.gzipped, 200, { ...headers, "Content-Encoding": "gzip" })
    : c.body(new Uint8Array(gunzipSync(file.gzipped)), 200, headers);
}

/** A file with the server's own address in the samples of the reference, and its path before `/docs/`. */
function asReached(file: SiteFile, name: string, base_url: string): SiteFile {
  const prefix = new URL(base_url).pathname.replace(/\/$/, "");
  const hasSamples = base_url !== SAMPLE_URL && name.includes("reference");
  if (prefix === "" && !hasSamples) return file;
  const text = gunzipSync(file.gzipped).toString("utf8");
  const moved = prefix === "" ? text : text.replace(OWN_ADDRESS, () => `${prefix}/docs/`);
  const changed = hasSamples ? moved.replaceAll(SAMPLE_URL, () => base_url) : moved;
  return changed === text ? file : { gzipped: new Uint8Array(gzipSync(changed)), etag: etagOf(changed) };
}

const etagOf = (text: string): string =>
  `W/"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;

/** The headers of a page: its scripts are the site's own, and its styles also those that code has for its colours. */
const pageHeaders = ({ script_hashes }: Site): Record<string, string> => ({
  ...PAGE_HEADERS,
  "Content-Security-Policy": [
    "default-src 'none'",
    `script-src 'self' ${script_hashes.map((hash) => `'${hash}'`).join(" ")}`,
    "style-src 'self' 'unsafe-inline'",
    ...["img-src 'self' data:", "font-src 'self'", "connect-src 'self'"],
    ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
  ].join("; "),
});

/** The documentation where nobody has built the site: every error code, and where to read the rest. */
export const unbuiltPage = (): Markup =>
  page(
    "Letterslot documentation",
    html`<div class="sheet"><h1>The documentation isn't built here</h1>
<p><code>npx -y pnpm@12 run docs</code> in the repository builds it, in about half a minute; then start the server again. All of it is also there as
Markdown, without a build: <code>/llms.txt</code> lists the pages.</p>
<h2>Errors</h2><dl>${errorEntries().map(([code, text]) => html`<dt id="${code}"><code>${code}</code></dt><dd>${text}</dd>`)}</dl></div>`,
  );
