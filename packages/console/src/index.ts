import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { routePath } from "hono/route";
import { siteDirectory } from "./site.ts";

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

/**
 * The console as an app to mount beside the service's: `app.route("/console", createConsole())`. It is static files that
 * call the service one path above them, as the person or key that signs in on it. Node only.
 */
export function createConsole(options: ConsoleOptions = {}): Hono {
  const app = new Hono();
  app.use(async (c, next) => {
    await next();
    c.header("Content-Security-Policy", POLICY);
    c.header("X-Content-Type-Options", "nosniff");
    c.header("X-Frame-Options", "DENY");
    c.header("Referrer-Policy", "same-origin");
  });
  app.get("/*", async (c, next) => {
    const path = c.req.path.slice(routePath(c).length - "/*".length);
    if (path !== "" && path !== "/") return next();
    // Its files are beside it: their addresses are relative to one that ends in a slash.
    if (!new URL(c.req.url).pathname.endsWith("/")) return c.redirect(`${c.req.path.split("/").pop()}/`, 302);
    const site = siteDirectory();
    if (site === undefined) return c.html(NOT_BUILT, 503, { "Retry-After": "5", Refresh: "5" });
    // Who has no session is spared the question who they are.
    const session = SESSION_COOKIE.test(c.req.header("cookie") ?? "");
    return c.html(pageOf(site, { ...options, session }), 200, { "Cache-Control": "no-store" });
  });
  app.get("/assets/:name", async (c) => {
    const site = siteDirectory();
    if (site === undefined) return c.notFound();
    const answer = await serveStatic({
      root: join(site, "assets"),
      precompressed: true,
      rewriteRequestPath: () => `/${basename(c.req.param("name"))}`,
    })(c, async () => undefined);
    if (answer === undefined) return c.notFound();
    answer.headers.set("Cache-Control", FOREVER);
    return answer;
  });
  return app;
}

const pageOf = (site: string, options: ConsoleOptions & { session: boolean }): string =>
  readFileSync(join(site, "index.html"), "utf8").replace(
    '<meta name="letterslot" content="{}"',
    `<meta name="letterslot" content='${JSON.stringify(options)}'`,
  );

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Letterslot</title>
<p>The console is being built. This page looks again in some seconds.</p>`;
