import { MARK_SVG } from "@letterslot/core/internal";
import type { Hono } from "hono";
import { html } from "hono/html";
import type { ServerContext, ServerEnv } from "../request/context.ts";
import { PAGE_HEADERS, page } from "./layout.ts";

/** Short paths that people type, and the pages that they lead to. */
const SHORT_PATHS = {
  "/sign-in": "api/v1/owners/sign-in",
  "/write": "api/v1/owners/write",
  "/apps": "api/v1/owners/sign-in",
  "/passkeys": "api/v1/owners/your-passkeys",
  "/recover": "api/v1/recover",
} as const;

const ICON_HEADERS = {
  "Content-Type": "image/svg+xml",
  "Cache-Control": "public, max-age=86400",
  "Content-Security-Policy": "default-src 'none'",
  "X-Content-Type-Options": "nosniff",
};

/** Mounts the short paths to people's pages, and the mark that browsers ask for. */
export function mountShortPaths(app: Hono<ServerEnv>): void {
  for (const [path, target] of Object.entries(SHORT_PATHS)) app.get(path, (c) => c.redirect(target));
  for (const path of ["/favicon.svg", "/favicon.ico"])
    app.get(path, (c) => c.body(MARK_SVG, 200, ICON_HEADERS));
}

/** The page for an address at which there is nothing. */
export async function notFoundPage(c: ServerContext): Promise<Response> {
  for (const [name, value] of Object.entries(PAGE_HEADERS)) c.header(name, value);
  const nothing = page(
    "Nothing here",
    html`<div class="sheet">
<h1>There is nothing here</h1>
<p>The address may be cut off or misspelt. If it came in an email, open the link there again.</p>
</div>`,
  );
  return c.html(await nothing, 404);
}
