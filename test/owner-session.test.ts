import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestAccount } from "../packages/core/testing/index.ts";
import { type Served, serve } from "../packages/server/testing/serve.ts";
import { findAxeViolations } from "./support/axe.ts";
import { type PhoneBrowser, startPhoneBrowser } from "./support/phone-browser.ts";

const GRACE = "grace@example.com";
const HEIDI = "heidi@example.org";

let served: Served;
let browser: PhoneBrowser;
let account: TestAccount;
let inbox_id: string;

beforeAll(async () => {
  [served, browser] = await Promise.all([serve(), startPhoneBrowser()]);
  account = await served.signUp("agent");
  inbox_id = account.inbox.id;
}, 180_000);
afterAll(async () => {
  await Promise.all([served?.close(), browser?.close()]);
});

/** The link to a page in the newest letter to an address. */
async function linkTo(page: string, email: string): Promise<string> {
  await served.work();
  const sent = served.transport.sent.findLast(({ envelope }) => envelope.rcpt_to.includes(email));
  const text = new TextDecoder().decode(sent?.raw).replace(/=\r\n/g, "").replace(/=3D/g, "=");
  return served.base_url + (new RegExp(`/api/v1/owners/${page}\\?token=\\w+`).exec(text)?.[0] ?? "");
}

/** Enters the code that the page has mailed. */
async function enterCode(page: Page, email: string): Promise<void> {
  await page.getByLabel("Code").waitFor();
  await served.work();
  expect(await findAxeViolations(page)).toEqual([]);
  await page.getByLabel("Code").fill(served.codeFor(email));
  await page.getByRole("button", { name: "Continue" }).click();
}

test("an owner confirms, takes charge with a code, and decides in the same browser without another", async () => {
  await account.as.owners.create({ inbox_id, email: GRACE });
  const page = await browser.open(await linkTo("confirm", GRACE));
  expect(await page.textContent("main")).toContain("Nobody has charge of its account yet.");
  await page.getByRole("button", { name: "Yes, I am its owner" }).click();
  await page.getByRole("button", { name: "Take charge of this account" }).click();
  await enterCode(page, GRACE);
  await page.getByRole("heading", { name: "You have charge of this account" }).waitFor();
  await browser.screenshot(page, "session-charge");

  await account.as.inboxes.update({ inbox_id, send_mode: "approval" });
  await account.as.messages.send({ inbox_id, to: ["ada@example.org"], subject: "Offer", text: "42 euros" });
  await page.goto(await linkTo("approve", GRACE));
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByRole("heading", { name: "This was approved" }).waitFor();
  const [approval] = (await account.as.approvals.list({})).data;
  expect(approval).toMatchObject({ status: "approved", decided_by: { email: GRACE, method: "page" } });
}, 120_000);

test("another owner's page says who decides, and asks them for authority", async () => {
  const grace = served.letterslot.asOwner({ email: GRACE, account_id: account.account_id });
  await grace.owners.create({ inbox_id, email: HEIDI });
  const confirm = await linkTo("confirm", HEIDI);
  const page = await browser.open(confirm);
  expect(await page.textContent("main")).toContain(`${GRACE}, since`);
  await page.getByRole("button", { name: "Yes, I am its owner" }).click();
  await served.clock.advance(1_000);

  await account.as.messages.send({ inbox_id, to: ["ada@example.org"], subject: "Offer", text: "43 euros" });
  await page.goto(await linkTo("approve", HEIDI));
  expect(await page.getByRole("button", { name: "Approve" }).count()).toBe(0);
  await page.getByRole("button", { name: "Ask for authority" }).click();
  await enterCode(page, HEIDI);
  await page.getByRole("heading", { name: "You have asked for authority" }).waitFor();
  expect((await account.as.approvals.list({ status: "pending" })).data[0]).toMatchObject({
    subject_type: "authority_grant",
  });
}, 120_000);

test("a stolen link in another browser asks for a code that its thief doesn't get", async () => {
  await account.as.messages.send({ inbox_id, to: ["ada@example.org"], subject: "Offer", text: "44 euros" });
  const page = await browser.open(await linkTo("approve", GRACE));
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByLabel("Code").fill("000000");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("alert").waitFor();
  const [approval] = (await account.as.approvals.list({})).data;
  expect(approval).toMatchObject({ subject_type: "draft", status: "pending" });
}, 120_000);

test("a person signs in on the page, and out again", async () => {
  const page = await browser.open(`${served.base_url}/api/v1/owners/sign-in`);
  expect(await findAxeViolations(page)).toEqual([]);
  await page.getByLabel("Your email address").fill(GRACE);
  await page.getByRole("button", { name: "Email me a code" }).click();
  await enterCode(page, GRACE);
  await page.getByRole("heading", { name: "You are signed in" }).waitFor();
  expect(await findAxeViolations(page)).toEqual([]);
  expect(await page.textContent("main")).toContain(`You have charge of${account.inbox.email}`);
  expect(await page.evaluate("document.cookie")).toBe("");
  await page.reload().catch(() => undefined);
  await page.goto(`${served.base_url}/api/v1/owners/sign-in`);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("Your email address").waitFor();
}, 120_000);

test("a confirmation link that came back in a mail asks for a code, and then confirms", async () => {
  const email = "ivan@example.net";
  const grace = served.letterslot.asOwner({ email: GRACE, account_id: account.account_id });
  await grace.owners.create({ inbox_id, email });
  const link = await linkTo("confirm", email);
  await served.receive({ from: email, to: account.inbox.email, text: `Is this you? ${link}` });
  const page = await browser.open(link);
  await page.getByRole("button", { name: "Yes, I am its owner" }).click();
  await enterCode(page, email);
  await page.getByRole("heading", { name: "You are confirmed as owner" }).waitFor();
  const { data } = await account.as.owners.list({ inbox_id });
  expect(data.find((owner) => owner.email === email)?.status).toBe("verified");
}, 120_000);

test("a page that waits says that its code came to the agent's mailbox, to that browser alone", async () => {
  const email = "ivan@example.net";
  await served.letterslot.operator.accounts.authority.give({ account_id: account.account_id, email });
  const page = await browser.open(`${served.base_url}/api/v1/owners/sign-in`);
  await page.getByLabel("Your email address").fill(email);
  await page.getByRole("button", { name: "Email me a code" }).click();
  await page.getByLabel("Code").waitFor();
  await served.work();
  await page.getByRole("button", { name: "No email came" }).click();
  await page.getByText("It can take a minute to arrive.").waitFor();
  const { storage } = served.letterslot.services;
  const code_voided_at = new Date().toISOString();
  await storage.update("session_challenges", { email }, { code_hash: null, code_voided_at });
  await page.getByRole("button", { name: "No email came" }).click();
  const why = "This code arrived in your agent's mailbox: your mail is forwarded to it.";
  await page.getByText(why).waitFor();
  expect(await findAxeViolations(page)).toEqual([]);
  await browser.screenshot(page, "session-void-code");
  await page.getByLabel("Code").fill("123456");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText(why).waitFor();
  const stranger = await fetch(`${served.base_url}/api/v1/owners/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, code: "123456", challenge: "x".repeat(40) }),
  });
  expect(await stranger.json()).toMatchObject({ error: { message: "The code or link does not sign in." } });
}, 120_000);
