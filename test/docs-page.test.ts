import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ERROR_CATALOGUE } from "../packages/core/src/catalogue/errors.ts";
import { readSite } from "../packages/server/src/docs/site.ts";
import { type Served, serve } from "../packages/server/testing/serve.ts";
import { buildSite } from "../scripts/docs-site/build.ts";
import { findAxeViolations } from "./support/axe.ts";
import { casesOf } from "./support/case-count.ts";
import { type Look, type PhoneBrowser, startPhoneBrowser } from "./support/phone-browser.ts";

const PHONE: [string, Look] = ["phone", {}];
const DESK_DARK: [string, Look] = ["desk-dark", { desk: true, dark: true }];
/** Two looks in the gate, where each width and each theme is once. */
const LOOKS = casesOf<[string, Look][]>(
  [PHONE, DESK_DARK],
  [PHONE, ["phone-dark", { dark: true }], ["desk", { desk: true }], DESK_DARK],
);
/** One page of each kind; the first are laid out each in their own way. */
const LAYOUTS = ["/docs", "/docs/concepts/trust", "/docs/reference/messages.send"];
const KINDS = [
  ...LAYOUTS,
  "/docs/guides/getting-started",
  "/docs/guides/performance-results",
  "/docs/reference/operations",
  "/docs/reference/messages",
  "/docs/reference/record-Message",
  "/docs/reference/event-message",
  "/docs/reference/errors",
];

let served: Served;
let browser: PhoneBrowser;
/** The built pages, by path. */
const pages = new Map<string, string>();
beforeAll(async () => {
  // Builds nothing if the site is of today's sources, as after the step "build".
  await buildSite();
  [served, browser] = await Promise.all([serve(), startPhoneBrowser()]);
  const site = await readSite();
  for (const path of site?.files.keys() ?? [])
    if (path.endsWith(".html") && path !== "404.html") {
      const address = path === "index.html" ? "/docs" : `/docs/${path.slice(0, -".html".length)}`;
      const answer = await fetch(`${served.base_url}${address}`);
      if (answer.status !== 200) throw new Error(`${address} is ${answer.status}`);
      pages.set(address, await answer.text());
    }
}, 300_000);
afterAll(async () => {
  await Promise.all([served?.close(), browser?.close()]);
});

const idsOf = (html: string): Set<string> =>
  new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id));

describe("every page", () => {
  test("is there with its Markdown beside it, in at most 300 KB", async () => {
    expect(pages.size).toBeGreaterThan(450);
    for (const [address, html] of pages) {
      expect(Buffer.byteLength(html), address).toBeLessThan(300_000);
      const { status, headers } = await fetch(`${served.base_url}${address}.md`);
      expect([address, status, headers.get("content-type")]).toEqual([
        ...[address, 200, "text/markdown; charset=utf-8"],
      ]);
    }
  });

  test("has links and anchors that all lead somewhere", () => {
    const ids = new Map([...pages].map(([address, html]) => [address, idsOf(html)]));
    const lost = [...pages].flatMap(([address, html]) =>
      [...html.matchAll(/ href="([^"]*)"/g)].flatMap(([, href = ""]) => {
        const { origin, pathname, hash } = new URL(
          href.replaceAll("&amp;", "&"),
          `http://docs.test${address}`,
        );
        if (origin !== "http://docs.test" || /\.(?:js|css|svg)$/.test(pathname)) return [];
        const target = ids.get(pathname.replace(/\/$/, ""));
        const isThere =
          target !== undefined && (hash === "" || target.has(decodeURIComponent(hash.slice(1))));
        return isThere ? [] : [`${address}: ${href}`];
      }),
    );
    expect(lost).toEqual([]);
  });

  test("has no id twice", () => {
    for (const [address, html] of pages) {
      const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      expect(
        ids.filter((id, index) => ids.indexOf(id) !== index),
        address,
      ).toEqual([]);
    }
  });
});

test("the front page has an anchor at each error's docs_url, with a link to what it means", () => {
  const front = pages.get("/docs") ?? "";
  const ids = idsOf(front);
  for (const code of Object.keys(ERROR_CATALOGUE)) {
    expect(ids).toContain(code);
    expect(front).toContain(`href="/docs/reference/errors#${code}"`);
  }
});

