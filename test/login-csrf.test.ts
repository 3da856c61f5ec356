import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OAuthWorld, startOAuthWorld } from "../packages/server/testing/oauth-world.ts";
import { type PhoneBrowser, startPhoneBrowser } from "./support/phone-browser.ts";

const MALLORY = "mallory@example.net";

let world: OAuthWorld;
let browser: PhoneBrowser;
let evil: Server;
/** The content of the other site. */
let markup = "";

beforeAll(async () => {
  [world, browser] = await Promise.all([startOAuthWorld(), startPhoneBrowser()]);
  const account = await world.signUp("agent");
  await world.letterslot.operator.accounts.authority.give({ account_id: account.account_id, email: MALLORY });
  evil = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end(markup);
  });
  await new Promise<void>((resolve) => void evil.listen(0, "127.0.0.1", resolve));
}, 180_000);
afterAll(async () => {
  evil?.close();
  await Promise.all([world?.close(), browser?.close()]);
});

const evilUrl = () => `http://127.0.0.1:${(evil.address() as AddressInfo).port}/`;

const sessions = () => world.letterslot.services.storage.count("sessions", {}, 100);

/** The attacker's own sign-in, up to the last step, which the victim's browser is to do. */
async function attack() {
  const { storage } = world.letterslot.services;
  await storage.delete("session_challenges", { email: MALLORY });
  const { challenge } = await world.letterslot.startSession({ email: MALLORY, ip: null });
  return { email: MALLORY, code: await world.codeFor(MALLORY), challenge };
}

test.each([
  ["application/x-www-form-urlencoded", "/api/v1/owners/sign-in"],
  ["text/plain", "/api/v1/owners/session"],
])("a form of %s at another site signs its visitor in as nobody", async (enctype, path) => {
  const { email, code, challenge } = await attack();
  const before = await sessions();
  // A text/plain form is JSON where its names and values are chosen for it.
  const json = JSON.stringify({ email, code, challenge, user_agent: "=" }).split("=");
  const fields: [string, string][] =
    enctype === "text/plain"
      ? [[json[0] ?? "", json[1] ?? ""]]
      : [
          ["email", email],
          ["sign_in_code", code],
        ];
  const inputs = fields.map(
    ([name, value]) =>
      `<input name="${name.replaceAll('"', "&quot;")}" value="${value.replaceAll('"', "&quot;")}">`,
  );
  markup = `<form method="post" enctype="${enctype}" action="${world.base_url}${path}">${inputs.join("")}</form><script>document.forms[0].submit()</script>`;
  const page = await browser.open("about:blank");
  await page.context().addCookies([
    // The worst case: a neighbouring host has put the attacker's challenge into the victim's browser.
    { name: "ls_challenge", value: challenge, url: world.base_url, sameSite: "Lax" },
  ]);
  const answered = page.waitForResponse((response) => response.request().method() === "POST");
  await page.goto(evilUrl());
  const response = await answered;
  expect(response.status()).toBe(403);
  const kept = (await page.context().cookies(world.base_url)).map(({ name }) => name);
  expect(kept.filter((name) => name !== "ls_challenge")).toEqual([]);
  expect(await sessions()).toBe(before);
  await page.context().close();
});

test("the same browser signs in at our own page", async () => {
  const page = await browser.open(`${world.base_url}/api/v1/owners/sign-in`);
  await page.getByLabel("Your email address").fill(MALLORY);
  await page.getByRole("button", { name: "Email me a code" }).click();
  await page.getByLabel("Code").fill(await world.codeFor(MALLORY));
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("heading", { name: "You are signed in" }).waitFor();
  expect(await page.textContent("main")).toContain(MALLORY);
  await page.context().close();
}, 60_000);
