import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type OAuthWorld, startOAuthWorld } from "../packages/server/testing/oauth-world.ts";
import { openAccount, signInToConnect } from "./support/consent.ts";
import { type PhoneBrowser, startPhoneBrowser } from "./support/phone-browser.ts";

const GRACE = "grace@example.com";
const HEIDI = "heidi@example.org";
const CALLBACK = "http://127.0.0.1:9/callback";

let world: OAuthWorld;
let browser: PhoneBrowser;
let authorize_url: string;

beforeAll(async () => {
  browser = await startPhoneBrowser();
}, 180_000);
afterAll(() => browser?.close());

beforeEach(async () => {
  world = await startOAuthWorld();
  const registered = await fetch(`${world.base_url}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      client_name: "Notes",
      redirect_uris: [CALLBACK],
      token_endpoint_auth_method: "none",
    }),
  });
  const { client_id } = (await registered.json()) as { client_id: string };
  const query = new URLSearchParams({
    client_id,
    redirect_uri: CALLBACK,
    response_type: "code",
    scope: "inbox_read message_read webhook_write key_write",
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
    resource: `${world.base_url}/api/v1`,
    state: "s",
  });
  authorize_url = `${world.base_url}/oauth/authorize?${query.toString()}`;
  return () => world.close();
});

const begin = (email: string) =>
  browser.open(authorize_url).then(async (page) => {
    await signInToConnect(page, email, world.codeFor);
    return page;
  });

const allowButton = (page: Page) => page.getByRole("button", { name: "Allow", exact: true });

/** Presses Allow; answers the address that the browser is sent to. */
async function allow(page: Page): Promise<URL> {
  const called = page.waitForRequest((request) => request.url().startsWith(CALLBACK));
  await allowButton(page).click();
  return new URL((await called).url());
}

const grants = async () => world.letterslot.services.storage.find("oauth_grants", { where: {}, limit: 10 });

test("only what is ticked is allowed, in the inbox that is chosen; what no app gets isn't offered", async () => {
  const page = await begin(GRACE);
  await openAccount(page, "ada");
  expect(await page.getByRole("checkbox").count()).toBe(3);
  for (const box of await page.getByRole("checkbox").all()) await box.uncheck();
  await allowButton(page).click();
  expect(await page.getByRole("alert").textContent()).toContain("Nothing is ticked.");
  for (const box of await page.getByRole("checkbox").all()) await box.uncheck();
  await page.getByLabel("Read the inbox's email").check();
  expect((await allow(page)).searchParams.get("state")).toBe("s");
  const { accounts } = await world.letterslot.choicesOf({ email: GRACE, session_id: null, ip: null });
  expect(await grants()).toMatchObject([
    { scope: ["message_read"], inbox_id: accounts[0]?.inboxes[0]?.id, given_by: GRACE, client_name: "Notes" },
  ]);
  await page.context().close();
}, 120_000);

test("an account owner gives the whole account; an inbox owner only what is theirs to give", async () => {
  const { account_id, id: inbox_id } = await world.letterslot.openAccountFor(
    { email: GRACE, session_id: null, ip: null },
    { username: "ada" },
  );
  await world.letterslot.operator.accounts.authority.give({ account_id, email: HEIDI, inbox_id });
  const heidi = await begin(HEIDI);
  expect(await heidi.locator("option").allTextContents()).toEqual(["ada@letterslot.localhost"]);
  expect(await heidi.getByRole("checkbox").count()).toBe(2);
  await allow(heidi);
  const grace = await begin(GRACE);
  await grace.getByLabel("It may use").selectOption(account_id);
  await allow(grace);
  expect(await grants()).toMatchObject([
    { given_by: HEIDI, inbox_id, scope: ["inbox_read", "message_read"] },
    { given_by: GRACE, inbox_id: null, scope: ["inbox_read", "message_read", "webhook_write"] },
  ]);
  await Promise.all([heidi.context().close(), grace.context().close()]);
}, 120_000);

test("an answer counts once, and a form that was made for another session not at all", async () => {
  const page = await begin(GRACE);
  await openAccount(page, "ada");
  const consent = page.url();
  const later = await page.context().newPage();
  await later.goto(consent);
  await later.getByRole("button", { name: "Not you?" }).click();
  await signInToConnect(later, HEIDI, world.codeFor);
  await openAccount(later, "bea");
  await allowButton(page).click();
  await page.getByRole("alert").waitFor();
  expect(await page.textContent("main")).toContain("You signed in again since this page was opened.");
  expect(await page.locator("option").first().textContent()).toBe("bea@letterslot.localhost");
  expect(await grants()).toEqual([]);
  await allow(page);
  expect(await grants()).toHaveLength(1);
  await allowButton(later).click();
  await later.getByRole("heading", { name: "That did not work" }).waitFor();
  expect(await grants()).toHaveLength(1);
  await page.context().close();
}, 120_000);

test("the page of a request is for the browser that began it, and its form only for its own site", async () => {
  const page = await begin(GRACE);
  await openAccount(page, "ada");
  const consent = page.url();
  expect((await fetch(consent)).status).toBe(400);
  const cookies = await page.context().cookies(consent);
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const form = new URLSearchParams();
  for (const name of await page.locator("form input, form select").all())
    form.set((await name.getAttribute("name")) ?? "", await name.inputValue());
  const elsewhere: Record<string, string>[] = [
    { cookie },
    { cookie, "sec-fetch-site": "cross-site" },
    { cookie, origin: "https://evil.example" },
  ];
  // Denying needs no session.
  for (const act of ["allow", "deny"])
    for (const headers of elsewhere) {
      form.set("act", act);
      const refused = await fetch(consent, { method: "POST", headers, body: form, redirect: "manual" });
      expect([act, refused.status]).toEqual([act, 403]);
    }
  expect(await grants()).toEqual([]);
  const shown = await fetch(consent, { headers: { cookie } });
  expect(shown.headers.get("content-security-policy")).toMatch(
    /form-action 'self' http:\/\/127\.0\.0\.1:9; .*frame-ancestors 'none'$/,
  );
  expect(shown.headers.get("cache-control")).toBe("no-store");
  expect(shown.headers.get("referrer-policy")).toBe("same-origin");
  await page.context().close();
}, 120_000);

test("until the code is given, known and unknown addresses look the same", async () => {
  await world.letterslot.openAccountFor({ email: GRACE, session_id: null, ip: null }, { username: "ada" });
  const shown = await Promise.all(
    [GRACE, HEIDI].map(async (email) => {
      const page = await browser.open(authorize_url);
      await page.getByLabel("Your email address").fill(email);
      await page.getByRole("button", { name: "Email me a code" }).click();
      await page.getByLabel("Code").waitFor();
      const content = (await page.content()).replaceAll(email, "");
      await page.getByLabel("Code").fill("000000");
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByRole("alert").waitFor();
      const refused = (await page.content()).replaceAll(email, "");
      await page.context().close();
      return [content, refused];
    }),
  );
  expect(shown[0]).toEqual(shown[1]);
}, 120_000);

test("the first who was verified takes charge of the account on the way", async () => {
  const account = await world.signUp("agent");
  await world.addOwner(account, GRACE);
  const page = await begin(GRACE);
  await page.getByRole("button", { name: `Take charge of ${account.inbox.email}` }).click();
  await page.getByRole("heading", { name: "Connect “Notes”?" }).waitFor();
  await allow(page);
  expect(await grants()).toMatchObject([{ account_id: account.account_id, given_by: GRACE }]);
  await page.context().close();
}, 120_000);

test.each([
  ["code=abc-DEF_123~4", "abc-DEF_123~4"],
  ["code=<b>x</b>", "This link is incomplete"],
  ["", "This link is incomplete"],
  ["error=access_denied", "You did not allow it"],
])("the page of a code to type shows for %s: %s", async (query, words) => {
  const page = await fetch(`${world.base_url}/oauth/code?${query}`);
  const text = await page.text();
  expect(text).toContain(words);
  expect(text).not.toContain("<b>");
  expect(page.headers.get("cache-control")).toBe("no-store");
});
