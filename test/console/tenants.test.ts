import { hash } from "node:crypto";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createManualClock } from "../../packages/core/testing/index.ts";
import { casesOf } from "../support/case-count.ts";
import { signInToConnect } from "../support/consent.ts";
import { codeOf } from "../support/enter-mailed-code.ts";
import { freePort } from "../support/free-port.ts";
import { type Furnished, furnish } from "../support/furnished-account.ts";
import { type ConsoleWorld, startConsole } from "./harness.ts";
import { routesWithout, type Things, viewsAbout } from "./views.ts";

/** Two accounts with a record of every kind; what the names and addresses of each begin with is nowhere in the other. */
const WORDS = ["heron", "otter"] as const;
type Word = (typeof WORDS)[number];
const CALLBACK = "http://127.0.0.1:9/callback";
const VERIFIER = "the-app-proves-that-it-is-who-asked-for-the-code";

/** The views that name nothing of an account: they count, and say how it is set. */
const OF_NOBODY = [
  ...["operations", "operations-usage", "operations-settings", "operations-export"],
  ...["you-passkeys", "you-sessions"],
];

let world: ConsoleWorld;
const accounts = {} as Record<Word, Furnished>;
const things = {} as Record<Word, Things>;

/** Who has charge of the whole of an account. */
const chief = (word: Word): string => `${word}-chief@example.com`;

beforeAll(async () => {
  const port = await freePort();
  const baseUrl = `http://localhost:${port}`;
  world = await startConsole({ port, config: { baseUrl, clock: createManualClock(new Date()) } });
  const { served } = world;
  for (const word of WORDS) {
    const account = await furnish(served, word);
    accounts[word] = account;
    const { account_id, inbox_id, thread_id, approval_id, webhook_id, domain_id, update_id, as } = account;
    const { id: export_id } = await as.exports.create({});
    things[word] = {
      inbox_id,
      thread_id,
      approval_id,
      webhook_id,
      domain_id,
      export_id,
      update_id,
      word: "mail",
    };
    await served.letterslot.operator.accounts.authority.give({
      ...{ account_id, email: chief(word) },
    });
    const reader = served.client(
      (await as.keys.create({ name: `${word}-curious`, permissions: ["message_read"] })).api_key,
    );
    // It is refused, and noted as a refusal.
    await reader.domains.list({}).catch(() => undefined);
  }
  await served.letterslot.refusals.write();
  await served.work();
}, 180_000);
afterAll(() => world?.close());

/** Goes to views, without a load of the page between them, and returns those whose page has each word anywhere. */
async function viewsWithEach<W extends string>(
  page: Page,
  words: readonly W[],
  views: Record<string, string>,
): Promise<Record<W, string[]>> {
  const found = Object.fromEntries(words.map((word): [string, string[]] => [word, []])) as Record<
    W,
    string[]
  >;
  for (const [name, path] of Object.entries(views)) {
    // As fast as that nobody looks: so many calls a minute are answered.
    await world.served.clock.advance(1_000);
    await page.evaluate(`location.hash = ${JSON.stringify(path)}`);
    await world.settled(page);
    const html = await page.evaluate<string>("document.documentElement.outerHTML");
    for (const word of words) if (html.toLowerCase().includes(word)) found[word].push(name);
  }
  return found;
}

/** Those whose page has one word. */
const viewsWith = async (page: Page, word: string, views: Record<string, string>): Promise<string[]> =>
  (await viewsWithEach(page, [word], views))[word] ?? [];

/** Some of the views beside all other tests: enough for what is kept from one caller to the next. */
const someOf = (views: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(views).filter(([name], nth) => casesOf(nth % 3 === 0 || name === "you", true)),
  );

/** Faults but for what the browser says of what isn't shown to whoever asks. */
const faults = (): string[] =>
  world.faults().filter((fault) => !/responded with a status of (?:401|403|404)/.test(fault));

/** Signs in with a key, or with what stands for one. */
async function openWith(api_key: string): Promise<Page> {
  const page = await world.open(null);
  await page.getByRole("button", { name: "Sign in with an API key" }).click();
  await page.getByLabel("API key").fill(api_key);
  await page.getByRole("button", { name: "Use this key" }).click();
  await page.getByRole("navigation", { name: "Main" }).waitFor();
  return page;
}

