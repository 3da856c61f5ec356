import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ConsoleWorld, startConsole } from "./harness.ts";

/** Two accounts; in everything of the first one is its word, and in everything of the second its own. */
const PEOPLE = { heron: "heron-owner@example.com", otter: "otter-owner@example.com" } as const;
type Account = keyof typeof PEOPLE;

let world: ConsoleWorld;
const places = {} as Record<
  Account,
  { inbox_id: string; thread_id: string; approval_id: string; api_key: string; account_id: string }
>;

beforeAll(async () => {
  world = await startConsole();
  for (const account of ["heron", "otter"] as const) places[account] = await furnish(account);
}, 180_000);
afterAll(() => world?.close());

/** An account with mail, a task, an approval, a webhook, a domain, a contact, a rule and a key, all with its word. */
async function furnish(word: Account) {
  const { served } = world;
  const email = PEOPLE[word];
  const person = { email, session_id: null, ip: null };
  const { id: inbox_id, account_id } = await served.letterslot.openAccountFor(person, {
    username: `${word}-agent`,
  });
  const owner = served.letterslot.asOwner({ email, account_id });
  const { api_key } = await owner.keys.create({ name: `${word} key` });
  const agent = served.client(api_key);
  await served.receive({
    from: `${word}-friend@example.org`,
    to: `${word}-agent@letterslot.localhost`,
    subject: `${word} news`,
    text: `${word} words`,
  });
  await served.receive({
    from: email,
    to: `${word}-agent@letterslot.localhost`,
    subject: `${word} work`,
    text: `${word} please`,
  });
  await owner.inboxes.update({ inbox_id, send_mode: "approval" });
  await agent.messages.send({
    inbox_id,
    to: [`${word}-stranger@example.net`],
    subject: `${word} offer`,
    text: `${word} offer`,
  });
  await owner.webhooks.create({ url: `https://${word}.example.net/hook`, events: ["message.received"] });
  await owner.domains.create({ domain: `${word}.example.org` });
  await owner.rules.create({
    inbox_id,
    name: `${word} rule`,
    conditions: { from: [`${word}@example.org`] },
    actions: { add_labels: [word] },
  });
  await served.work();
  const [thread] = (await owner.threads.list({ inbox_id })).data;
  const [approval] = (await owner.approvals.list({})).data;
  return { inbox_id, thread_id: thread?.id ?? "", approval_id: approval?.id ?? "", api_key, account_id };
}

/** Every view, about the things of an account where it is about one. */
const viewsAbout = ({ inbox_id, thread_id, approval_id }: (typeof places)[Account]) => [
  "/",
  "/approvals",
  `/approvals/${approval_id}`,
  "/inboxes",
  `/inboxes/${inbox_id}`,
  `/inboxes/${inbox_id}/threads/${thread_id}`,
  `/inboxes/${inbox_id}/in/trash`,
  ...["conversation", "tasks", "rules", "expectations", "forwarding", "settings"].map(
    (tab) => `/inboxes/${inbox_id}/agent/${tab}`,
  ),
  "/operations",
  ...[
    "webhooks",
    "events",
    "refusals",
    "keys",
    "apps",
    "people",
    "domains",
    "phone",
    "lists",
    "suppressions",
    "workspaces",
    "contacts",
    "usage",
    "settings",
  ].map((name) => `/operations/${name}`),
  "/you",
];

/** Goes to a place and returns everything that stands there once nothing is on its way. */
async function textOf(page: Page, path: string): Promise<string> {
  await page.goto(`${world.served.base_url}/console/#${path}`);
  await page.locator("main h1:visible").first().waitFor();
  await page.locator('[role="status"].grid').first().waitFor({ state: "detached" });
  return page.evaluate("document.documentElement.outerHTML");
}

test.each([
  ["heron", "otter"],
  ["otter", "heron"],
] as const)(
  "a person of %s sees nothing of %s on any view, whatever the address names",
  async (own, other) => {
    const page = await world.open(PEOPLE[own]);
    let own_seen = 0;
    for (const about of [own, other] as const)
      for (const path of viewsAbout(places[about])) {
        const html = await textOf(page, path);
        expect(html.includes(other), `${path} of ${about} shows ${other}`).toBe(false);
        own_seen += Number(html.includes(own));
      }
    expect(own_seen).toBeGreaterThan(viewsAbout(places[own]).length / 2);
    await page.context().close();
  },
  180_000,
);

test("whoever has charge of one inbox sees nothing of the account's others", async () => {
  const { served } = world;
  const { account_id, inbox_id } = places.heron;
  const owner = served.letterslot.asOwner({ email: PEOPLE.heron, account_id });
  const second = await owner.inboxes.create({ username: "badger-agent", display_name: "badger" });
  await served.receive({
    from: "badger-friend@example.org",
    to: "badger-agent@letterslot.localhost",
    subject: "badger news",
    text: "badger words",
  });
  await served.letterslot.operator.accounts.authority.give({
    account_id,
    email: "visitor@example.com",
    inbox_id,
  });
  const page = await world.open("visitor@example.com");
  for (const path of viewsAbout({ ...places.heron, inbox_id: second.id })) {
    const html = await textOf(page, path);
    expect(html.includes("badger"), path).toBe(false);
  }
  expect(await textOf(page, `/inboxes/${inbox_id}`)).toContain("heron");
}, 180_000);

test("a developer with a key of one account sees nothing of the other", async () => {
  const page = await world.open(null);
  await page.getByRole("button", { name: "Sign in with an API key" }).click();
  await page.getByLabel("API key").fill(places.heron.api_key);
  await page.getByRole("button", { name: "Use this key" }).click();
  await page.getByRole("heading", { name: "Needs you" }).waitFor();
  for (const path of viewsAbout(places.otter)) {
    // A change after # keeps the page, and the key in its memory.
    await page.evaluate(`location.hash = ${JSON.stringify(path)}`);
    await page.locator("main h1:visible").first().waitFor();
    await page.locator('[role="status"].grid').first().waitFor({ state: "detached" });
    expect(await page.evaluate("document.documentElement.outerHTML.includes('otter')"), path).toBe(false);
  }
  await page.evaluate("location.hash = '/inboxes'");
  await page.getByText("heron-agent@letterslot.localhost").first().waitFor();
}, 180_000);
