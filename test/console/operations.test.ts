import type { Client } from "@letterslot/client";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createWebhookHttp } from "../../packages/adapter-http/src/index.ts";
import { appendEvents } from "../../packages/core/src/kernel/events/append.ts";
import { createManualClock } from "../../packages/core/testing/index.ts";
import { createPasskeys } from "../../packages/passkeys/src/index.ts";
import { freePort } from "../support/free-port.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";
import { type ConsoleWorld, startConsole } from "./harness.ts";

const GRACE = "grace@example.com";
const ANN = "ann@example.com";
const BEN = "ben@example.com";

const OURS = "letterslot.localhost";

const webhookHttp = createWebhookHttp({ allow: ["127.0.0.0/8"] });
let account_id: string;
let world: ConsoleWorld;
let receiver: WebhookReceiver;

beforeAll(async () => {
  const port = await freePort();
  const config = {
    baseUrl: `http://localhost:${port}`,
    passkeys: createPasskeys(),
    webhookHttp,
    clock: createManualClock(new Date()),
  };
  [world, receiver] = await Promise.all([startConsole({ port, config }), startWebhookReceiver()]);
  const person = { email: GRACE, session_id: null, ip: null };
  ({ account_id } = await world.served.letterslot.openAccountFor(person, { username: "ada" }));
}, 180_000);
afterAll(async () => {
  await Promise.all([world?.close(), receiver?.close(), webhookHttp.close()]);
});

/** Has so many events happen in the account. */
async function happen(times: number, data: Record<string, unknown>): Promise<void> {
  const { storage, makeId, clock } = world.served.letterslot.services;
  const event = { type: "webhook.test" as const, inbox_id: null, data };
  await storage.transaction((tx) =>
    appendEvents(
      tx,
      { account_id, now: clock.now(), makeId },
      Array.from({ length: times }, () => event as never),
    ),
  );
}

/** A client with a key that the person on the page makes. */
async function keyOf(page: Page, name: string, permissions: string[] | null = null): Promise<Client> {
  const ask = `fetch("../api/v1/keys", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: ${JSON.stringify(JSON.stringify({ name, permissions }))},
  }).then((answer) => answer.json())`;
  const { api_key } = await page.evaluate<{ api_key: string }>(ask);
  return world.served.client(api_key);
}

/** Publishes the records that a domain wants. */
function publish(records: { type: string; name: string; value: string; priority: number | null }[]): void {
  const { dns } = world.served;
  const texts = Map.groupBy(
    records.filter(({ type }) => type === "TXT"),
    ({ name }) => name,
  );
  for (const [name, all] of texts)
    dns.set(
      name,
      "TXT",
      all.map(({ value }) => value),
    );
  for (const { type, name, value, priority } of records) {
    if (type === "MX") dns.set(name, "MX", [{ exchange: value, priority: priority ?? 0 }]);
    if (type === "CNAME") dns.set(name, "CNAME", [value]);
  }
  dns.set(OURS, "MX", [{ exchange: OURS, priority: 10 }]);
  dns.set(OURS, "A", ["203.0.113.5"]);
  dns.set(OURS, "TXT", ["v=spf1 mx ~all"]);
}

/** Goes to a button or link by Tab alone, and presses Enter. */
async function press(page: Page, name: string): Promise<void> {
  for (let tabs = 0; tabs < 80; tabs += 1) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate<string>("document.activeElement?.textContent ?? ''");
    if (focused.trim() === name) return page.keyboard.press("Enter");
  }
  throw new Error(`${name} isn't reached by Tab`);
}

