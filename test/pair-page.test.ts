import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Served, serve } from "../packages/server/testing/serve.ts";
import { findAxeViolations } from "./support/axe.ts";
import { codeOf, enterMailedCode } from "./support/enter-mailed-code.ts";
import { type PhoneBrowser, startPhoneBrowser } from "./support/phone-browser.ts";

const GRACE = "grace@example.com";

let served: Served;
let browser: PhoneBrowser;

beforeAll(async () => {
  [served, browser] = await Promise.all([serve(), startPhoneBrowser()]);
}, 180_000);
afterAll(async () => {
  await Promise.all([served?.close(), browser?.close()]);
});

/** Signs a person in on the page, who is new here. */
async function signIn(): Promise<Page> {
  const page = await browser.open(`${served.base_url}/api/v1/owners/sign-in`);
  await page.getByRole("link", { name: "I'm new" }).click();
  expect(await findAxeViolations(page)).toEqual([]);
  await enterMailedCode(page, GRACE, codeOf(served));
  await page.getByRole("button", { name: "Make a code" }).waitFor();
  return page;
}

test("a person who is new lets an agent in, sees at once who it was, and undoes it", async () => {
  const page = await signIn();
  expect(await findAxeViolations(page)).toEqual([]);
  await browser.screenshot(page, "pair-make");
  await page.getByRole("button", { name: "Make a code" }).click();
  await page.getByRole("heading", { name: "Your code" }).waitFor();
  const frame = page.frameLocator("iframe");
  await frame.getByText("Waiting for your agent").waitFor();
  expect(await findAxeViolations(page)).toEqual([]);
  await browser.screenshot(page, "pair-code");
  const code = ((await page.textContent(".code")) ?? "").trim();
  const sentence = (await page.textContent("pre")) ?? "";
  expect(sentence).toContain(code);
  const said = await served.fetch(`${served.base_url}/api/v1/pair`, {
    method: "POST",
    headers: { "content-type": "application/json", "user-agent": "left aside" },
    body: JSON.stringify({ code, username: "ada", client_name: "Claude\u202e <b>Code</b>" }),
  });
  const paired = (await said.json()) as { api_key: string; inbox: { email: string } };
  expect([said.status, paired.inbox.email]).toEqual([200, "ada@letterslot.localhost"]);
  await frame.getByText("was let in").waitFor();
  expect(await frame.locator("main").innerText()).toContain("<b>Code</b>");
  expect(await frame.locator("main").innerText()).not.toContain("\u202e");
  // The page itself stays as it is, with the sentence that may just be copied.
  expect(await page.textContent("pre")).toBe(sentence);
  await browser.screenshot(page, "pair-done");
  await frame.getByRole("button", { name: "Undo" }).click();
  await page.getByText("You undid it").waitFor();
  expect(await findAxeViolations(page)).toEqual([]);
  await browser.screenshot(page, "pair-undone");
  await expect(served.letterslot.authenticate(paired.api_key, null)).rejects.toMatchObject({
    code: "api_key_revoked",
  });
}, 120_000);

test("a session older than a day signs in anew before it makes a code; no other site frames the page", async () => {
  await served.letterslot.openAccountFor({ email: GRACE, session_id: null, ip: null }, { username: "bea" });
  const page = await signIn();
  await page.getByLabel("The agent gets").selectOption({ label: "bea@letterslot.localhost" });
  await served.clock.advance(24 * 3600_000);
  await page.getByRole("button", { name: "Make a code" }).click();
  await page.getByLabel("Code").waitFor();
  await served.work();
  await page.getByLabel("Code").fill(served.codeFor(GRACE));
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("heading", { name: "Your code" }).waitFor();
  const code = ((await page.textContent(".code")) ?? "").trim();
  const { inbox } = await served.client().pairings.pair({ code });
  expect(inbox.email).toBe("bea@letterslot.localhost");
  for (const [path, ancestors] of [
    ["pair", "'none'"],
    ["pair/status?id=par_x", "'self'"],
  ]) {
    const { headers } = await fetch(`${served.base_url}/api/v1/owners/${path}`);
    expect(headers.get("content-security-policy")).toContain(`frame-ancestors ${ancestors}`);
  }
}, 120_000);

test("a page of another site makes no code and undoes nothing", async () => {
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    "sec-fetch-site": "cross-site",
    origin: "https://evil.example",
  };
  for (const body of ["make=yes&email=grace%40example.com", "undo=par_x"]) {
    const { status } = await fetch(`${served.base_url}/api/v1/owners/pair`, {
      method: "POST",
      headers,
      body,
    });
    expect(status).toBe(403);
  }
});
