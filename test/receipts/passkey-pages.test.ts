import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifyReceipt } from "../../packages/client/src/receipts.ts";
import { createPasskeys } from "../../packages/passkeys/src/index.ts";
import { type Served, serve } from "../../packages/server/testing/serve.ts";
import { findAxeViolations } from "../support/axe.ts";
import { freePort } from "../support/free-port.ts";
import { type PhoneBrowser, startPhoneBrowser } from "../support/phone-browser.ts";
import { addAuthenticator } from "../support/virtual-authenticator.ts";

const PHONE_WIDTH = 390;
const HOUR = 3600_000;

let served: Served;
let browser: PhoneBrowser;
let site: string;

beforeAll(async () => {
  const port = await freePort();
  // Passkeys are for names, not for addresses of machines.
  site = `http://localhost:${port}`;
  [served, browser] = await Promise.all([
    serve({ port, config: { baseUrl: site, passkeys: createPasskeys() } }),
    startPhoneBrowser(),
  ]);
}, 180_000);
afterAll(() => Promise.all([served?.close(), browser?.close()]));

/** Checks that a page fits a phone, breaks no rule of accessibility, and looks as people see it in both themes. */
async function isGood(page: Page, name: string) {
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(PHONE_WIDTH);
  expect(await findAxeViolations(page)).toEqual([]);
  await browser.screenshot(page, `passkeys-${name}`);
  await page.emulateMedia({ colorScheme: "dark" });
  await browser.screenshot(page, `passkeys-${name}-dark`);
  await page.emulateMedia({ colorScheme: "light" });
}

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

async function enterCode(page: Page, email: string) {
  await page.getByLabel("Code").waitFor();
  await served.work();
  await page.getByLabel("Code").fill(served.codeFor(email));
  await press(page, "Continue");
}

/** An account in approval mode whose owner, a person of their own, is on the page of their passkeys. */
async function setting(username: string) {
  const email = `${username}@example.com`;
  const account = await served.signUp(username);
  await served.addOwner(account, email);
  const inbox_id = account.inbox.id;
  await account.as.inboxes.update({ inbox_id, send_mode: "approval" });
  const owner = served.letterslot.asOwner({ email, account_id: account.account_id });
  await owner.authority.create({ account_id: account.account_id });
  // No letter counts as one of a flood, and no code as one too many.
  await served.clock.advance(25 * HOUR);
  const page = await browser.open(`${site}/passkeys`);
  const device = await addAuthenticator(page);
  return { ...account, email, inbox_id, page, device };
}

/** The same, with a passkey that counts. */
async function withPasskey(username: string) {
  const at = await setting(username);
  await signedIn(at.page, at.email);
  await addPasskey(at.page, "My phone");
  await served.clock.advance(25 * HOUR);
  return at;
}

async function signedIn(page: Page, email: string) {
  await page.getByLabel("Your email address").fill(email);
  await press(page, "Email me a code");
  await enterCode(page, email);
  await page.getByRole("heading", { name: "Add a passkey" }).waitFor();
}

async function addPasskey(page: Page, name: string) {
  await page.getByLabel("What to call it").fill(name);
  await press(page, "Add a passkey");
  await page.getByText(`“${name}” was added.`).waitFor();
}

/** Holds a mail, and answers the link of the letter that asks about it. */
async function held(
  { as, inbox_id, email }: Awaited<ReturnType<typeof setting>>,
  mail: Record<string, unknown> = {},
) {
  const draft = await as.messages.send({
    ...{ inbox_id, to: ["ada@example.org"], subject: "Offer", text: "42 euros", ...mail },
  });
  if (draft.object !== "draft") throw new Error("the mail was not held");
  await served.work();
  const letter = served.transport.sent.findLast(({ envelope }) => envelope.rcpt_to.includes(email));
  const words = new TextDecoder().decode(letter?.raw).replace(/=\r\n/g, "").replace(/=3D/g, "=");
  const link = /http:\/\/localhost:\d+\/api\/v1\/owners\/approve\?token=\w{41}/.exec(words)?.[0] ?? "";
  return { link, draft_id: draft.id, approval_id: draft.approval_id ?? "" };
}

const approvalOf = async ({ as }: Awaited<ReturnType<typeof setting>>, approval_id: string) =>
  as.approvals.get({ approval_id });