test("a person adds a webhook, sees what it was sent and what came back, and mends one that was switched off", async () => {
  const { served } = world;
  const page = await world.open(GRACE, "/operations");
  await page.getByRole("heading", { name: "Operations" }).waitFor();
  await world.look(page, "operations");
  await page.getByRole("link", { name: "Webhooks" }).click();
  await page.getByText("No webhook yet").waitFor();
  await world.look(page, "webhooks-empty");
  await page.getByRole("button", { name: "Add a webhook" }).click();
  await page.getByLabel("Where to post events").fill("http://10.0.0.1/hook");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").waitFor();
  await page.getByLabel("Only some").check();
  await page.getByLabel("Mail arrived").check();
  await world.look(page, "webhooks-form");
  await page.getByLabel("All events").check();
  await page.getByLabel("Where to post events").fill(receiver.url);
  await page.keyboard.press("Enter");
  await page.getByText("It is shown only once").waitFor();
  const secret = (await page.locator("pre").textContent()) ?? "";
  expect(secret).toMatch(/^whsec_/);
  await world.look(page, "webhooks-secret");
  await page.getByRole("button", { name: "I have stored it" }).click();
  await page.getByRole("link", { name: receiver.url }).click();
  await page.getByText("No deliveries").waitFor();
  expect(await page.content()).not.toContain(secret);

  await page.getByRole("button", { name: "Send a test" }).click();
  await page.getByText("A test is on its way").waitFor();
  await served.work();
  expect(receiver.delivered).toHaveLength(1);
  const delivery = page.getByRole("button", { name: /A webhook was tested/ });
  await page.getByText("204").first().waitFor();
  await delivery.click();
  await page.getByText('"type": "webhook.test"').waitFor();
  await world.look(page, "webhook");
  await page.getByRole("button", { name: "Send again" }).click();
  await page.getByText("It is on its way again").waitFor();
  await served.work();
  expect(receiver.delivered.map(({ body }) => body)).toEqual([
    receiver.delivered[0]?.body,
    receiver.delivered[0]?.body,
  ]);

  await page.getByRole("button", { name: "Failed", exact: true }).click();
  await page.getByText("No deliveries").waitFor();
  await page.reload();
  await page.getByText("No deliveries").waitFor();
  await page.getByRole("button", { name: "All", exact: true }).click();
  await delivery.first().waitFor();

  await page.getByRole("button", { name: "New secret" }).click();
  await page
    .getByRole("heading", { name: `Make a new secret for the webhook to ${receiver.url}?` })
    .waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "New secret" }).click();
  await page.getByText("The new secret").waitFor();
  expect(await page.locator("pre").first().textContent()).not.toBe(secret);
  await page.getByRole("button", { name: "I have stored it" }).click();

  await page.getByRole("button", { name: "Switch off" }).click();
  await page.getByText("Somebody switched it off").waitFor();
  await world.look(page, "webhook-off");
  await page.getByRole("button", { name: "Switch it on again" }).click();
  await page.getByRole("button", { name: "Send a test" }).waitFor();

  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("heading", { name: `Delete the webhook to ${receiver.url}?` }).waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("No webhook yet").waitFor();
  expect(world.faults().filter((fault) => !fault.includes("400"))).toEqual([]);
}, 120_000);

test("a person creates a key with few rights, sees what descends from a key, and revokes them together", async () => {
  const { served } = world;
  const page = await world.open(GRACE, "/operations/keys", { desk: true });
  await page.getByText("A key lets a program").waitFor();
  await page.getByRole("button", { name: "Create a key" }).click();
  await page.getByLabel("Name").fill("Builder");
  await page.keyboard.press("Enter");
  const builder = (await page.locator("pre").textContent()) ?? "";
  await page.getByRole("button", { name: "I have stored it" }).click();
  await page.getByRole("button", { name: "Create a key" }).click();
  await page.getByLabel("Name").fill("Reader");
  await page.getByLabel("Only what I choose").check();
  await page.getByLabel("Read mail, search it").check();
  await page.getByLabel("How long it works").selectOption("month");
  await page.getByLabel("Daily recipient limit").fill("20");
  await world.look(page, "keys-form");
  await page.keyboard.press("Enter");
  const reader = (await page.locator("pre").textContent()) ?? "";
  const { access, key } = await served.client(reader).me.get({});
  expect([access.permissions, key?.budget?.sends_per_day]).toEqual([["message_read"], 20]);
  await page.getByRole("button", { name: "I have stored it" }).click();

  const child = await served.client(builder).keys.create({ name: "Child" });
  await served.client(child.api_key).keys.create({ name: "Grandchild" });
  await page.reload();
  await page.getByRole("button", { name: /^Grandchild/ }).waitFor();
  await page.getByRole("button", { name: /^Builder/ }).click();
  await world.look(page, "keys");
  await page.getByRole("button", { name: "Revoke" }).click();
  await page.getByText("The 2 keys that descend from it stop with it: Child, Grandchild.").waitFor();
  await world.look(page, "keys-revoke");
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await page.getByText("3 keys are revoked").waitFor();
  await expect(served.client(child.api_key).me.get({})).rejects.toMatchObject({ code: "api_key_revoked" });
  await page.getByRole("button", { name: "Show 3 that no longer work" }).click();
  await page.getByRole("button", { name: /^Grandchild.*Revoked/ }).waitFor();
  expect(world.faults()).toEqual([]);
}, 120_000);

