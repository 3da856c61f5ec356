import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page, Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Served, serve } from "../packages/server/testing/serve.ts";
import { casesOf } from "./support/case-count.ts";
import { HOSTILE_HTML } from "./support/hostile-html.ts";
import { type PhoneBrowser, startPhoneBrowser } from "./support/phone-browser.ts";
import { signInOverWire } from "./support/sign-in-over-wire.ts";

/** Proves in a real browser that a mail which a person looks at runs nothing, asks for nothing and leads nowhere. */
let served: Served;
let client: ReturnType<Served["client"]>;
let inbox_id: string;
let account: { account_id: string; email: string };
let browser: PhoneBrowser;
let trap: Server;
let trap_url: string;
const trapped: string[] = [];
/** An address that the test itself answers. */
const HERE = "http://view.test";
const PLAIN = { "content-type": "text/html;charset=utf-8" };
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
  account = { account_id: opened.account_id, email: opened.inbox.email };
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

const KINDS = Object.keys(HOSTILE_HTML);
const PAYLOADS = Object.entries(HOSTILE_HTML).flatMap(([kind, payloads]) =>
  payloads.map((html) => ({ kind, html })),
);

/** A third of them in the gate, for each defence alone: both together stop all. */
const sampled = <T>(cases: readonly T[]): T[] => cases.filter((_, index) => casesOf(index % 3 === 0, true));

/** What a payload does says which one it is, and in which test. */
const armed = (name: string): string[] =>
  PAYLOADS.map(({ html }, index) =>
    html.replaceAll("TRAP", `${trap_url}/${name}/${index}`).replaceAll("alert(1)", `alert(${index})`),
  );
/** What the payloads of a test asked for. */
const askedIn = (name: string): string[] => trapped.filter((path) => path.startsWith(`/${name}/`));

interface Watched {
  page: Page;
  /** What happened: dialogs, requests for more than was opened, pages that opened, and what the console complained of. */
  happened: string[];
  close(): Promise<void>;
}

/** Shows all payloads at once: browsers leave frames that nobody sees half done. */
const SCREEN = { width: 1600, height: 2400 };

