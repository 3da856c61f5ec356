import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createManualClock } from "../../packages/core/testing/index.ts";
import { codeOf, enterMailedCode } from "../support/enter-mailed-code.ts";
import { freePort } from "../support/free-port.ts";
import { type Furnished, furnish } from "../support/furnished-account.ts";
import { type ConsoleWorld, startConsole } from "./harness.ts";
import { routesWithout, type Things, viewsAbout } from "./views.ts";

/** Two accounts with a record of every kind; what the names and addresses of each begin with is nowhere in the other. */
const WORDS = ["heron", "otter"] as const;
type Word = (typeof WORDS)[number];
const CALLBACK = "http://127.0.0.1:9/callback";
/** RFC 7636, appendix B. */
const PKCE = {
  verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1r1wW1gFWFOEjXk",
  challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
};

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
    const { account_id, inbox_id, thread_id, approval_id, webhook_id, domain_id, as } = account;
    const { id: export_id } = await as.exports.create({});
    things[word] = { inbox_id, thread_id, approval_id, webhook_id, domain_id, export_id, word: "mail" };
    await served.letterslot.operator.accounts.authority.give({
      ...{ account_id, email: chief(word), inbox_id: null },
    });
    const reader = served.client(
      (await as.keys.create({ name: `${word}-curious`, permissions: ["message_read"] })).api_key,
    );
    await reader.domains.list({}).catch(() => undefined);
  }
  await served.letterslot.refusals.write();
  await served.work();
}, 180_000);
afterAll(() => world?.close());

/** Goes to views, without a load of the page between them, and returns those whose page has a word anywhere. */
async function viewsWith(page: Page, word: string, views: Record<string, string>): Promise<string[]> {
  const found: string[] = [];
  for (const [name, path] of Object.entries(views)) {
    await page.evaluate(`location.hash = ${JSON.stringify(path)}`);
    await world.settled(page);
    const html = await page.evaluate<string>("document.documentElement.outerHTML");
    if (html.toLowerCase().includes(word)) found.push(name);
  }
  return found;
}

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
  expect(await viewsWith(page, "otter", own)).toEqual([]);
  const seen = await viewsWith(page, "heron", own);
  // What says nothing of anybody, and what has no mail in it.
  expect(Object.keys(own).filter((name) => !seen.includes(name))).toEqual([]);
  expect(await viewsWith(page, "otter", viewsAbout(things.otter))).toEqual([]);
  const second = await world.open(chief("otter"));
  expect(await viewsWith(second, "heron", viewsAbout(things.heron))).toEqual([]);
  await Promise.all([page.context().close(), second.context().close()]);
  expect(faults()).toEqual([]);
}, 300_000);
