import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findAxeViolations } from "./support/axe.ts";
import { capturedCode, openAccount, signInToConnect } from "./support/consent.ts";
import { startExample } from "./support/example-program.ts";
import { freePort } from "./support/free-port.ts";
import { type Look, type PhoneBrowser, startPhoneBrowser } from "./support/phone-browser.ts";
import { createServerHome, type ServerHome, type ServerProcess } from "./support/server-process.ts";

const GRACE = "grace@example.com";
const EXAMPLE = join(import.meta.dirname, "../examples/oauth-app");
const LOOKS: [string, Look][] = [
  ["phone", {}],
  ["phone-dark", { dark: true }],
  ["desk", { desk: true }],
];

let home: ServerHome;
let server: ServerProcess;
let browser: PhoneBrowser;
let app: ReturnType<typeof startExample>;
let app_url: string;

const codeFor = (email: string) => capturedCode(home.data_dir, email);

beforeAll(async () => {
  home = await createServerHome();
  [server, browser] = await Promise.all([home.start(), startPhoneBrowser()]);
  const port = await freePort();
  app = startExample(EXAMPLE, { LETTERSLOT_URL: home.base_url, PORT: String(port) });
  app_url = /http:\/\/\S+/.exec(await app.line())?.[0] ?? "";
}, 180_000);

afterAll(async () => {
  await app?.kill();
  await Promise.all([server?.end("SIGTERM"), browser?.close()]);
  home?.remove();
});

/** The grants that the browser's session sees. */
const grantsOf = async (page: Page) =>
  (await (await page.request.get(`${home.base_url}/api/v1/oauth/grants`)).json()) as {
    data: { client_name: string; scope: string; resource: string }[];
  };

test("a newcomer connects an app to a new account without an API key, sees it, and disconnects it within a second", async () => {
  const page = await browser.open(app_url);
  await page.getByRole("link", { name: "Connect an inbox" }).click();
  await signInToConnect(page, GRACE, codeFor);
  await openAccount(page, "ada");

  const said = await page.textContent("main");
  expect(said).toContain("calls itself “Newest mail”");
  expect(said).toContain("a program on this computer");
  expect(await page.getByLabel("It may use").locator("option").allTextContents()).toEqual([
    "ada@letterslot.localhost",
    "The whole account: ada@letterslot.localhost, and what is created later",
  ]);
  await page.getByLabel("See the inbox's address, name and settings").waitFor();
  await page.getByRole("button", { name: "Allow", exact: true }).click();
  await page.waitForURL(`${app_url}/`);
  expect(await page.textContent("body")).toBe("ada@letterslot.localhost: no mail yet");
  expect((await grantsOf(page)).data).toMatchObject([
    {
      client_name: "Newest mail",
      scope: "inbox_read message_read",
      resource: `${home.base_url}/api/v1`,
    },
  ]);

  const own = await page.context().newPage();
  await own.goto(`${home.base_url}/api/v1/owners/sign-in`);
  expect(await findAxeViolations(own)).toEqual([]);
  await browser.screenshot(own, "oauth/connected-apps");
  await own.getByRole("button", { name: "Disconnect" }).click();
  await own.getByRole("button", { name: "Disconnect" }).waitFor({ state: "detached" });
  const disconnected = performance.now();
  await page.reload();
  expect(await page.textContent("body")).toBe("No longer connected.");
  expect(performance.now() - disconnected).toBeLessThan(1_000);
  expect((await grantsOf(page)).data).toEqual([]);
  await page.context().close();
}, 120_000);

test("each page fits a phone and a desktop in light and dark mode, needs no script, and axe finds nothing", async () => {
  const page = await browser.open(`${app_url}/connect`);
  const check = async (name: string) => {
    expect(await page.locator("script").count()).toBe(0);
    for (const [look, { dark = false, desk = false }] of LOOKS) {
      await page.emulateMedia({ colorScheme: dark ? "dark" : "light" });
      await page.setViewportSize(desk ? { width: 1280, height: 800 } : { width: 390, height: 844 });
      await browser.screenshot(page, `oauth/${name}-${look}`);
      expect(await findAxeViolations(page), `${name} ${look}`).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")).toBe(true);
    }
  };
  await check("sign-in");
  await signInToConnect(page, "heidi@example.org", codeFor);
  await page.getByRole("heading", { name: "Open an account" }).waitFor();
  await check("open-account");
  await page.getByLabel("Address").fill("support");
  await page.getByRole("button", { name: "Open the account" }).click();
  await page.getByRole("alert").waitFor();
  await check("open-account-refused");
  await openAccount(page, "bea");
  await check("consent");
  await page.goto(`${home.base_url}/oauth/code?code=abc-DEF_123~4`);
  await page.getByText("abc-DEF_123~4").waitFor();
  await check("code");
  await page.context().close();
}, 120_000);

test("an app is told when a person doesn't allow it, and gets nothing", async () => {
  const page = await browser.open(`${app_url}/connect`);
  await page.getByRole("button", { name: "Don't allow" }).click();
  await page.waitForURL(/\/callback\?/);
  expect(await page.textContent("body")).toBe("You did not allow it.");
  await page.context().close();
}, 120_000);
