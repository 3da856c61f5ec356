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
  account = await served.signUp("agent");
  const { account_id, inbox } = account;
  await served.letterslot.operator.accounts.authority.give({ account_id, email: GRACE });
  await served.letterslot.operator.accounts.authority.give({ account_id, email: GRACE, inbox_id: inbox.id });
}, 180_000);
afterAll(async () => {
  await Promise.all([served?.close(), browser?.close()]);
});

/** Asks for a link on the page, and opens it from the letter. */
async function openLink(): Promise<Page> {
  const page = await browser.open(`${served.base_url}/api/v1/recover`);
  expect(await findAxeViolations(page)).toEqual([]);
  await page.getByLabel("Your email address").fill(GRACE);
  await page.getByRole("button", { name: "Email me a link" }).click();
  await page.getByRole("heading", { name: "Check your email" }).waitFor();
  await served.work();
  const sent = served.transport.sent.findLast(({ envelope }) => envelope.rcpt_to.includes(GRACE));
  const text = new TextDecoder().decode(sent?.raw).replace(/=\r\n/g, "").replace(/=3D/g, "=");
  await page.goto(served.base_url + (/\/api\/v1\/recover\/confirm\?token=\w+/.exec(text)?.[0] ?? ""));
  return page;
}

test("a person recovers a key without script, and revokes all others", async () => {
  const page = await openLink();
  expect(await findAxeViolations(page)).toEqual([]);
  await browser.screenshot(page, "recovery");
  const shown = (await page.textContent("main")) ?? "";
  expect(shown).toContain(account.caller.key.prefix);
  await page.getByLabel(`the whole account of ${account.inbox.email}`).check();
  await page.getByLabel("Also revoke all other keys, apps and sessions").check();
  await page.getByRole("button", { name: "Create a new key" }).click();
  await page.getByLabel("Code").waitFor();
  await served.work();
  expect(await findAxeViolations(page)).toEqual([]);
  await page.getByLabel("Code").fill(served.codeFor(GRACE));
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("heading", { name: "Your new key" }).waitFor();
  expect(await findAxeViolations(page)).toEqual([]);
  await browser.screenshot(page, "recovery-key");
  const api_key = (await page.textContent("pre")) ?? "";
  expect(await served.letterslot.authenticate(api_key, null)).toMatchObject({
    account_id: account.account_id,
    permissions: null,
    inbox_ids: null,
  });
  await expect(served.letterslot.authenticate(account.api_key, null)).rejects.toMatchObject({
    code: "api_key_revoked",
  });
}, 120_000);

test("a person who has just signed in gets the key of one inbox without another code, once", async () => {
  const page = await openLink();
  const link = page.url();
  await page.goto(`${served.base_url}/api/v1/owners/sign-in`);
  await enterMailedCode(page, GRACE, codeOf(served));
  await page.getByRole("heading", { name: "You are signed in" }).waitFor();
  await page.goto(link);
  await page.getByLabel(`the inbox ${account.inbox.email}`).check();
  await page.getByRole("button", { name: "Create a new key" }).click();
  await page.getByRole("heading", { name: "Your new key" }).waitFor();
  const api_key = (await page.textContent("pre")) ?? "";
  expect(await served.letterslot.authenticate(api_key, null)).toMatchObject({
    inbox_ids: [account.inbox.id],
  });
  await page.goto(link);
  await page.getByRole("heading", { name: "This link was already used" }).waitFor();
  expect(await findAxeViolations(page)).toEqual([]);
  await page.getByRole("link", { name: "Ask for a new letter" }).click();
  await page.getByRole("button", { name: "Email me a link" }).waitFor();
}, 120_000);