describe("a person on their phone", () => {
  test("adds a passkey, signs in with it, and removes it; each page says what happens next", async () => {
    const { page, email } = await setting("adds");
    await isGood(page, "whose");
    await signedIn(page, email);
    await isGood(page, "none");
    await addPasskey(page, "My phone");
    expect(await page.textContent("main")).toMatch(/It counts for decisions from \w+ \d+ \w+, \d+:\d+ UTC/);
    expect(await page.textContent("main")).toContain("We have emailed you about it.");
    await isGood(page, "added");
    // Twice in one device there is none.
    await press(page, "Add a passkey");
    await page.getByText("This device has a passkey of yours already.").waitFor();

    await page.goto(`${site}/sign-in`);
    await press(page, "Sign out");
    await isGood(page, "sign-in");
    await press(page, "Sign in with a passkey");
    await page.getByRole("heading", { name: "You are signed in" }).waitFor();
    await page.getByRole("link", { name: "Your passkeys" }).click();
    expect(await page.textContent("main")).toContain("Last used");
    await isGood(page, "used");
    await press(page, "Remove My phone");
    await page.getByText("“My phone” was removed.").waitFor();
    expect(await page.textContent("main")).toContain("No passkey of yours counts for decisions now");
    await isGood(page, "removed");
    await page.context().close();
  }, 120_000);

  test("approves with a passkey where the inbox asks for it, in one press, and downloads the receipt", async () => {
    const at = await withPasskey("asks");
    const { page, as, inbox_id } = at;
    await as.inboxes.update({ inbox_id, approve_with: "passkey" });
    const { link, approval_id } = await held(at);
    await page.context().clearCookies();
    await page.goto(link);
    await isGood(page, "decide");
    expect(await page.getByRole("button", { name: "Approve", exact: true }).count()).toBe(0);
    const begun = performance.now();
    await press(page, "Approve with your passkey");
    await page.getByText("This was approved").first().waitFor();
    const seconds = (performance.now() - begun) / 1000;
    expect(seconds).toBeLessThan(10);
    expect(await approvalOf(at, approval_id)).toMatchObject({
      ...{ status: "approved", decided_by: { email: at.email, method: "passkey" } },
    });
    await isGood(page, "decided");
    const downloading = page.waitForEvent("download");
    await press(page, "Download the receipt");
    const download = await downloading;
    expect(download.suggestedFilename()).toBe(`receipt-${approval_id}.json`);
    const receipt = JSON.parse(await readFile(await download.path(), "utf8")) as {
      jws: string;
      salt: string;
    };
    const keys = await served.letterslot.operator.approvalKeys.list();
    const { payload } = await verifyReceipt(receipt.jws, {
      keys,
      approval: approval_id,
      decision: "approve",
    });
    expect(payload).toMatchObject({ evidence: [{ type: "passkey" }] });
    expect(receipt.salt).toMatch(/^\w+/);
    await page.context().close();
  }, 120_000);

  test("changes a mail and approves it with a passkey, also once something is found in it", async () => {
    const at = await withPasskey("changes");
    const { page, as, inbox_id } = at;
    await as.inboxes.update({ inbox_id, approve_with: "passkey" });
    const { link, approval_id } = await held(at);
    await page.goto(link);
    await page.getByText("Change it before you approve").click();
    await page.getByLabel("To (one address a line)").fill("bob@example.net");
    await press(page, "Approve with changes and your passkey");
    await page.getByText("bob@example.net is new to you.").waitFor();
    await isGood(page, "found");
    expect(await approvalOf(at, approval_id)).toMatchObject({ status: "pending" });
    await press(page, "Approve with changes and your passkey");
    await page.getByText("This was approved with changes").first().waitFor();
    expect(await approvalOf(at, approval_id)).toMatchObject({
      ...{ edited: true, decided_by: { method: "passkey" } },
    });
    await page.context().close();
  }, 120_000);

  test("approves plainly where the inbox doesn't ask for a passkey, or signs all the same", async () => {
    const at = await withPasskey("plain");
    const { page } = at;
    const plain = await held(at);
    await page.goto(plain.link);
    await isGood(page, "offered");
    await press(page, "Approve");
    await page.getByText("This was approved").first().waitFor();
    const signed = await held(at, { to: ["eve@example.org"] });
    await page.goto(signed.link);
    await press(page, "Approve with a passkey");
    await page.getByText("This was approved").first().waitFor();
    const methods = await Promise.all(
      [plain, signed].map(async ({ approval_id }) => (await approvalOf(at, approval_id)).decided_by?.method),
    );
    expect(methods).toEqual(["page", "passkey"]);
    await page.context().close();
  }, 120_000);

  test("uses a passkey in place of a code that was asked for", async () => {
    const at = await withPasskey("instead");
    const { page } = at;
    const { link, approval_id } = await held(at);
    await page.context().clearCookies();
    await page.goto(link);
    await press(page, "Reject");
    await page.getByLabel("Code").waitFor();
    await isGood(page, "code");
    await press(page, "Use a passkey instead");
    await page.getByText("This was rejected").first().waitFor();
    expect(await approvalOf(at, approval_id)).toMatchObject({ status: "rejected" });
    await page.context().close();
  }, 120_000);

  test("reads that a passkey is another person's, stays signed in, and then uses the code", async () => {
    const at = await withPasskey("another");
    const asked = await setting("asked");
    const { page } = at;
    const { link, approval_id } = await held(asked);
    await page.goto(link);
    await press(page, "Reject");
    await press(page, "Use a passkey instead");
    await page.getByText(`That passkey signs in ${at.email}, but this is for ${asked.email}.`).waitFor();
    expect(await approvalOf(asked, approval_id)).toMatchObject({ status: "pending" });
    await enterCode(page, asked.email);
    await page.getByText("This was rejected").first().waitFor();
    expect(await approvalOf(asked, approval_id)).toMatchObject({ status: "rejected" });
    await Promise.all([at, asked].map((each) => each.page.context().close()));
  }, 120_000);

  test("whose device doesn't verify them decides nothing, and reads why", async () => {
    const at = await withPasskey("unverified");
    const { page, device } = at;
    const { link, approval_id } = await held(at);
    await page.goto(link);
    await device.verifies(false);
    await press(page, "Approve with a passkey");
    await page.getByText("Your device signed nothing, so nothing was done.").waitFor();
    await isGood(page, "unsigned");
    expect(await approvalOf(at, approval_id)).toMatchObject({ status: "pending" });
    await device.verifies(true);
    await press(page, "Approve with a passkey");
    await page.getByText("This was approved").first().waitFor();
    await page.context().close();
  }, 120_000);

  test("removes a passkey that counts by signing with one, after signing in once more", async () => {
    const { page, email } = await withPasskey("removes");
    await page.goto(`${site}/passkeys`);
    expect(await page.getByRole("button", { name: /^Remove/ }).count()).toBe(0);
    await isGood(page, "again");
    await press(page, "Sign in with a passkey");
    await page.getByRole("heading", { name: "Add a passkey" }).waitFor();
    await press(page, "Remove My phone");
    await page.getByText("“My phone” was removed.").waitFor();
    await served.work();
    const letter = served.transport.sent.findLast(({ envelope }) => envelope.rcpt_to.includes(email));
    expect(new TextDecoder().decode(letter?.raw)).toContain("A passkey was removed");
    await page.context().close();
  }, 120_000);

  test("without scripts reads that a passkey needs them, and gets by with the code where that is enough", async () => {
    const at = await withPasskey("scriptless");
    await at.as.inboxes.update({ inbox_id: at.inbox_id, approve_with: "passkey" });
    const { link, approval_id } = await held(at);
    const context = await browser.browser.newContext({
      ...{ javaScriptEnabled: false, viewport: { width: PHONE_WIDTH, height: 844 } },
    });
    const page = await context.newPage();
    await page.goto(link);
    await page.getByText("It needs a browser that knows passkeys").waitFor();
    expect(await page.getByRole("button", { name: /passkey/ }).count()).toBe(0);
    await press(page, "Reject");
    await enterCode(page, at.email);
    await page.getByText("This was rejected").first().waitFor();
    expect(await approvalOf(at, approval_id)).toMatchObject({ status: "rejected" });
    await page.goto(`${site}/passkeys`);
    await page.getByText("Passkeys need a browser that knows them").waitFor();
    expect(await page.getByRole("button", { name: /passkey/ }).count()).toBe(0);
    await context.close();
    await at.page.context().close();
  }, 120_000);

  test("who has charge of several accounts downloads the receipt of one; who isn't signed in enters a code first", async () => {
    const at = await withPasskey("several");
    const elsewhere = await served.signUp("elsewhere");
    await served.letterslot.operator.accounts.authority.give({
      account_id: elsewhere.account_id,
      email: at.email,
    });
    const { page } = at;
    const { link, approval_id } = await held(at);
    await page.goto(link);
    await press(page, "Reject");
    await page.getByText("This was rejected").first().waitFor();
    await page.context().clearCookies();
    await page.goto(link);
    await press(page, "Download the receipt");
    await page.getByLabel("Code").waitFor();
    await served.work();
    const downloading = page.waitForEvent("download");
    await page.getByLabel("Code").fill(served.codeFor(at.email));
    await press(page, "Continue");
    const { jws } = JSON.parse(await readFile(await (await downloading).path(), "utf8")) as { jws: string };
    const keys = await served.letterslot.operator.approvalKeys.list();
    const expected = { keys, approval: approval_id, decision: "reject", account: at.account_id } as const;
    expect((await verifyReceipt(jws, expected)).payload).toMatchObject({ decided_by: { method: "page" } });
    await page.context().close();
  }, 120_000);

  test("runs no script but the server's own, and only where a page takes passkeys", async () => {
    const policyOf = async (path: string) =>
      (await fetch(`${site}${path}`, { headers: { accept: "text/html" } })).headers.get(
        "content-security-policy",
      );
    expect(await policyOf("/api/v1/owners/sign-in")).toContain("default-src 'none'");
    expect(await policyOf("/api/v1/owners/sign-in")).toMatch(/; script-src 'self'; connect-src 'self'$/);
    expect(await policyOf("/api/v1/recover")).not.toContain("script-src");
    const at = await setting("scripts");
    const { link } = await held(at);
    // Nobody without a passkey needs it.
    expect(await policyOf(link.slice(site.length))).not.toContain("script-src");
    const script = await fetch(`${site}/api/v1/owners/passkeys.js`);
    expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(await script.text()).toContain("MIT License");
    await at.page.context().close();
  }, 60_000);
});
