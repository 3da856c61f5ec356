import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";
import { createCaptureTransport } from "../packages/adapter-smtp/src/index.ts";
import { type Served, serve } from "../packages/server/testing/serve.ts";
import { findAxeViolations } from "./support/axe.ts";
import { type PhoneBrowser, startPhoneBrowser } from "./support/phone-browser.ts";

const EMAIL = "grace.of.the.long.address@department.of.shopping.example.com";
const PHONE_WIDTH = 390;

let folder: string;
let served: Served;
let browser: PhoneBrowser;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "letterslot-outbox-"));
  const transport = createCaptureTransport({ directory: folder });
  [served, browser] = await Promise.all([
    serve({ capturedMail: transport, config: { transport } }),
    startPhoneBrowser(),
  ]);
  await served.client().accounts.onboard({ username: "ada", owner_email: EMAIL });
  await served.work();
}, 180_000);

afterAll(async () => {
  await Promise.all([served?.close(), browser?.close()]);
  rmSync(folder, { recursive: true, force: true });
});

test("on a phone, a captured letter is found, and shown with its head and as its reader sees it", async () => {
  const page = await browser.open(`${served.base_url}/outbox`);
  const width = () => page.evaluate("document.documentElement.scrollWidth");
  expect(await width()).toBe(PHONE_WIDTH);
  expect(await page.textContent("dl")).toContain(`To ${EMAIL}`);
  expect(await findAxeViolations(page)).toEqual([]);
  await browser.screenshot(page, "outbox");

  await page.click("dl a");
  expect(await width()).toBe(PHONE_WIDTH);
  const rows = await page.$$eval("tr", (all) => all.map((row) => row.textContent));
  expect(rows).toEqual([
    expect.stringMatching(/^From.*@letterslot\.localhost>?$/),
    `To${EMAIL}`,
    expect.stringMatching(/^Date2026-01-01 \d\d:\d\d UTC$/),
  ]);
  const letter = await page.frameLocator("iframe").locator("body").textContent();
  expect(letter).toMatch(/\b\d{6}\b/);
  // The text below has the link, as one that can be opened.
  expect(await page.getAttribute("pre a", "href")).toContain("/api/v1/owners/confirm?token=");
  expect(await findAxeViolations(page)).toEqual([]);
  await browser.screenshot(page, "outbox-letter");
  await page.context().close();
});
