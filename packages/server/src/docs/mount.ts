import type { Hono } from "hono";
import { PAGE_HEADERS } from "../pages/layout.ts";
import type { ServerEnv } from "../request/context.ts";
import { openApiDocument } from "./openapi.ts";
import { docsPage } from "./page.ts";

/** Mounts `/docs` for people and `/openapi.json` for programs, each generated on its first request. */
export function mountDocs(app: Hono<ServerEnv>, base_url: string): void {
  let document: Record<string, unknown> | undefined;
  let page: ReturnType<typeof docsPage> | undefined;
  app.get("/openapi.json", (c) => {
    document ??= openApiDocument(base_url);
    return c.json(document);
  });
  app.get("/docs", (c) => {
    page ??= docsPage(base_url);
    return c.html(page, 200, { ...PAGE_HEADERS, "Cache-Control": "public, max-age=300" });
  });
  app.get("/", (c) => c.redirect(`${base_url}/docs`));
}