/** A page that is watched; `expected` are the addresses that it may ask for. */
async function watch(expected: ReadonlySet<string>): Promise<Watched> {
  const context = await browser.browser.newContext({ viewport: SCREEN });
  const page = await context.newPage();
  const happened: string[] = [];
  page.on("dialog", (dialog) => {
    happened.push(`dialog ${dialog.message()}`);
    // The page may be closed by then.
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

const framed = (urls: readonly string[]): string =>
  urls.map((url) => `<iframe src="${url}" width="150" height="60"></iframe>`).join("");

/** Shows the payloads, at these addresses, in frames of one page, presses in each what wants to be pressed, and says how many it could. */
async function lookAt(
  page: Page,
  from: string,
  urls: readonly string[],
  payloads: readonly { html: string }[] = PAYLOADS,
): Promise<number> {
  await page.goto(from);
  await page.setContent(framed(urls), { timeout: TIMEOUT });
  let pressed = 0;
  for (const [index, { html }] of payloads.entries()) {
    if (!html.includes("id=go")) continue;
    const go = page.locator("iframe").nth(index).contentFrame().locator("#go").first();
    // What isn't there, or has no place on the page, can't be pressed.
    if (!(await go.isVisible().catch(() => false))) continue;
    const click = go.click({ timeout: 1_000, force: true });
    pressed += await click.then(
      () => 1,
      () => 0,
    );
  }
  await page.waitForTimeout(300);
  return pressed;
}

describe("mail that tries to run, to ask for something or to lead away", () => {
  let views: { url: string; headers: Record<string, string>; body: string }[];
  beforeAll(async () => {
    views = await Promise.all(
      armed("view").map(async (html) => {
        const url = await viewOf(html);
        const answer = await fetch(url);
        return { url, headers: Object.fromEntries(answer.headers), body: await answer.text() };
      }),
    );
  }, TIMEOUT);

  test("does nothing in a view", { timeout: TIMEOUT }, async () => {
    const urls = views.map(({ url }) => url);
    const from = `${served.base_url}/healthz`;
    const { page, happened, close } = await watch(new Set([from, ...urls]));
    expect(await lookAt(page, from, urls)).toBeGreaterThan(0);
    expect(happened).toEqual([]);
    expect(page.url()).toBe(from);
    expect(page.frames().map((frame) => frame.url().replace(/#$/, ""))).toEqual([from, ...urls]);
    await close();
    expect(askedIn("view")).toEqual([]);
  });

  test("runs nothing under the policy alone", { timeout: TIMEOUT }, async () => {
    const bodies = sampled(armed("policy"));
    const { page, happened, urls } = await watchHere(
      sampled(views).map(({ headers }, index) => ({ headers, body: bodies[index] ?? "" })),
    );
    expect(await lookAt(page, `${HERE}/`, urls, sampled(PAYLOADS))).toBeGreaterThan(0);
    // The policy lets a link open a page, and says on the console what it stops.
    expect(happened.filter((each) => each.startsWith("dialog"))).toEqual([]);
    expect(page.url()).toBe(`${HERE}/`);
    await page.context().close();
  });

  test("does nothing as it is written, without the policy", { timeout: TIMEOUT }, async () => {
    const { page, happened, urls } = await watchHere(
      sampled(views).map(({ body }) => ({ headers: PLAIN, body })),
    );
    expect(await lookAt(page, `${HERE}/`, urls, sampled(PAYLOADS))).toBeGreaterThan(0);
    expect(happened.filter((each) => !each.startsWith("console"))).toEqual([]);
    expect(page.url()).toBe(`${HERE}/`);
    await page.context().close();
    expect(askedIn("view")).toEqual([]);
  });

  test.each(KINDS)("does what it tries without both: %s", { timeout: TIMEOUT }, async (kind) => {
    const name = `without-${KINDS.indexOf(kind)}`;
    const of_kind = armed(name).filter((_html, index) => PAYLOADS[index]?.kind === kind);
    const { page, happened, urls } = await watchHere(of_kind.map((body) => ({ headers: PLAIN, body })));
    await page.goto(`${HERE}/`);
    await page.setContent(framed(urls), { timeout: TIMEOUT });
    const acted = () => askedIn(name).length + happened.filter((each) => !each.startsWith("console")).length;
    await expect.poll(acted, { timeout: TIMEOUT / 2, interval: 20 }).toBeGreaterThan(0);
    await page.context().close();
  });
});

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describe("a mail that a person looks at", () => {
  test("opens links in pages of their own, which learn nothing; suspicious mail opens none", async () => {
    const html = `<a href="${trap_url}/linked/">go</a><br><a href="#end">end</a><p id="end">The end`;
    const { id } = await client.messages.inject({ inbox_id, from: "bob@example.org", html });
    const view = async () => {
      const { url } = await client.messages.view({ inbox_id, message_id: id });
      return served.base_url + new URL(url).pathname;
    };
    const context = await browser.browser.newContext();
    const page = await context.newPage();
    await page.goto(await view());
    const [opened, request] = await Promise.all([
      context.waitForEvent("page"),
      context.waitForEvent("request", (each) => each.url().endsWith("/linked/")),
      page.getByText("go").click(),
    ]);
    await opened.waitForLoadState();
    expect(await opened.evaluate("[window.opener, document.referrer]")).toEqual([null, ""]);
    expect(await request.allHeaders()).not.toHaveProperty("referer");
    await page.getByText("end", { exact: true }).click();
    expect([page.url().split("#")[1], context.pages().length]).toEqual(["end", 2]);

    await served.letterslot.services.storage.update("messages", { id }, { labels: ["suspicious", "unread"] });
    await page.goto(await view());
    const asked = askedIn("linked").length;
    await page.getByText("go").click();
    await page.waitForTimeout(200);
    expect([context.pages().length, askedIn("linked").length]).toEqual([2, asked]);
    await context.close();
  });

  test("is framed by pages of this server alone", async () => {
    const url = await viewOf("<p>Hello</p>");
    const page = await browser.browser.newPage();
    await page.route(`${HERE}/`, (route) => route.fulfill({ body: "", contentType: "text/html" }));
    for (const [from, shown] of [
      [`${HERE}/`, false],
      [`${served.base_url}/healthz`, true],
    ] as const) {
      await page.goto(from);
      await page.setContent(`<iframe src="${url}"></iframe>`);
      const text = await page.frames()[1]?.locator("body").innerText();
      expect([from, text?.trim() === "Hello"]).toEqual([from, shown]);
    }
    await page.close();
  });

  test("shows remote images by a second click of a signed-in person, and asks no server itself", async () => {
    const email = "grace@example.com";
    await served.letterslot.operator.accounts.authority.give({ account_id: account.account_id, email });
    served.receivers.documents.set("https://pics.example/a.png", Buffer.from(PNG, "base64"));
    const html = `<img src="http://pics.example/a.png"><p style="background: url(https://pics.example/a.png)">Plans`;
    const report = await served.receive({ from: "bob@example.org", to: account.email, html });
    const path = `/api/v1/inboxes/${inbox_id}/messages/${report.results[0]?.message_id}/view`;
    const from = `${served.base_url}/healthz`;
    const { page, happened, close } = await watch(new Set([from, served.base_url + path]));
    const [name = "", value = ""] = ((await signInOverWire(served, email))["cookie"] ?? "").split("=");
    await page.context().addCookies([{ name, value, url: served.base_url }]);
    await page.goto(from);
    const look = async (images: string) => {
      const body = JSON.stringify({ images });
      const made = await page.evaluate<{ url: string; remote_images: number }>(
        `fetch(${JSON.stringify(path)}, {method: "POST", headers: {"content-type": "application/json"}, body: ${JSON.stringify(body)}}).then((answer) => answer.json())`,
      );
      await page.goto(from);
      const url = served.base_url + new URL(made.url).pathname;
      await page.setContent(`<iframe src="${url}"></iframe>`);
      const frame = page.frames()[1];
      await frame?.waitForLoadState();
      expect(happened.splice(0)).toEqual([`request ${url}`]);
      const seen = await frame?.evaluate(
        "[document.images[0].naturalWidth, getComputedStyle(document.querySelector('p')).backgroundImage.slice(0, 15)]",
      );
      return [made.remote_images, seen];
    };
    expect(await look("none")).toEqual([1, [0, "none"]]);
    expect(served.receivers.fetched).toEqual([]);
    expect(await look("remote")).toEqual([0, [1, 'url("data:image']]);
    expect(served.receivers.fetched).toEqual(["https://pics.example/a.png"]);
    await close();
  });

  test.each<[string, string]>([
    ["deep", `${"<div>".repeat(100_000)}The end`],
    ["deep tables", `${"<table><tr><td>".repeat(30_000)}The end`],
    ["long", `${"<p style='color:red'>Words and <b>more</b> of them.</p>".repeat(15_000)}The end`],
    [
      "full of formatting",
      `${Array.from({ length: 9_000 }, (_, each) => `<font size=${each}><p>a</p>`).join("")}The end`,
    ],
    [
      "full of formatting that goes on",
      `${Array.from({ length: 9_000 }, (_, each) => `<p><font size=${each}>a</p>`).join("")}The end`,
    ],
    [
      "full of attributes",
      `<p ${Array.from({ length: 50_000 }, (_, each) => `data-a${each}=1`).join(" ")}>The end`,
    ],
    [
      "full of selectors",
      `<style>${"a b > c ~ d + e:not(f) { color: red }".repeat(20_000)}</style><p>The end`,
    ],
  ])("is shown when it is %s", { timeout: TIMEOUT }, async (_what, html) => {
    const page = await browser.browser.newPage();
    await page.goto(await viewOf(html), { timeout: TIMEOUT });
    expect((await page.locator("body").innerText()).trimEnd().endsWith("The end")).toBe(true);
    await page.close();
  });

  test("looks as its author laid it out, and a text is easy to read", async () => {
    const html = `<html><head><style>h1{color:#0b5}.box{border:1px solid #ccc;padding:16px;border-radius:8px}@media(max-width:500px){.box{background:#eef}}</style></head>
<body><table align="center" width="100%" style="max-width:560px"><tr><td><h1>Your order is on its way</h1><div class="box"><p>Paper, 500 sheets</p><p><b>Total: 12.90</b></p></div>
<p><a href="https://shop.example/orders/1" style="display:inline-block;background:#0b5;color:#fff;padding:10px 18px;border-radius:6px;text-decoration:none">See the order</a></p>
<p><img src="https://shop.example/logo.png" alt="Shop's logo" width="120" height="40"></p></td></tr></table></body></html>`;
    const text = `Hello Grace,\n\nThe paper comes on Tuesday. ${"It is the kind that you ordered last time. ".repeat(6)}\n\n> When does it come?\n> Grace\n\nBob`;
    const { id } = await client.messages.inject({
      inbox_id,
      from: "bob@example.org",
      subject: "Order",
      text,
    });
    const { url } = await client.messages.view({ inbox_id, message_id: id });
    const pages = { html: await viewOf(html), text: served.base_url + new URL(url).pathname };
    for (const [name, address] of Object.entries(pages))
      for (const look of [{}, { desk: true, dark: true }]) {
        const page = await browser.open(address, look);
        const wide = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
        expect([name, wide]).toEqual([name, 0]);
        await browser.screenshot(page, `message-view-${name}-${"desk" in look ? "desk-dark" : "phone"}`);
        await page.context().close();
      }
  });
});

/** A watched page at an address where the test itself answers, and the addresses of these answers. */
async function watchHere(answers: readonly { headers: Record<string, string>; body: string }[]) {
  const urls = answers.map((_answer, index) => `${HERE}/${index}`);
  const watched = await watch(new Set([`${HERE}/`, ...urls]));
  await watched.page.route(`${HERE}/**`, (route) => {
    const url = route.request().url();
    if (url === `${HERE}/`) return route.fulfill({ body: "", contentType: "text/html" });
    const answer = answers[urls.indexOf(url)];
    return answer === undefined ? route.abort() : route.fulfill(answer);
  });
  return { ...watched, urls };
}
