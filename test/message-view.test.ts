import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page, Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Served, serve } from "../packages/server/testing/serve.ts";
import { HOSTILE_HTML } from "./support/hostile-html.ts";
import { type PhoneBrowser, startPhoneBrowser } from "./support/phone-browser.ts";

/** Proves in a real browser that a mail which a person looks at runs nothing, asks for nothing and leads nowhere. */
let served: Served;
let client: ReturnType<Served["client"]>;
let inbox_id: string;
let browser: PhoneBrowser;
let trap: Server;
let trap_url: string;
const trapped: string[] = [];
/** An address that the test itself answers. */
const HERE = "http://view.test";
const TIMEOUT = 120_000;

beforeAll(async () => {
  trap = createServer((request, response) => {
    trapped.push(request.url ?? "");
    response.setHeader("access-control-allow-origin", "*").end("alert('trap')");
  });
  await new Promise<void>((resolve) => trap.listen(0, "127.0.0.1", resolve));
  trap_url = `http://127.0.0.1:${(trap.address() as AddressInfo).port}`;
  served = await serve();
  const opened = await served.client().accounts.onboard({ username: "ada" });
  client = served.client(opened.api_key);
  inbox_id = opened.inbox.id;
  browser = await startPhoneBrowser();
}, TIMEOUT);
afterAll(async () => {
  await browser?.close();
  await served?.close();
  trap?.close();
});

const viewOf = async (html: string): Promise<string> => {
  const { id } = await client.messages.inject({ inbox_id, from: "bob@example.org", subject: "Plans", html });
  const { url } = await client.messages.view({ inbox_id, message_id: id });
  return served.base_url + new URL(url).pathname;
};

/** What a payload does says which one it is. */
const armed = (payloads: readonly string[]): string[] =>
  payloads.map((html, index) =>
    html.replaceAll("TRAP", `${trap_url}/${index}`).replaceAll("alert(1)", `alert(${index})`),
  );

interface Watched {
  page: Page;
  /** What happened: dialogs, requests for more than was opened, pages that opened, and what the console complained of. */
  happened: string[];
  close(): Promise<void>;
}

/** A page that is watched; `expected` are the addresses that it may ask for. */
async function watch(expected: ReadonlySet<string>): Promise<Watched> {
  const context = await browser.browser.newContext({ viewport: { width: 800, height: 600 } });
  const page = await context.newPage();
  const happened: string[] = [];
  page.on("dialog", (dialog) => {
    happened.push(`dialog ${dialog.message()}`);
    void dialog.dismiss().catch(() => undefined);
  });
  context.on("request", (request: Request) => {
    if (!request.url().startsWith("data:") && !expected.has(request.url()))
      happened.push(`request ${request.url()}`);
  });
  context.on("page", (opened) => void happened.push(`opened ${opened.url()}`));
  page.on("console", (message) => {
    if (message.type() === "error") happened.push(`console ${message.text()}`);
  });
  return { page, happened, close: () => context.close() };
}

/** Shows addresses in frames of one page, and presses in each what wants to be pressed. */
async function lookAt(page: Page, from: string, urls: readonly string[]): Promise<void> {
  await page.goto(from);
  await page.setContent(urls.map((url) => `<iframe src="${url}" width="300" height="80"></iframe>`).join(""));
  for (const frame of page.frames().slice(1)) {
    const go = frame.locator("#go").first();
    const is_there = (await go.count().catch(() => 0)) > 0;
    if (is_there) await go.click({ timeout: 1_000, force: true }).catch(() => undefined);
  }
  await page.waitForTimeout(200);
}

describe.each(Object.entries(HOSTILE_HTML))("%s", (_what, payloads) => {
  test("do nothing in a view", { timeout: TIMEOUT }, async () => {
    const urls = await Promise.all(armed(payloads).map(viewOf));
    const from = `${served.base_url}/healthz`;
    const { page, happened, close } = await watch(new Set([from, ...urls]));
    await lookAt(page, from, urls);
    expect(happened).toEqual([]);
    expect(page.url()).toBe(from);
    expect(page.frames().map((frame) => frame.url().replace(/#$/, ""))).toEqual([from, ...urls]);
    await close();
    expect(trapped.splice(0)).toEqual([]);
  });

  test.each([
    ["the policy alone", true, false],
    ["what is written alone", false, true],
  ])("are stopped by %s", { timeout: TIMEOUT }, async (_layer, policy, written) => {
    const answers = await Promise.all(
      armed(payloads).map(async (html) => {
        const answer = await fetch(await viewOf(html));
        const headers = policy
          ? Object.fromEntries(answer.headers)
          : { "content-type": "text/html;charset=utf-8" };
        return { headers, body: written ? await answer.text() : html };
      }),
    );
    const { page, happened } = await openHere(answers);
    // The policy lets a link open a page, and says on the console what it stops.
    const done = happened.filter((each) => !each.startsWith("console"));
    if (written) expect(done).toEqual([]);
    expect(done.filter((each) => each.startsWith("dialog"))).toEqual([]);
    expect(page.url()).toBe(`${HERE}/`);
    await page.context().close();
    const asked = trapped.splice(0);
    if (written) expect(asked).toEqual([]);
  });

  test("do what they try without both", { timeout: TIMEOUT }, async () => {
    const headers = { "content-type": "text/html;charset=utf-8" };
    const { page, happened } = await openHere(armed(payloads).map((body) => ({ headers, body })));
    await page.context().close();
    const asked = trapped.splice(0);
    expect(happened.length + asked.length).toBeGreaterThan(0);
  });
});

/** Shows pages that the test itself answers with, in frames. */
async function openHere(answers: readonly { headers: Record<string, string>; body: string }[]) {
  const urls = answers.map((_answer, index) => `${HERE}/${index}`);
  const watched = await watch(new Set([`${HERE}/`, ...urls]));
  await watched.page.route(`${HERE}/`, (route) => route.fulfill({ body: "", contentType: "text/html" }));
  for (const [index, answer] of answers.entries())
    await watched.page.route(`${HERE}/${index}`, (route) => route.fulfill(answer));
  await lookAt(watched.page, `${HERE}/`, urls);
  return watched;
}