test("a domain is added, checked and kept by keys alone", async () => {
  const page = await world.open(GRACE, "/operations/domains", { desk: true });
  await page.getByText("No domain of your own yet").waitFor();
  await press(page, "Add a domain");
  await page.getByLabel("Domain", { exact: true }).waitFor();
  await page.keyboard.type("agents.grace.example");
  await page.keyboard.press("Enter");
  await page.getByText("Proof that the domain is yours").waitFor();
  await world.look(page, "domain-pending");
  const [domain] = (await (await keyOf(page, "Checker")).domains.list({})).data;
  publish(domain?.records ?? []);
  await press(page, "Check now");
  await page.getByText("The records were looked up").waitFor();
  await page.getByText("Verified", { exact: true }).waitFor();
  await world.look(page, "domain-verified");
  await press(page, "Delete");
  await page.getByRole("heading", { name: "Delete agents.grace.example?" }).waitFor();
  await world.look(page, "domain-delete");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByText("Verified", { exact: true }).waitFor();
  expect(world.faults()).toEqual([]);
}, 120_000);

test("events show up as they happen, by kind, with their JSON; refusals under who was refused", async () => {
  const { served } = world;
  const page = await world.open(GRACE, "/operations/events");
  await page.getByText("Live", { exact: true }).waitFor();
  await served.receive({ from: "carl@customer.example", to: `ada@${OURS}`, subject: "Hello", text: "Hi" });
  await page.getByRole("button", { name: /^Mail arrived/ }).click();
  await page.getByText('"subject": "Hello"').waitFor();
  await world.look(page, "events");
  await page.getByLabel("Kind of event").selectOption("message.bounced");
  await page.getByText("Nothing in that time").waitFor();

  await happen(1_500, { n: "old" });
  await happen(1, { n: "newest" });
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/v1/events?")) asked.push(request.url());
  });
  await page.getByLabel("Kind of event").selectOption("");
  await page.getByText("The newest 500 are shown").waitFor();
  await page.getByText("Live", { exact: true }).waitFor();
  await page
    .getByRole("button", { name: /^A webhook was tested/ })
    .first()
    .click();
  await page.getByText('"n": "newest"').waitFor();
  expect(asked.length).toBeLessThanOrEqual(5);
  // Of one kind among many others, those from long before are found too.
  await page.getByLabel("Kind of event").selectOption("message.received");
  await page.getByRole("button", { name: /^Mail arrived/ }).waitFor();
  expect(await page.getByRole("button", { name: /^Mail arrived/ }).count()).toBe(1);
  // Whoever gets the link sees the same.
  await page.getByLabel("Since").selectOption("week");
  expect(page.url()).toMatch(/#\/operations\/events\?kind=message.received&since=week$/);
  await page.reload();
  await page.getByRole("button", { name: /^Mail arrived/ }).waitFor();
  expect(await page.getByLabel("Since").inputValue()).toBe("week");
  expect(await page.getByRole("button", { name: /^A webhook was tested/ }).count()).toBe(0);

  const reader = await keyOf(page, "Curious", ["message_read"]);
  await expect(reader.domains.list({})).rejects.toMatchObject({ status: 403 });
  await served.letterslot.refusals.write();
  await world.go(page, "/operations/refusals");
  await page.getByRole("table", { name: "Curious" }).getByText("domains.list").waitFor();
  await world.look(page, "refusals");
  expect(world.faults()).toEqual([]);
}, 120_000);

