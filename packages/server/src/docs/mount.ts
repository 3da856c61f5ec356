import type { Hono } from "hono";
import { PAGE_HEADERS } from "../pages/layout.ts";
import type { ServerContext, ServerEnv } from "../request/context.ts";
import { readGuides, WRITTEN } from "./guides.ts";
import { type DocumentationPages, llmsFullTxt, llmsTxt } from "./llms.ts";
import { referencePages, type Setting } from "./reference-markdown.ts";
import { siteAnswer, unbuiltPage } from "./serve-site.ts";
import { readSite } from "./site.ts";
import { allPages, siteReference } from "./site-pages.ts";
import { besideOthers } from "./steps.ts";

/** The facts about this server that the documentation shows. */
interface DocsOptions {
  base_url: string;
  /** The service has an authorization server, which the document describes then. */
  lets_apps_in: boolean;
  settings: readonly Setting[];
}

const MARKDOWN = { "Content-Type": "text/markdown; charset=utf-8" };
const MARKDOWN_FILE = /^([a-zA-Z0-9_.-]+)\.md$/;
const TEXT = { "Content-Type": "text/plain; charset=utf-8" };

/**
 * Mounts the documentation: the built site at `/docs` for people; and, each made on its first request, `/openapi.json`
 * for programs, and for language models `/llms.txt`, `/llms-full.txt` and each page as Markdown beside it.
 */
export function mountDocs(app: Hono<ServerEnv>, options: DocsOptions): void {
  const { base_url, lets_apps_in, settings } = options;
  const url = `${base_url}/docs`;
  const document = once(async () => {
    // With its samples of MCP's calls it needs what else only MCP does.
    const { openApiSteps } = await import("./openapi.ts");
    return besideOthers(openApiSteps(base_url, lets_apps_in));
  });
  const json = once(async () => JSON.stringify(await document()));
  const site = once(readSite);
  const pages = once(async (): Promise<DocumentationPages> => {
    const guides = await readGuides(url);
    return { guides, reference: await besideOthers(referencePages(await document(), settings)) };
  });
  const single = once(async () =>
    allPages(await besideOthers(siteReference(await document(), base_url, settings))),
  );
  app.get("/openapi.json", async (c) => c.body(await json(), 200, { "Content-Type": "application/json" }));
  app.get("/llms.txt", async (c) => c.body(llmsTxt(await pages(), url), 200, TEXT));
  app.get("/llms-full.txt", async (c) => c.body(llmsFullTxt(await pages(), url), 200, TEXT));
  app.get("/docs.md", async (c) => c.body(llmsTxt(await pages(), url), 200, MARKDOWN));
  for (const kind of WRITTEN)
    app.get(`/docs/${kind}/:file`, async (c) => {
      const [, name] = MARKDOWN_FILE.exec(c.req.param("file")) ?? [];
      if (name === undefined) return fileOfSite(c, `${kind}/${c.req.param("file")}`);
      const { guides } = await pages();
      return markdownOr404(c, guides.find((each) => each.kind === kind && each.name === name)?.markdown);
    });
  app.get("/docs/reference/:file", async (c) => {
    const [, name] = MARKDOWN_FILE.exec(c.req.param("file")) ?? [];
    if (name === undefined) return fileOfSite(c, `reference/${c.req.param("file")}`);
    const { reference } = await pages();
    const found = [...reference, ...(await single())].find((each) => each.name === name);
    return markdownOr404(c, found?.markdown);
  });
  app.get("/docs/:file", async (c) => fileOfSite(c, c.req.param("file")));
  app.get("/docs/assets/:file", async (c) => fileOfSite(c, `assets/${c.req.param("file")}`));
  app.get("/docs/assets/chunks/:file", async (c) => fileOfSite(c, `assets/chunks/${c.req.param("file")}`));
  app.get("/docs", async (c) =>
    (await site()) === undefined ? c.html(unbuiltPage(), 200, PAGE_HEADERS) : fileOfSite(c, "index.html"),
  );

  async function fileOfSite(c: ServerContext, path: string): Promise<Response> {
    const built = await site();
    const answer = built === undefined ? undefined : siteAnswer(c, built, path, base_url);
    return answer ?? c.notFound();
  }
}

const markdownOr404 = (c: ServerContext, text: string | undefined): Response | Promise<Response> =>
  text === undefined ? c.notFound() : c.body(text, 200, MARKDOWN);

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
