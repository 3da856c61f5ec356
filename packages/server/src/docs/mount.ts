import type { Hono } from "hono";
import type { ServerEnv } from "../request/context.ts";
import { DOCS_HEADERS } from "./layout.ts";
import { openApiSteps } from "./openapi.ts";
import { type DocsOptions, docsSteps } from "./page.ts";
import { besideOthers } from "./steps.ts";

/** Mounts `/docs` for people and `/openapi.json` for programs, each generated on its first request. */
export function mountDocs(app: Hono<ServerEnv>, options: DocsOptions): void {
  const { base_url, lets_apps_in } = options;
  const document = once(() => besideOthers(openApiSteps(base_url, lets_apps_in)));
  const json = once(async () => JSON.stringify(await document()));
  const page = once(async () => besideOthers(docsSteps(await document(), options)));
  app.get("/openapi.json", async (c) => c.body(await json(), 200, { "Content-Type": "application/json" }));
  app.get("/docs", async (c) => c.html(await page(), 200, DOCS_HEADERS));
  app.get("/", (c) => c.redirect(`${base_url}/docs`));
}

/** Makes a value when it is first asked for, once; a failure is not kept. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
