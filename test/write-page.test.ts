import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestAccount } from "../packages/core/testing/index.ts";
import { type Served, serve } from "../packages/server/testing/serve.ts";
import { findAxeViolations } from "./support/axe.ts";
import { codeOf, enterMailedCode } from "./support/enter-mailed-code.ts";
import { type PhoneBrowser, startPhoneBrowser } from "./support/phone-browser.ts";

const GRACE = "grace@example.com";

let served: Served;
let browser: PhoneBrowser;
let account: TestAccount;

beforeAll(async () => {
  [served, browser] = await Promise.all([serve(), startPhoneBrowser()]);
  account = await served.signUp("ada");
  await account.as.inboxes.update({ inbox_id: account.inbox.id, display_name: "Ada" });
  await served.addOwner(account, GRACE);
}, 180_000);
afterAll(async () => {
  await Promise.all([served?.close(), browser?.close()]);
});

async function signIn(dark: boolean): Promise<Page> {
  const page = await browser.open(`${served.base_url}/write`, { dark });
  expect(await findAxeViolations(page)).toEqual([]);
  await browser.screenshot(page, `write-sign-in-${dark ? "dark" : "light"}`);
  await enterMailedCode(page, GRACE, codeOf(served));
  await page.getByRole("heading", { name: "Write to your agent" }).waitFor();
  return page;
}

test.each([false, true])(
  "a person signs in and writes to their agent; in the dark: %s",
  async (dark) => {
    const theme = dark ? "dark" : "light";
    const page = await signIn(dark);
    expect(await findAxeViolations(page)).toEqual([]);
    const text = `Order <b>paper</b>, ${theme}.\nTwo boxes.`;
    await page.getByLabel("What should it do, or know?").fill(text);
    await browser.screenshot(page, `write-form-${theme}`);
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("heading", { name: "Your message was sent" }).waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    await browser.screenshot(page, `write-sent-${theme}`);
    const [task] = (await account.as.tasks.list({ limit: 1 })).data;
    expect(task).toMatchObject({ text, trusted: true, sender: GRACE });
    expect(task?.message_id).toMatch(/^msg_/);
    await page.getByRole("link", { name: "Write another message" }).click();
    await page.getByRole("button", { name: "Send" }).waitFor();
  },
  120_000,
);

test("sent twice by one form it is there once; what can't be sent now stays in the form", async () => {
  const page = await signIn(false);
  const count = async () => (await account.as.tasks.list({ limit: 200 })).data.length;
  const before = await count();
  const field = (name: string) => page.locator(`[name=${name}]`).inputValue();
  const [inbox, client_id] = [await field("inbox_id"), await field("client_id")];
  await page.getByLabel("What should it do, or know?").fill("Once.");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByRole("heading", { name: "Your message was sent" }).waitFor();
  const post = async (text: string, to = inbox) => {
    const answer = await page.request.post(`${served.base_url}/api/v1/owners/write`, {
      form: { email: GRACE, inbox_id: to, client_id, text },
      headers: { "sec-fetch-site": "same-origin" },
    });
    return [answer.status(), await answer.text()];
  };
  const sent = [200, expect.stringContaining("was sent")];
  expect(await post("Once.")).toEqual(sent);
  expect((await count()) - before).toBe(1);
  // As when the browser's way back shows the form again.
  for (let times = 0; times < 2; times++) expect(await post("Something else.")).toEqual(sent);
  expect((await count()) - before).toBe(2);
  expect(await post("To nobody.", "inb_other")).toEqual([200, expect.stringContaining('role="alert"')]);

  const inbox_id = account.inbox.id;
  await account.as.inboxes.update({ inbox_id, status: "paused" });
  await page.goto(`${served.base_url}/api/v1/owners/write`);
  await page.getByLabel("What should it do, or know?").fill("Later, then.");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByRole("alert").waitFor();
  expect(await page.getByLabel("What should it do, or know?").inputValue()).toBe("Later, then.");
  expect(await findAxeViolations(page)).toEqual([]);
  await browser.screenshot(page, "write-paused-light");
  await account.as.inboxes.update({ inbox_id, status: "active" });
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByRole("heading", { name: "Your message was sent" }).waitFor();
}, 120_000);

test("a person with two agents chooses; one with none is told so", async () => {
  await served.letterslot.openAccountFor({ email: GRACE, session_id: null, ip: null }, { username: "bea" });
  const page = await signIn(true);
  await page.getByLabel("To").selectOption({ label: "bea@letterslot.localhost" });
  await browser.screenshot(page, "write-choose-dark");
  await page.getByLabel("What should it do, or know?").fill("Hello, Bea.");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByRole("heading", { name: "Your message was sent" }).waitFor();
  expect(await page.textContent("main")).toContain("bea@letterslot.localhost");
}, 120_000);