test("every address that the app knows is looked at here", () => {
  expect(routesWithout(Object.values(viewsAbout(things.heron)).concat("/components", "/nowhere"))).toEqual(
    [],
  );
});

test("who has charge of an account sees what is theirs, and nothing of another's, whatever the address names", async () => {
  const page = await world.open(chief("heron"));
  const own = viewsAbout(things.heron);
  const { heron: seen, otter: foreign } = await viewsWithEach(page, WORDS, own);
  expect(foreign).toEqual([]);
  expect(Object.keys(own).filter((name) => !seen.includes(name))).toEqual(OF_NOBODY);
  expect(await viewsWith(page, "otter", viewsAbout(things.otter))).toEqual([]);
  const second = await world.open(chief("otter"));
  expect(await viewsWith(second, "heron", viewsAbout(things.heron))).toEqual([]);
  await Promise.all([page.context().close(), second.context().close()]);
  expect(faults()).toEqual([]);
}, 300_000);

test("who has charge of one inbox sees nothing of the account's others", async () => {
  const { account_id, other_inbox_id } = accounts.heron;
  const owner = world.served.letterslot.asOwner({ email: chief("heron"), account_id });
  const badger = await owner.inboxes.create({ username: "badger-agent", display_name: "badger of heron" });
  await world.served.receive({
    ...{ from: "badger-friend@example.org", to: badger.email, subject: "badger mail", text: "badger words" },
  });
  const email = "visitor@example.com";
  await world.served.letterslot.operator.accounts.authority.give({
    account_id,
    email,
    inbox_id: other_inbox_id,
  });
  const page = await world.open(email);
  expect(await viewsWith(page, "badger", viewsAbout({ ...things.heron, inbox_id: badger.id }))).toEqual([]);
  expect(await viewsWith(page, "heron", { mail: `/inboxes/${other_inbox_id}` })).toEqual(["mail"]);
  await page.context().close();

  const { api_key } = await owner.keys.createForInbox({ inbox_id: other_inbox_id, name: "Of one inbox" });
  const keyed = await openWith(api_key);
  expect(await viewsWith(keyed, "badger", viewsAbout({ ...things.heron, inbox_id: badger.id }))).toEqual([]);
  expect(await viewsWith(keyed, "heron", { mail: `/inboxes/${other_inbox_id}` })).toEqual(["mail"]);
  await keyed.context().close();
  expect(faults()).toEqual([]);
}, 300_000);

test("a developer with a key of one account sees nothing of the other", async () => {
  const page = await openWith(accounts.heron.api_key);
  expect(await viewsWith(page, "otter", viewsAbout(things.otter))).toEqual([]);
  expect(await viewsWith(page, "heron", { inboxes: "/inboxes" })).toEqual(["inboxes"]);
  await page.context().close();
  expect(faults()).toEqual([]);
}, 180_000);

