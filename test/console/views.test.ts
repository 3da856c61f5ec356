import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createManualClock } from "../../packages/core/testing/index.ts";
import { casesOf } from "../support/case-count.ts";
import { codeOf } from "../support/enter-mailed-code.ts";
import { type ConsoleWorld, startConsole } from "./harness.ts";
import { LIVED_MS, liveIn } from "./lived-in.ts";
import { ROUTES, routesWithout } from "./views.ts";

/**
 * Every view with long and real content, and every view of an account without any. With SCREENSHOTS set their pictures are
 * taken: each on a phone and on a desk, light and dark.
 */
let world: ConsoleWorld;
let lived: Awaited<ReturnType<typeof liveIn>>;

beforeAll(async () => {
  const clock = createManualClock(new Date(Date.now() - LIVED_MS));
  world = await startConsole({ config: { clock } });
  lived = await liveIn(world.served);
}, 180_000);
afterAll(() => world?.close());

/** What each view of an account without content says: what will be there, and how it gets there. */
const EMPTY: Record<string, string> = {
  "needs-you":
    "Nothing waits for you Your agents are at work. What needs a decision shows up here by itself.",
  approvals:
    "Nothing to approve When an agent needs your word before something leaves, it shows up here by itself.",
  "approvals-pending": "Nothing here No approval is in this state.",
  mail: "No mail here What comes shows up by itself.",
  "mail-unread": "Nothing is unread New mail shows up here by itself.",
  "mail-archive": "Nothing is archived Archive a conversation, and it is kept here.",
  "mail-spam": "No spam Mail that a rule or a person calls spam is kept here.",
  "mail-trash": "The trash is empty What is deleted can be restored from here for a while.",
  "mail-search": "Nothing was found Try fewer words, or the beginning of one with a *.",
  agent: "Nothing said yet Give your agent something to do below. What it reports and asks shows up here.",
  "agent-tasks":
    "No task yet An email from a person in charge becomes a task, and so does what you write here.",
  "agent-rules":
    "No rules yet A rule labels, archives, holds or answers mail before your agent gets to it. Add a rule",
  "agent-expectations":
    "Nothing is expected When your agent waits for a code, a link or a reply, you see it here.",
  "agent-forwarding":
    "Mail goes nowhere else Have this inbox's mail, or what rules choose of it, in your own mailbox too.",
  "agent-settings": "None planted.",
  "operations-webhooks":
    "No webhook yet A webhook posts events, such as a new email, to a server of yours as they happen. Add a webhook",
  "operations-refusals": "Nothing was refused When an agent is told no, it shows up here with what it tried.",
  "operations-keys": "No keys A key lets a program use this account within its rights. Create a key",
  "operations-apps": "No app has access When you give an app access, it shows up here.",
  "operations-domains":
    "No domain of your own yet With one, your agents have addresses such as ada@agents.example.com. Add a domain",
  "operations-lists": "Nobody is blocked Block beats allow. Block somebody",
  "operations-lists-send":
    "Nobody in particular While nobody is listed here, everybody who isn't blocked is allowed. Allow somebody",
  "operations-suppressions":
    "Everybody can be written to Addresses that bounce for good, complain or ask for it show up here. Suppress an address",
  "operations-contacts":
    "Nobody yet Everybody that mail came from or went to shows up here a few minutes later.",
  "operations-phone":
    "No phone number With a number of its own, an agent can text and be called. Get a number",
  "operations-people":
    "Nobody is asking for charge of anything. Anybody who signs in can ask, and you decide.",
  "operations-workspaces":
    "No workspace yet A workspace is an account within yours, with keys and inboxes of its own, such as for one customer. Make a workspace",
  "operations-usage": "Messages 0",
  "you-passkeys": "No passkey yet Add one, and you sign in without a code from now on. Add a passkey",
};
/** An account has an inbox, and was made by an event and in a session. */
const NEVER_EMPTY = [
  ...[
    "start",
    "inboxes",
    "held-mail",
    "questions",
    "operations",
    "operations-events",
    "operations-settings",
    "you",
    "you-sessions",
  ],
];