test("the server's own address stands in the samples, and its own path before that of the pages", async () => {
  expect(pages.get("/docs/reference/messages.send")).toContain("http://letterslot.test/api/v1/");
  expect(pages.get("/docs/reference/messages.send")).not.toContain("localhost:8025");
  const below = await serve({ config: { baseUrl: "https://app.example/mail" } });
  const html = await (await fetch(`${below.base_url}/docs/reference/messages.send`)).text();
  expect(html).toContain("https://app.example/mail/api/v1/");
  expect(html).toContain('href="/mail/docs/reference/operations');
  expect(html).not.toMatch(/(?:href|src)="\/docs\//);
  await below.close();
});

test("files are compressed for those who take it, and not sent again while they are the same", async () => {
  const url = `${served.base_url}/docs/reference/errors`;
  const packed = await fetch(url, { headers: { "accept-encoding": "gzip" } });
  expect(packed.headers.get("content-encoding")).toBe("gzip");
  const plain = await fetch(url, { headers: { "accept-encoding": "identity" } });
  expect(plain.headers.get("content-encoding")).toBeNull();
  expect(await plain.text()).toBe(await packed.text());
  const etag = packed.headers.get("etag") ?? "";
  const again = await fetch(url, { headers: { "if-none-match": etag } });
  expect([again.status, await again.text()]).toEqual([304, ""]);
  const [, script = ""] = / src="([^"]+)"/.exec(pages.get("/docs") ?? "") ?? [];
  const asset = await fetch(`${served.base_url}${script}`);
  expect(asset.headers.get("cache-control")).toContain("immutable");
});

describe.each(LOOKS)("on a screen like %s", (name, look) => {
  let page: Page;
  beforeAll(async () => {
    page = await browser.open("about:blank", look);
  }, 60_000);

  test.each(casesOf(name === "phone" ? KINDS : LAYOUTS, KINDS))(
    "%s fits, breaks no rule of its policy, and axe finds nothing",
    async (address) => {
      const [asked, said]: [string[], string[]] = [[], []];
      page.on("request", (request) => asked.push(request.url()));
      page.on("console", (message) => said.push(message.text()));
      await page.goto(`${served.base_url}${address}`, { waitUntil: "networkidle" });
      expect(asked.filter((url) => !url.startsWith(served.base_url) && !url.startsWith("data:"))).toEqual([]);
      expect(said).toEqual([]);
      expect(
        await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"),
      ).toBe(0);
      expect(await findAxeViolations(page)).toEqual([]);
      await browser.screenshot(page, `docs-${name}${address.replaceAll("/", "-")}`);
      page.removeAllListeners();
    },
  );
});

describe("the search, without a network once it is open,", () => {
  let page: Page;
  beforeAll(async () => {
    page = await browser.open(`${served.base_url}/docs`, { desk: true });
    await page.locator("#local-search button").click();
    await page.locator(".VPLocalSearchBox input").waitFor();
    await page.waitForLoadState("networkidle");
    await page.context().setOffline(true);
  });
  afterAll(() => page?.context().close());

  test.each([
    ["otp", "One-time codes"],
    ["docker", "Deploying"],
    ["python", "OpenAPI"],
    ["webhook", "Webhooks"],
    ["messages.send", "Send a message"],
    ["rate_limited", "rate_limited"],
  ])("finds for %s %s", async (words, expected) => {
    await page.locator(".VPLocalSearchBox input").fill(words);
    const first = async () =>
      (await page.locator(".VPLocalSearchBox .result").allTextContents()).slice(0, 3).join("\n");
    await expect.poll(first).toContain(expected);
  });
});

test("a link to an error leads to it below the bar, and without scripts all is there to read", async () => {
  const page = await browser.open(`${served.base_url}/docs#rate_limited`);
  const entry = page.locator("#rate_limited");
  await expect.poll(async () => (await entry.boundingBox())?.y ?? -1).toBeGreaterThan(40);
  expect((await entry.boundingBox())?.y).toBeLessThan(page.viewportSize()?.height ?? 0);
  const context = await browser.browser.newContext({ javaScriptEnabled: false });
  const plain = await context.newPage();
  await plain.goto(`${served.base_url}/docs/reference/messages.send`);
  expect(await plain.locator("main").textContent()).toContain("curl -X POST");
  await context.close();
});
