import { routes } from "@letterslot/client/routes";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { VARIABLES } from "../packages/server/src/process/variables.ts";
import { type Served, serve } from "../packages/server/testing/serve.ts";
import { findAxeViolations, findColourViolations } from "./support/axe.ts";
import { type Look, type PhoneBrowser, startPhoneBrowser } from "./support/phone-browser.ts";

const LOOKS: [string, Look][] = [
  ["phone", {}],
  ["phone-dark", { dark: true }],
  ["desk", { desk: true }],
];
const SETTINGS = Object.entries(VARIABLES).map(([name, variable]) => ({ name, ...variable }));

let served: Served;
let browser: PhoneBrowser;
/** Tests that only read the documentation share these two pages, as a browser takes long to open one. */
let phone: Page;
let desk: Page;
beforeAll(async () => {
  [served, browser] = await Promise.all([serve({ settings: SETTINGS }), startPhoneBrowser()]);
  phone = await browser.open("about:blank");
  desk = await browser.open("about:blank", { desk: true });
}, 180_000);
afterAll(async () => {
  await Promise.all([served?.close(), browser?.close()]);
});

/** Loads the documentation anew. */
async function load(page: Page, hash = ""): Promise<Page> {
  await page.goto("about:blank");
  await page.goto(`${served.base_url}/docs${hash}`);
  return page;
}
const shownEntries = (page: Page) =>
  page.locator(".entry:visible").evaluateAll((entries) => entries.map(({ id }) => id));

describe.each(LOOKS)("on a screen like %s", (_name, look) => {
  let page: Page;
  beforeAll(async () => {
    page = look.desk ? desk : phone;
    await page.emulateMedia({ colorScheme: look.dark ? "dark" : "light" });
    await load(page, "#messages.send");
  });

  test("nothing is wider than the screen, opened or not", async () => {
    await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true");
    const content = await page.evaluate("document.documentElement.scrollWidth");
    const screen = await page.evaluate("document.documentElement.clientWidth");
    expect(content).toBe(screen);
  });

  test("a link to an operation leads to it, below the search", async () => {
    const heading = await page.locator("#messages\\.send h3").boundingBox();
    const header = await page.locator("header").boundingBox();
    const height = page.viewportSize()?.height ?? 0;
    expect(heading?.y).toBeGreaterThanOrEqual(header?.height ?? Number.NaN);
    expect(heading?.y).toBeLessThan(height);
  });

  test("axe finds nothing in what a search shows: operations, an event and an error", async () => {
    await page.fill("#search", "loop_stopped");
    expect(await shownEntries(page)).toEqual(
      expect.arrayContaining(["messages.send", "event-thread.loop_stopped", "loop_stopped"]),
    );
    // Dark mode has other colours, and differs in nothing else.
    expect(await (look.dark ? findColourViolations : findAxeViolations)(page)).toEqual([]);
  });
});

describe("the search", () => {
  let page: Page;
  beforeAll(async () => {
    page = await load(phone);
  });

  test.each([
    ["messages.waitForCode", ["messages.waitForCode"]],
    ["THREADS.SEARCH", ["threads.search"]],
    ["setting-SMTP_CERT pem", ["setting-SMTP_CERT"]],
    ["no such words anywhere", []],
  ])("for %s shows %j first, and nothing that lacks a word", async (words, expected) => {
    await page.fill("#search", words);
    const shown = await shownEntries(page);
    expect(shown.slice(0, expected.length)).toEqual(expected);
    await expect.poll(() => page.locator("#found").textContent()).toBe(`${shown.length} found`);
    const texts = await page
      .locator(".entry:visible")
      .evaluateAll((entries) => entries.map((entry) => `${entry.id} ${entry.textContent}`.toLowerCase()));
    for (const text of texts) for (const word of words.toLowerCase().split(" ")) expect(text).toContain(word);
  });

  test("names what has the words in its name before all else", async () => {
    await page.evaluate("scrollTo(0, 5_000)");
    await page.fill("#search", "send");
    expect(await page.evaluate("scrollY")).toBe(0);
    const names = await page.locator("#results a").allTextContents();
    expect(names.length).toBe(10);
    expect(names.slice(0, 2)).toEqual(["messages.send", "drafts.send"]);
    await page.locator("#results a").nth(1).click();
    expect(await page.evaluate("location.hash")).toBe("#drafts.send");
    await page.fill("#search", "");
    expect(await page.locator("#results a").count()).toBe(0);
  });

  test("finds an operation by the words of its fields", async () => {
    await page.fill("#search", "sender was authenticated domain below");
    expect(await shownEntries(page)).toContain("messages.waitForCode");
  });

  test("begins with the key / and ends with Escape, and a link to what it hid shows that", async () => {
    await page.fill("#search", "messages.waitForCode");
    await page.locator("#search").blur();
    await page.keyboard.press("/");
    expect(await page.evaluate("document.activeElement.id")).toBe("search");
    await page.evaluate("location.hash = '#keys.list'");
    await expect.poll(() => page.locator("#keys\\.list").isVisible()).toBe(true);
    await page.fill("#search", "messages.waitForCode");
    await page.locator("#search").press("Escape");
    expect((await shownEntries(page)).length).toBeGreaterThan(Object.keys(routes).length);
  });
});