/** The texts that the box around them cuts off, but where it says so by an ellipsis. */
const CUT_OFF = `[...document.querySelectorAll("main *")].flatMap((element) => {
  if (![...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "")) return [];
  const { right, width } = element.getBoundingClientRect();
  if (width < 2) return [];
  for (let around = element.parentElement; around !== null; around = around.parentElement) {
    const { overflowX, textOverflow } = getComputedStyle(around);
    // What scrolls isn't cut off, and what is a pixel wide is for those who listen.
    if (["auto", "scroll"].includes(overflowX) || textOverflow === "ellipsis" || around.clientWidth <= 1) return [];
    if (overflowX !== "visible" && right > around.getBoundingClientRect().right + 1) return [element.textContent];
  }
  return right > innerWidth + 1 ? [element.textContent] : [];
})`;

const textOf = async (page: Page): Promise<string> =>
  (await page.locator("main").innerText()).replaceAll(/\s+/g, " ");

/** Looks at each view, and returns what stands there. */
async function walk(
  page: Page,
  views: Record<string, string>,
  kind: string,
): Promise<Record<string, string>> {
  const faults: string[] = [];
  const texts: Record<string, string> = {};
  const size = page.viewportSize() ?? { width: 390, height: 844 };
  for (const [name, path] of Object.entries(views)) {
    await world.go(page, path);
    // The page of components shows how waiting looks.
    if (name !== "components") await world.settled(page);
    for (const fault of await world.faultsOf(page)) faults.push(`${name}: ${fault}`);
    if (size.width < 500) await page.setViewportSize({ ...size, width: 360 });
    for (const text of await page.evaluate<string[]>(CUT_OFF)) faults.push(`${name} cuts off: ${text}`);
    await page.setViewportSize(size);
    texts[name] = await textOf(page);
    await world.pictures(page, `${kind}-${name}`);
  }
  expect(faults).toEqual([]);
  await page.context().close();
  return texts;
}

test("every address that the app knows has a view here", () => {
  expect(ROUTES.length).toBeGreaterThan(14);
  expect(routesWithout(Object.values(lived.filled))).toEqual([]);
});

test("with long and real content, each view is whole on a phone: axe in both themes, and nothing is cut off on the narrowest", async () => {
  await walk(await world.open(lived.email), lived.filled, "filled");
  expect(world.faults()).toEqual([]);
}, 400_000);

test("without any content, each view says what will be there, and what to do for it", async () => {
  const texts = await walk(await world.open(lived.emptyEmail), lived.empty, "empty");
  const said = Object.entries(EMPTY).filter(([name, text]) => texts[name]?.includes(text) !== true);
  expect(said.map(([name]) => [name, texts[name]])).toEqual([]);
  expect(Object.keys(texts).filter((name) => !(name in EMPTY))).toEqual(NEVER_EMPTY);
  expect(world.faults()).toEqual([]);
}, 400_000);

const MESSAGE = "A disk of the service is full.";
const FIX = "Wait until its operator has made room.";
/** All that is asked but who is signed in: without that there is no view. */
const ASKED = /\/api\/v1\/(?!owners\/session$)/;
/** Asked by what is around every view. */
const AROUND = /\/(?:overview\?|events\/stream)/;

const timeless = (text: string): string => text.replaceAll(/\d+ minutes? ago|this minute/g, "just now");

