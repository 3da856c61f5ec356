import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import { type Context, Hono } from "hono";
import { routePath } from "hono/route";
import { BUILDING, buildFailed, NOT_BUILT_POLICY } from "./not-built.ts";
import type { Site, SiteState } from "./site.ts";

/** The parts of the console that not every service has. */
export interface ConsoleOptions {
  /** The service keeps outgoing mail at `/outbox`. */
  outbox?: boolean;
  /** The service has a person's telephone at `/phone`. */
  phone?: boolean;
  /** People can sign in with passkeys. */
  passkeys?: boolean;
}

/** Scripts and styles of its own alone, no request beyond the server, no markup from strings. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

const SESSION_COOKIE = /(?:^|;)\s*(?:__Host-)?ls_session=/;

/** An asset's name has a hash of what is in it. */
const FOREVER = "public, max-age=31536000, immutable";

/** The console's app with the files of `site`. */
export function consoleOf(site: Site, options: ConsoleOptions): Hono {
  const app = new Hono();
  app.use(async (c, next) => {
    await next();
    if (!c.res.headers.has("Content-Security-Policy")) c.header("Content-Security-Policy", POLICY);
    c.header("X-Content-Type-Options", "nosniff");
    c.header("X-Frame-Options", "DENY");
    c.header("Referrer-Policy", "same-origin");
  });
  app.get("/*", async (c, next) => {
    const path = c.req.path.slice(routePath(c).length - "/*".length);
    if (path !== "" && path !== "/") return next();
    // Its files are beside it: their addresses are relative to one that ends in a slash.
    if (!new URL(c.req.url).pathname.endsWith("/")) return c.redirect(`${c.req.path.split("/").pop()}/`, 302);
    const state = site.state();
    if (state === "building" || "failed" in state) return answerNotBuilt(c, state);
    // Who has no session is spared the question who they are.
    const session = SESSION_COOKIE.test(c.req.header("cookie") ?? "");
    return c.html(pageOf(state.folder, { ...options, session }), 200, { "Cache-Control": "no-store" });
  });
  app.get("/assets/:name", async (c) => {
    const state = site.state();
    if (state === "building" || "failed" in state) return c.notFound();
    const answer = await serveStatic({
      root: join(state.folder, "assets"),
      precompressed: true,
      rewriteRequestPath: () => `/${basename(c.req.param("name"))}`,
    })(c, async () => undefined);
    if (answer === undefined) return c.notFound();
    answer.headers.set("Cache-Control", FOREVER);
    return answer;
  });
  return app;
}

function answerNotBuilt(
  c: Context,
  state: Exclude<SiteState, { folder: string }>,
): Response | Promise<Response> {
  c.header("Content-Security-Policy", NOT_BUILT_POLICY);
  c.header("Cache-Control", "no-store");
  if (state !== "building") return c.html(buildFailed(state.failed), 503);
  return c.html(BUILDING, 503, { "Retry-After": "5", Refresh: "5" });
}

const pageOf = (site: string, options: ConsoleOptions & { session: boolean }): string =>
  readFileSync(join(site, "index.html"), "utf8").replace(
    '<meta name="letterslot" content="{}"',
    `<meta name="letterslot" content='${JSON.stringify(options)}'`,
  );