test("a list and the suppressions are changed, and taken back where that can be", async () => {
  const page = await world.open(GRACE, "/operations/lists");
  await page.getByText("Nobody is blocked").waitFor();
  await page.getByRole("button", { name: "Block somebody" }).click();
  await page.getByLabel("Address or domain").fill("spam.example");
  await page.getByLabel("Why").fill("Sends nothing else");
  await page.keyboard.press("Enter");
  await page.getByText("spam.example is on the list").waitFor();
  await page.getByText("Sends nothing else").waitFor();
  await world.look(page, "lists");
  await page.getByRole("button", { name: "Remove" }).click();
  await page.getByText("spam.example is off the list").waitFor();
  await page.getByText("Nobody is blocked").waitFor();
  await page.getByRole("button", { name: "Undo" }).last().click();
  await page.getByText("Sends nothing else").waitFor();
  const where = page.getByLabel("For which inbox");
  await where.selectOption({ index: 1 });
  const inbox = await where.inputValue();
  await page.getByRole("link", { name: "Mail out" }).click();
  await page.getByText("Who agents may write to").waitFor();
  expect(page.url()).toMatch(new RegExp(`/operations/lists/send\\?inbox=${inbox}$`));
  await page.reload();
  await expect.poll(() => where.inputValue()).toBe(inbox);

  await world.go(page, "/operations/suppressions");
  await page.getByRole("button", { name: "Suppress an address" }).click();
  await page.getByLabel("Address").fill("carl@customer.example");
  await page.keyboard.press("Enter");
  await page.getByText("carl@customer.example gets no more mail").waitFor();
  await page.getByRole("button", { name: "Write again" }).waitFor();
  await world.look(page, "suppressions");
  await page.getByRole("button", { name: "Write again" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Write again" }).click();
  await page.getByText("Everybody can be written to").waitFor();
  expect(world.faults()).toEqual([]);
}, 120_000);

test("the account's people, workspaces, usage and settings, and the person's own passkeys and sessions", async () => {
  const { served } = world;
  const page = await world.open(GRACE, "/operations/people");
  await page.getByText("Nobody is asking for charge").waitFor();
  await page.getByText(GRACE).first().waitFor();
  await world.look(page, "people");

  await world.go(page, "/operations/workspaces");
  await page.getByRole("button", { name: "Make a workspace" }).click();
  await page.getByLabel("Name").fill("Customer");
  await page.keyboard.press("Enter");
  const key = (await page.locator("pre").textContent()) ?? "";
  expect((await served.client(key).me.get({})).workspace?.inbox_quota).toBe(10);
  await page.getByRole("button", { name: /^Customer/ }).click();
  await page.getByText("No inbox yet").waitFor();
  await world.look(page, "workspaces");

  await world.go(page, "/operations/usage");
  await page.getByRole("img", { name: /Received: \d+ in all/ }).waitFor();
  await page.getByText("The same as a table").click();
  await world.look(page, "usage");
  await page.getByRole("button", { name: "90 days" }).click();
  await page.reload();
  await page.locator('button[aria-pressed="true"]', { hasText: "90 days" }).waitFor();

  await world.go(page, "/operations/settings");
  await page.getByLabel("Guarded").check();
  await page.getByRole("button", { name: "Save" }).first().click();
  await page.getByText("Saved.").waitFor();
  await page.getByRole("button", { name: "Make an export" }).click();
  await page.getByText("The export is being made").waitFor();
  await served.work();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download" }).click();
  expect((await download).suggestedFilename()).toMatch(/\.zip$/);
  await page.getByLabel(/^Type/).fill("delete everything");
  await page.getByRole("button", { name: "Delete the account" }).waitFor();
  await world.look(page, "settings");
  await page.getByRole("button", { name: "Delete the account" }).click();
  await page.getByRole("heading", { name: `Delete the whole account of ada@${OURS} for good?` }).waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();

  // Mail is counted some minutes after it came.
  await served.clock.advance(600_000);
  await served.letterslot.sweep();
  await served.work();
  await world.go(page, "/operations/contacts");
  const found = page.waitForResponse(/contacts\?.*q=carl/);
  await page.getByLabel("Search by address or name").fill("carl");
  await found;
  await page.getByRole("button", { name: /^carl@customer.example/ }).click();
  await page.getByRole("button", { name: "Block their mail" }).click();
  await page.getByRole("button", { name: "Accept their mail again" }).waitFor();
  await world.look(page, "contacts");
  expect(page.url()).toMatch(/\?search=carl$/);
  await world.go(page, "/operations/phone");
  await page.getByText("No phone number").waitFor();
  await world.look(page, "phone");
  await world.go(page, "/operations/apps");
  await page.getByText("No app has access").waitFor();
  const { id: grant_id } = await served.letterslot.grantAccess(
    { email: GRACE, session_id: null, ip: null },
    {
      account_id,
      inbox_id: null,
      scope: ["message_read", "draft_write"],
      client: { client_id: "app_notes", client_name: "Notes", redirect_hosts: ["notes.example"] },
      resource: `${served.letterslot.services.options.baseUrl}/mcp`,
    },
  );
  // What the authorization server keeps of an app that came back for its token.
  await served.letterslot.services.storage.transaction(async (tx) => {
    const expires_at = new Date(served.clock.now().getTime() + 3_600_000).toISOString();
    const token = { hash: "a".repeat(64), kind: "AccessToken", grant_id, sealed_payload: "x" };
    tx.append("oauth_records", [{ ...token, consumed_at: null, expires_at }]);
  });
  await page.reload();
  await page.getByRole("button", { name: /^Notes/ }).click();
  await page.getByText("Write drafts").waitFor();
  await world.look(page, "apps");
  await page.getByRole("button", { name: "End access" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "End access" }).click();
  await page.getByText("No app has access").waitFor();
  await world.go(page, "/you/sessions");
  await page.getByText("This one").waitFor();
  await world.look(page, "sessions");
  // The pages of others are done with: that theirs ends is no fault of theirs.
  for (const context of world.browser.browser.contexts())
    if (context !== page.context()) await context.close();
  const sessions = page.getByRole("list", { name: "Where you are signed in" }).getByRole("listitem");
  const before = await sessions.count();
  await page.getByRole("button", { name: "End", exact: true }).first().click();
  await page.getByRole("heading", { name: /^End the session “.+”\?$/ }).waitFor();
  expect(await sessions.count()).toBe(before);
  await page.getByRole("dialog").getByRole("button", { name: "End" }).click();
  await page.getByText("That session is over").waitFor();
  await expect.poll(() => sessions.count()).toBe(before - 1);
  await world.go(page, "/you/passkeys");
  await page.getByText("No passkey yet").waitFor();
  await world.look(page, "passkeys");
  expect(world.faults()).toEqual([]);
}, 120_000);

test("a person adds a passkey and removes it", async () => {
  // So many sign-ins an hour are let through.
  await world.served.clock.advance(3_600_000);
  const page = await world.open(GRACE, "/you/passkeys");
  const device = await page.context().newCDPSession(page);
  await device.send("WebAuthn.enable");
  await device.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      ...{ protocol: "ctap2", transport: "usb", hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  await page.getByText("No passkey yet").waitFor();
  await page.getByLabel("Name").fill("My phone");
  await page.keyboard.press("Enter");
  await page.getByText("The passkey is added").waitFor();
  await page.getByText("Counts for decisions").waitFor();
  await world.look(page, "passkeys-one");
  await page.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("heading", { name: "Remove “My phone”?" }).waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await page.getByText("No passkey yet").waitFor();
  expect(world.faults()).toEqual([]);
}, 120_000);

test("a key sees what its permissions allow, and offers nothing that they don't", async () => {
  const { served } = world;
  const { as } = await served.signUp("cleo");
  await as.lists.create({ direction: "receive", type: "block", entry: "spam.example" });
  const { api_key } = await as.keys.create({ name: "Narrow", permissions: ["list_read", "webhook_read"] });
  const page = await world.open(null, "/operations");
  await page.getByRole("button", { name: "Sign in with an API key" }).click();
  await page.getByLabel("API key").fill(api_key);
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Lists" }).waitFor();
  expect(await page.getByRole("main").getByRole("link").allInnerTexts()).toEqual([
    expect.stringContaining("Webhooks"),
    expect.stringContaining("Lists"),
    expect.stringContaining("Settings"),
  ]);
  await page.getByRole("link", { name: "Lists" }).click();
  await page.getByText("spam.example").waitFor();
  expect(await page.getByRole("button", { name: /Block|Allow|Remove/ }).count()).toBe(0);
  await page.goBack();
  await page.getByRole("link", { name: "Webhooks" }).click();
  await page.getByText("No webhook yet").waitFor();
  expect(await page.getByRole("button", { name: "Add a webhook" }).count()).toBe(0);
  expect(world.faults()).toEqual([]);
}, 120_000);

test("a key outlives a reload on this very machine, and nowhere else", async () => {
  const { served } = world;
  const { as } = await served.signUp("dora");
  const { api_key } = await as.keys.create({ name: "Local" });
  const signIn = async (site: string) => {
    const page = await world.browser.open(`${site}/console/#/operations`);
    await page.getByRole("button", { name: "Sign in with an API key" }).click();
    await page.getByLabel("API key").fill(api_key);
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Lists" }).waitFor();
    const kept =
      "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])";
    const stored = String(await page.evaluate(kept)).includes(api_key);
    await page.reload();
    await page.getByRole("heading", { level: 1 }).waitFor();
    const title = await page.getByRole("heading", { level: 1 }).innerText();
    await page.context().close();
    return { stored, title };
  };
  const { port } = new URL(served.base_url);
  expect(await signIn(`http://localhost:${port}`)).toEqual({ stored: true, title: "Operations" });
  // Chromium leads every name below localhost to this machine.
  expect(await signIn(`http://mail.localhost:${port}`)).toEqual({ stored: false, title: "Sign in" });
}, 120_000);

test("who has charge of an inbox alone sees what concerns it, and is told politely what doesn't", async () => {
  const { served } = world;
  const { inbox, ...bea } = await served.signUp("bea");
  await served.letterslot.operator.accounts.authority.give({
    account_id: bea.account_id,
    email: ANN,
    inbox_id: inbox.id,
  });
  const page = await world.open(ANN, "/operations/webhooks");
  await page.getByRole("heading", { name: "Webhooks" }).waitFor();
  await page.getByText("This concerns the whole account").waitFor();
  await world.look(page, "operations-refused");
  await world.go(page, "/operations");
  await page.getByRole("link", { name: "Refusals" }).waitFor();
  expect(await page.getByRole("link", { name: "API keys" }).count()).toBe(0);
  expect(await page.getByRole("link", { name: "Domains" }).count()).toBe(0);
  expect(world.faults()).toEqual([]);
}, 120_000);

test("a person ends another's charge, changes and deletes a workspace, and gets a number and gives it back", async () => {
  const { served } = world;
  // So many sign-ins an hour are let through.
  await served.clock.advance(3_600_000);
  const owner = served.letterslot.asOwner({ email: GRACE, account_id });
  const dialog = (page: Page) => page.getByRole("dialog");
  await served.letterslot.operator.accounts.authority.give({ account_id, email: BEN });
  const page = await world.open(GRACE, "/operations/people");
  const row = page.getByRole("listitem").filter({ hasText: BEN });
  await row.getByRole("button", { name: "Stop trusting their passkeys" }).click();
  await dialog(page).getByRole("button", { name: "Stop trusting their passkeys" }).click();
  await row.getByText("Passkeys from before don't count").waitFor();
  await row.getByRole("button", { name: "End" }).click();
  await page.getByRole("heading", { name: `End ${BEN}’s charge of` }).waitFor();
  await page.keyboard.press("Escape");
  await dialog(page).waitFor({ state: "detached" });
  const inCharge = async () => (await owner.authority.list({})).data.map(({ email }) => email).toSorted();
  expect(await inCharge()).toEqual([BEN, GRACE]);
  await row.getByRole("button", { name: "End" }).click();
  await dialog(page).getByRole("button", { name: "End" }).click();
  await page.getByText(`${BEN} no longer has charge of this.`).waitFor();
  await row.waitFor({ state: "detached" });
  expect(await inCharge()).toEqual([GRACE]);

  // What an account is strict about isn't deleted with a workspace.
  await owner.me.update({ send_mode_floor: "direct" });
  const made = await owner.workspaces.create({ name: "Pond", inbox_quota: 2 });
  const within = served.client(made.api_key);
  await within.inboxes.create({ username: "pond" });
  await world.go(page, "/operations/workspaces");
  const ponds = async () => (await owner.workspaces.list({})).data.find(({ id }) => id === made.id);
  await page.getByRole("button", { name: /^Pond/ }).click();
  await page.getByText(`pond@${OURS}`).waitFor();
  await page.getByRole("button", { name: "Change" }).click();
  await page.getByLabel("Name").fill("Lake");
  await page.getByLabel("How many inboxes it may have").fill("3");
  await page.keyboard.press("Enter");
  await page.getByText("The workspace is changed.").waitFor();
  expect(await ponds()).toMatchObject({ name: "Lake", inbox_quota: 3 });
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("button", { name: /^Pond/ }).waitFor();
  expect(await ponds()).toMatchObject({ name: "Pond", inbox_quota: 2 });
  // Its inbox would be lost: that is said, and asked for.
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("heading", { name: "Delete the workspace Pond?" }).waitFor();
  await dialog(page).getByRole("button", { name: "Delete" }).click();
  await dialog(page).getByRole("alert").waitFor();
  expect(await ponds()).toBeDefined();
  await dialog(page).getByLabel("Its inboxes too, with their mail").check();
  await dialog(page).getByRole("button", { name: "Delete" }).click();
  await page.getByText("Pond is deleted.").waitFor();
  await page.getByRole("button", { name: /^Pond/ }).waitFor({ state: "detached" });
  expect(await ponds()).toBeUndefined();
  await expect(within.me.get({})).rejects.toMatchObject({ status: 401 });

  await world.go(page, "/operations/phone");
  await page.getByRole("button", { name: "Get a number" }).click();
  await page.getByLabel("Area code").fill("415");
  await expect.poll(() => page.getByLabel("Which number").locator("option").count()).toBeGreaterThan(1);
  await page.getByLabel("Which number").selectOption({ index: 1 });
  const wanted = await page.getByLabel("Which number").inputValue();
  await world.look(page, "phone-form");
  await page.getByRole("button", { name: "Get a number" }).click();
  await page.getByText(`${wanted} is yours.`).waitFor();
  const numbers = async () =>
    (await owner.phoneNumbers.list({})).data.map(({ e164, status }) => [e164, status]);
  expect(await numbers()).toEqual([[wanted, "active"]]);
  await page.getByRole("button", { name: "Give back" }).click();
  await page.getByRole("heading", { name: `Give ${wanted} back?` }).waitFor();
  await dialog(page).getByRole("button", { name: "Give back" }).click();
  await page.getByText(`${wanted} is given back.`).waitFor();
  await page.getByText("Given back", { exact: true }).waitFor();
  expect(await numbers()).toEqual([[wanted, "released"]]);

  // Whom agents don't write to, until that is taken back.
  await world.go(page, "/operations/contacts");
  await page.getByRole("button", { name: /^carl@customer.example/ }).click();
  const blocked = async () =>
    (await owner.lists.list({ direction: "send", type: "block" })).data.filter(
      ({ entry }) => entry === "carl@customer.example",
    );
  await page.getByRole("button", { name: "Never write to them" }).click();
  await page.getByText("May not be written to").waitFor();
  expect((await blocked()).map(({ direction, type }) => [direction, type])).toEqual([["send", "block"]]);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("May not be written to").waitFor({ state: "detached" });
  expect(await blocked()).toEqual([]);
  expect(world.faults().filter((fault) => !fault.includes("409 (Conflict)"))).toEqual([]);
  await page.context().close();
}, 120_000);