/** Has the service answer all that a page asks with this status, or wait with it (0), until `let` says otherwise. */
async function troubled(page: Page): Promise<{ asked: string[]; answer(status: number | "well"): void }> {
  const asked: string[] = [];
  let status: number | "well" = "well";
  let waiting: (() => void)[] = [];
  await page.route(ASKED, async (route) => {
    asked.push(route.request().url());
    while (status === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    const answer =
      status === "well"
        ? route.continue()
        : route.fulfill({
            status,
            headers: { "content-type": "application/json", "retry-after": "0" },
            body: JSON.stringify({
              error: { type: "api_error", code: "internal_error", message: MESSAGE, fix: FIX },
            }),
          });
    // The page that asked may be gone.
    await answer.catch(() => undefined);
  });
  return {
    asked,
    answer(next) {
      status = next;
      for (const go of waiting) go();
      waiting = [];
    },
  };
}

/** Those that wait and fail each in its own way: most are lists, which do so alike. */
const LOOKED_AT = new Set([
  ...["needs-you", "approval", "mail", "mail-thread", "agent", "agent-settings", "operations-webhooks"],
  ...["operations-webhook", "operations-events", "operations-usage", "operations-settings", "you-passkeys"],
]);

/** What is laid out in another way where there is room. */
const AT_A_DESK = [
  ...["needs-you", "approval", "mail", "mail-thread", "agent-tasks", "operations"],
  ...["operations-refusals", "operations-usage", "operations-domain"],
];

/** Whether a view needs what was asked for. */
const isAbout = (name: string, url: string): boolean => name === "needs-you" || !AROUND.test(url);

/** The faults but for what the browser says of answers of that status. */
const faultsBut = (status: number): string[] =>
  world.faults().filter((fault) => !fault.includes(`responded with a status of ${status}`));

test("each view shows that it waits, then what went wrong and its remedy, and is whole once it is tried again", async () => {
  const page = await world.open(lived.email);
  const service = await troubled(page);
  const failing: string[] = [];
  const wrong: string[] = [];
  const views = Object.entries(lived.filled).filter((_, nth) => casesOf(nth % 3 === 0, true));
  for (const [name, path] of views) {
    if (name === "components") continue;
    const note = (text: string) => wrong.push(`${name}: ${text}`);
    const open = async () => {
      await page.goto("about:blank");
      service.asked.length = 0;
      await page.goto(`${world.served.base_url}/console/#${path}`);
      await page.locator("#content h1").first().waitFor({ state: "attached" });
    };
    await open();
    await world.settled(page);
    if (!service.asked.some((url) => isAbout(name, url))) continue;
    failing.push(name);
    const whole = timeless(await textOf(page));

    service.answer(0);
    await open();
    const waits = page.locator('main [role="status"]:visible');
    await waits
      .first()
      .waitFor({ timeout: 20_000 })
      .catch(() => note("waits without saying so"));
    if (LOOKED_AT.has(name)) for (const fault of await world.faultsOf(page)) note(`waiting: ${fault}`);

    service.answer(500);
    await world.settled(page);
    const text = await textOf(page);
    if (!text.includes(`${MESSAGE} ${FIX}`)) note(`fails without saying so: ${text}`);
    if ((await page.locator("main h1").first().innerText()).trim() === "") note("has no heading");
    if ((await page.locator('main svg[viewBox="0 0 120 80"]:visible').count()) > 0) note(`is empty: ${text}`);
    if (LOOKED_AT.has(name)) for (const fault of await world.faultsOf(page)) note(`failing: ${fault}`);

    const again = page.locator("main").getByRole("button", { name: "Try again" }).first();
    await again.waitFor({ timeout: 20_000 }).catch(() => note("can't be tried again"));
    service.answer("well");
    // One press is enough, however many answers a view is made of. A view may come back by itself before.
    await again.click({ timeout: 2_000 }).catch(() => undefined);
    await world.settled(page);
    const after = timeless(await textOf(page));
    if (after !== whole) note(`isn't whole afterwards:\n    ${after}\n    ${whole}`);
  }
  expect(faultsBut(500)).toEqual([]);
  expect(wrong.join("\n")).toBe("");
  expect(failing.length, failing.join(" ")).toBeGreaterThan(casesOf(11, 35));
  await page.context().close();
}, 400_000);

test("whoever may not see a view is told so, and what to do about it", async () => {
  const page = await world.open(lived.email);
  const service = await troubled(page);
  service.answer(403);
  await page.reload();
  const wrong: string[] = [];
  for (const [name, path] of Object.entries(lived.filled)) {
    if (name === "components") continue;
    service.asked.length = 0;
    await world.go(page, path);
    await world.settled(page);
    const text = await textOf(page);
    if (!service.asked.some((url) => isAbout(name, url))) continue;
    if (!text.includes(`${MESSAGE} ${FIX}`)) wrong.push(`${name}: ${text}`);
    if (EMPTY[name] !== undefined && text.includes(EMPTY[name])) wrong.push(`${name} is empty: ${text}`);
    if (LOOKED_AT.has(name)) for (const fault of await world.faultsOf(page)) wrong.push(`${name}: ${fault}`);
  }
  expect(faultsBut(403)).toEqual([]);
  expect(wrong.join("\n")).toBe("");
  await page.context().close();
}, 400_000);

test("what is opened by a press, and what only some see, is whole too", async () => {
  const faults: string[] = [];
  const look = async (page: Page, name: string) => {
    await world.settled(page);
    for (const fault of await world.faultsOf(page)) faults.push(`${name}: ${fault}`);
    await world.pictures(page, `opened-${name}`);
  };
  const nobody = await world.open(null);
  await look(nobody, "sign-in");
  await nobody.getByRole("button", { name: "Sign in with an API key" }).click();
  await look(nobody, "sign-in-key");
  await nobody.context().close();

  const page = await world.open(lived.email, lived.filled["mail-files"]);
  await world.settled(page);
  const shows = page.getByRole("button", { name: "Show", exact: true });
  expect(await shows.count()).toBeGreaterThan(0);
  while ((await shows.count()) > 0) await shows.first().click();
  await page.getByRole("img", { name: "receipt.png" }).waitFor();
  await look(page, "mail-files-shown");
  await page.context().close();

  const reader = await world.open(null);
  await reader.getByRole("button", { name: "Sign in with an API key" }).click();
  await reader.getByLabel("API key").fill(lived.api_key);
  await reader.getByRole("button", { name: "Use this key" }).click();
  await reader.getByRole("navigation", { name: "Main" }).waitFor();
  await reader.evaluate(`location.hash = ${JSON.stringify(lived.filled["approval"])}`);
  await look(reader, "approval-of-others");
  expect(await reader.getByRole("button", { name: "Approve" }).count()).toBe(0);
  await reader.context().close();

  const desk = await world.open(lived.email, "/", { desk: true });
  for (const name of AT_A_DESK) {
    await world.go(desk, lived.filled[name] ?? "");
    await look(desk, `desk-${name}`);
  }
  await desk.context().close();
  expect(faults).toEqual([]);
  expect(world.faults()).toEqual([]);
}, 200_000);

test("while nobody knows who looks, that is said; where it can't be found out, why, and it can be tried again", async () => {
  const page = await world.open(lived.email);
  let answers = 0;
  let failing = true;
  await page.route("**/api/v1/owners/session", (route) => {
    answers += 1;
    const error = { type: "api_error", code: "internal_error", message: MESSAGE, fix: FIX };
    return failing
      ? route.fulfill({ status: 500, headers: { "retry-after": "0" }, json: { error } })
      : route.continue();
  });
  await page.reload();
  await page.getByText(MESSAGE).waitFor();
  await page.getByText(FIX).waitFor();
  expect(answers).toBeGreaterThan(0);
  expect(await world.faultsOf(page)).toEqual([]);
  failing = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { name: "Needs you" }).waitFor();
  expect(faultsBut(500)).toEqual([]);
  await page.context().close();
}, 60_000);

test("whoever has no account yet is led to what begins one, and no view of theirs fails or is blank", async () => {
  const email = "nobody.yet@owner.example";
  const page = await world.open(null);
  await page.getByLabel("Your email address").fill(email);
  await page.getByRole("button", { name: "Send me a code" }).click();
  const code = page.getByLabel("The code from the email");
  await code.waitFor();
  await code.fill(await codeOf(world.served)(email));
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("heading", { name: "Let your first agent in" }).waitFor();
  const led: string[] = [];
  const faults: string[] = [];
  for (const [name, path] of Object.entries(lived.empty)) {
    await page.evaluate(`location.hash = ${JSON.stringify(path)}`);
    await world.settled(page);
    const text = await textOf(page);
    if (text.includes("Pair your first one.") || text.includes("Let your first agent in")) led.push(name);
    if (name === "inboxes") faults.push(...(await world.faultsOf(page)));
  }
  const own = Object.keys(lived.empty).filter((name) => !led.includes(name));
  expect(own).toEqual(["operations", "you", "you-passkeys", "you-sessions"]);
  expect(faults).toEqual([]);
  expect(world.faults()).toEqual([]);
  await page.context().close();
}, 60_000);
