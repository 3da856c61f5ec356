import type { Hono } from "hono";
import type { ServerEnv } from "../request/context.ts";
import { readGuides } from "./guides.ts";
import { DOCS_HEADERS } from "./layout.ts";
import { type DocumentationPages, llmsFullTxt, llmsTxt } from "./llms.ts";
import { openApiSteps } from "./openapi.ts";
import { type DocsOptions, docsSteps } from "./page.ts";
import { referencePages } from "./reference-markdown.ts";
import { besideOthers } from "./steps.ts";

const MARKDOWN = { "Content-Type": "text/markdown; charset=utf-8" };
const MARKDOWN_FILE = /^([a-zA-Z0-9-]+)\.md$/;
const TEXT = { "Content-Type": "text/plain; charset=utf-8" };

/**
 * Mounts the documentation, each part made on its first request: `/docs` for people, `/openapi.json` for programs, and
 * for language models `/llms.txt`, `/llms-full.txt` and each page as Markdown below `/docs`.
 */
export function mountDocs(app: Hono<ServerEnv>, options: DocsOptions): void {
  const { base_url, lets_apps_in, settings } = options;
  const url = `${base_url}/docs`;
  const document = once(() => besideOthers(openApiSteps(base_url, lets_apps_in)));
  const json = once(async () => JSON.stringify(await document()));
  const page = once(async () => besideOthers(docsSteps(await document(), options)));
  const pages = once(async (): Promise<DocumentationPages> => {
    const guides = await readGuides(url);
    return { guides, reference: await besideOthers(referencePages(await document(), settings)) };
  });
  const pageNamed = (kind: keyof DocumentationPages) => async (name: string) =>
    (await pages())[kind].find((each) => each.name === name)?.markdown;
  app.get("/openapi.json", async (c) => c.body(await json(), 200, { "Content-Type": "application/json" }));
  app.get("/docs", async (c) => c.html(await page(), 200, DOCS_HEADERS));
  app.get("/llms.txt", async (c) => c.body(llmsTxt(await pages(), url), 200, TEXT));
  app.get("/llms-full.txt", async (c) => c.body(llmsFullTxt(await pages(), url), 200, TEXT));
  app.get("/docs.md", async (c) => c.body(llmsTxt(await pages(), url), 200, MARKDOWN));
  for (const kind of ["guides", "reference"] as const) {
    const find = pageNamed(kind);
    app.get(`/docs/${kind}/:file`, async (c) => {
      const [, name] = MARKDOWN_FILE.exec(c.req.param("file")) ?? [];
      const text = name === undefined ? undefined : await find(name);
      return text === undefined ? c.notFound() : c.body(text, 200, MARKDOWN);
    });
  }
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