test("it asks for nothing but itself, breaks no rule of its policy, and searches without a network", async () => {
  const page = await browser.open(`${served.base_url}/docs`);
  const asked: string[] = [];
  const said: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  page.on("console", (message) => said.push(message.text()));
  await page.reload();
  await page.context().setOffline(true);
  await page.fill("#search", "webhooks.create");
  expect((await shownEntries(page))[0]).toBe("webhooks.create");
  expect({ asked, said }).toEqual({ asked: [`${served.base_url}/docs`], said: [] });
});

test("without scripts it shows everything, and no search that does nothing", async () => {
  const context = await browser.browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${served.base_url}/docs`);
  expect(await page.locator(".entry").count()).toBe(await page.locator(".entry:visible").count());
  expect(await page.locator("#search").isVisible()).toBe(false);
});

describe("each operation", () => {
  let page: Page;
  beforeAll(async () => {
    page = await load(desk);
  });

  test("shows what it takes, what it answers, its errors, and how curl and the client call it", async () => {
    const shown = await page.locator(".entry").evaluateAll((entries) =>
      entries.map((entry) => ({
        id: entry.id,
        titles: [...entry.querySelectorAll("h4")].map(({ textContent }) => textContent),
        text: entry.textContent,
      })),
    );
    for (const name of Object.keys(routes)) {
      const { titles, text } = shown.find(({ id }) => id === name) ?? {};
      expect(titles, name).toEqual(expect.arrayContaining(["Answer", "curl", "Client"]));
      expect(text, name).toContain(`client.${name}(`);
    }
    expect(await page.locator('[id="messages.send"] h4').allTextContents()).toEqual([
      ...["Request", "Answer", "Errors"],
      ...["curl", "Client"],
    ]);
  });

  test("has links that all lead somewhere", async () => {
    const links = page.locator('main a[href^="#"]');
    const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
    const ids = await page.locator("[id]").evaluateAll((elements) => elements.map(({ id }) => `#${id}`));
    const lost = hrefs.filter((href) => !ids.includes(href));
    expect([...new Set(lost)]).toEqual([]);
  });

  test("has a call for curl that the server understands", async () => {
    const command = await page.locator('[id="accounts.onboard"] pre:has-text("curl")').textContent();
    const [, url = "", body = ""] = /(http\S+).* -d '(.*)'/s.exec(command ?? "") ?? [];
    const headers = { "content-type": "application/json" };
    const answer = await fetch(url.replace("http://letterslot.test", served.base_url), {
      ...{ method: "POST", headers, body },
    });
    expect(answer.status).toBe(200);
  });
});

test("the settings of the process are listed with what they take and their defaults", async () => {
  const page = await load(desk, "#settings");
  const listed = await page
    .locator("[id^=setting-]")
    .evaluateAll((entries) => entries.map(({ id, textContent }) => ({ id, textContent })));
  for (const { name, meaning } of SETTINGS) {
    const shown = listed.filter(({ id }) => id === `setting-${name}`);
    expect(shown, name).toEqual([{ id: `setting-${name}`, textContent: expect.stringContaining(meaning) }]);
  }
});
