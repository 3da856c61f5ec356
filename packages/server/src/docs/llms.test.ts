import { routes } from "@letterslot/client/routes";
import { ERROR_CATALOGUE } from "@letterslot/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Served, serve } from "../../testing/serve.ts";
import { firstSentence } from "./guides.ts";

let served: Served;
let base: string;
beforeAll(async () => {
  served = await serve({
    settings: [{ name: "BASE_URL", meaning: "Its address.", expects: "a URL", fallback: "none" }],
  });
  base = served.letterslot.services.options.baseUrl;
});
afterAll(() => served.close());

const get = (path: string) => fetch(`${served.base_url}${path}`);

/** The addresses of links, on this server. */
const linksIn = (text: string): string[] =>
  [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, url = ""]) =>
    url.startsWith(base) ? [url.slice(base.length)] : [],
  );

test("/llms.txt has the form of llmstxt.org, and a line for each page, which is there", async () => {
  const answer = await get("/llms.txt");
  expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  const text = await answer.text();
  expect(text).toMatch(/^# Letterslot\n\n> .+/);
  const links = linksIn(text);
  expect(links).toEqual(
    expect.arrayContaining([
      "/docs/concepts/trust.md",
      "/docs/guides/phone.md",
      "/docs/reference/messages.md",
      "/openapi.json",
    ]),
  );
  for (const link of links) expect([link, (await get(link)).status]).toEqual([link, 200]);
  for (const line of text.split("\n").filter((each) => each.startsWith("- [")))
    expect(line).toMatch(/^- \[[^\]]+\]\([^)]+\)(?:: .+[.]| *)$/);
});

test("each page is Markdown, and its links to other pages lead there", async () => {
  const pages = linksIn(await (await get("/llms.txt")).text()).filter((link) => link.endsWith(".md"));
  const targets = new Set<string>();
  for (const link of pages) {
    const answer = await get(link);
    expect(answer.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    const text = await answer.text();
    expect(text).toMatch(/^# .+\n/);
    expect(text).not.toMatch(/\]\(\.\.?\//);
    for (const target of linksIn(text)) targets.add(target);
  }
  for (const target of targets) expect([target, (await get(target)).status]).toEqual([target, 200]);
});

test("no two pages have one name, and that of events is about the kinds of events", async () => {
  const text = await (await get("/llms.txt")).text();
  const links = linksIn(text);
  expect(new Set(links).size).toBe(links.length);
  expect(await (await get("/docs/reference/events.md")).text()).toMatch(/^# Events\n/);
  expect(await (await get("/docs/reference/events-operations.md")).text()).toContain("## events.list\n");
});

test("settings keep their underscores, and emphasis loses its own", async () => {
  const text = await (await get("/llms.txt")).text();
  expect(firstSentence("# A\n\nSet _both_ `MAIL_DOMAIN` and **SMTP_URL**.\n")).toBe(
    "Set both MAIL_DOMAIN and SMTP_URL.",
  );
  expect(text).not.toMatch(/\b(?:MAILDOMAIN|SMTPURL|DATABASEURL|CORSORIGINS)\b/);
});

test("the reference has each operation, error and setting", async () => {
  const all = await (await get("/llms-full.txt")).text();
  for (const name of [...Object.keys(routes), ...Object.keys(ERROR_CATALOGUE)])
    expect(all).toContain(`\n## ${name}\n`);
  expect(all).toContain("- `BASE_URL`: Its address.");
  const operation = await (await get("/docs/reference/messages.md")).text();
  expect(operation).toMatch(
    /## messages\.marked\n\n`GET \/api\/v1\/inboxes\/\{inbox_id\}\/messages\/\{message_id\}`\n[\s\S]+- `view` \(marked, query, required\)[\s\S]+- `max_chars` \(integer, query, default 4000/,
  );
});

test.each([
  "/docs/guides/nothing.md",
  "/docs/reference/nothing.md",
  "/docs/guides/..%2fREADME.md",
  "/docs/concepts/phone.md",
  "/docs/guides/nothing",
  "/docs/assets/nothing.js",
])("%s is no page", async (path) => {
  expect((await get(path)).status).toBe(404);
});