/** An app's token for an account, which somebody in charge of it let in on the page for that. */
async function tokenOf(word: Word): Promise<string> {
  const { base_url } = world.served;
  const registered = await fetch(`${base_url}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      ...{ client_name: "Notes", redirect_uris: [CALLBACK], token_endpoint_auth_method: "none" },
    }),
  });
  const { client_id } = (await registered.json()) as { client_id: string };
  const site = world.served.letterslot.services.options.baseUrl;
  const asked = { client_id, redirect_uri: CALLBACK, resource: `${site}/api/v1` };
  const query = new URLSearchParams({
    ...asked,
    ...{ response_type: "code", scope: "inbox_read message_read task_read owner_read event_read" },
    ...{ code_challenge: hash("sha256", VERIFIER, "base64url"), code_challenge_method: "S256", state: "s" },
  });
  const page = await world.browser.open(`${site}/oauth/authorize?${query.toString()}`);
  await signInToConnect(page, chief(word), codeOf(world.served));
  const called = page.waitForRequest((request) => request.url().startsWith(CALLBACK));
  await page.getByRole("button", { name: "Allow", exact: true }).click();
  const code = new URL((await called).url()).searchParams.get("code") ?? "";
  await page.context().close();
  const answer = await fetch(`${site}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({
      ...asked,
      ...{ grant_type: "authorization_code", code, code_verifier: VERIFIER },
    }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

test("an app's token shows what its account let it see, and nothing of the other", async () => {
  const token = await tokenOf("heron");
  world.faults();
  const page = await openWith(token);
  expect(await viewsWith(page, "otter", viewsAbout(things.otter))).toEqual([]);
  expect(await viewsWith(page, "heron", { inboxes: "/inboxes" })).toEqual(["inboxes"]);
  await page.context().close();
  expect(faults()).toEqual([]);
}, 180_000);

/** Has no answer come but who is signed in: then a page shows what it kept. */
const cutOff = (page: Page) => page.route(/\/api\/v1\/(?!owners\/session$)/, () => undefined);

/** Goes to views that don't wait for answers, and returns those whose page has a word anywhere. */
async function keptOf(page: Page, word: string, views: Record<string, string>): Promise<string[]> {
  const found: string[] = [];
  for (const [name, path] of Object.entries(views)) {
    await page.evaluate(`location.hash = ${JSON.stringify(path)}`);
    await page.waitForTimeout(60);
    const html = await page.evaluate<string>("document.documentElement.outerHTML");
    if (html.toLowerCase().includes(word)) found.push(name);
  }
  return found;
}

test("who switches between two accounts keeps nothing of the one on the screen of the other", async () => {
  const email = "both@example.com";
  for (const word of WORDS)
    await world.served.letterslot.operator.accounts.authority.give({
      account_id: accounts[word].account_id,
      email,
    });
  const page = await world.open(email, "/you");
  const choice = page.getByLabel("Account");
  const [first = ""] = await choice
    .locator("option")
    .evaluateAll((all) => all.map((each) => String(each.getAttribute("value"))));
  const one = WORDS.find((word) => accounts[word].account_id === first) ?? "heron";
  const other = one === "heron" ? "otter" : "heron";
  await choice.selectOption(accounts[one].account_id);
  const own = someOf(viewsAbout(things[one]));
  expect((await viewsWith(page, one, own)).length).toBeGreaterThan(casesOf(9, 30));
  await page.evaluate("location.hash = '/you'");
  await world.settled(page);
  await choice.selectOption(accounts[other].account_id);
  await world.settled(page);
  const { mail, inboxes } = viewsAbout(things[other]) as Record<"mail" | "inboxes", string>;
  await viewsWith(page, other, { mail, inboxes });
  // Without any answer, what was kept stands there. The choice itself names both.
  await cutOff(page);
  expect(await keptOf(page, `${other}-`, { mail, inboxes })).toEqual(["mail", "inboxes"]);
  const { you, ...others } = own;
  expect(you).toBe("/you");
  expect(await keptOf(page, `${one}-`, others)).toEqual([]);
  await page.unrouteAll();
  await page.context().close();

  const again = await world.open(email);
  await again.evaluate(
    `localStorage.setItem("letterslot.account", ${JSON.stringify(accounts[other].account_id)})`,
  );
  await again.reload();
  expect(await viewsWith(again, `${one}-`, { ...viewsAbout(things[other]), you: "/you/sessions" })).toEqual(
    [],
  );
  await again.context().close();
  expect(faults()).toEqual([]);
}, 300_000);

test("who signs in after another in the same tab finds nothing of theirs", async () => {
  const page = await world.open(chief("heron"));
  const own = someOf(viewsAbout(things.heron));
  expect((await viewsWith(page, "heron", own)).length).toBeGreaterThan(casesOf(9, 30));
  await page.evaluate("location.hash = '/you'");
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("Your email address").fill(chief("otter"));
  expect(await page.evaluate<string>("document.documentElement.outerHTML")).not.toContain("heron");
  await page.getByRole("button", { name: "Send me a code" }).click();
  const code = page.getByLabel("The code from the email");
  await code.waitFor();
  await code.fill(await codeOf(world.served)(chief("otter")));
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("navigation", { name: "Main" }).waitFor();
  await world.settled(page);
  await cutOff(page);
  expect(await keptOf(page, "heron", own)).toEqual([]);
  await page.unrouteAll();
  await page.context().close();
  expect(faults()).toEqual([]);
}, 300_000);
