import type { Page, Request } from "playwright-core";
import PostalMime from "postal-mime";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EVERY_LETTER } from "../packages/core/src/owners/notifications/every-letter.fixture.ts";
import { type Served, serve } from "../packages/server/testing/serve.ts";
import { findAxeViolations, findColourViolations } from "./support/axe.ts";
import { type PhoneBrowser, startPhoneBrowser } from "./support/phone-browser.ts";

const EMAIL = "grace@example.com";
const HOUR_MS = 3600_000;
/** Letters that nothing below brings about. */
const FURTHER = [
  ...["update-detailed-done", "update-detailed-progress", "update-detailed-error", "question-again"],
  ...["which-question", "flood", "preferences-changed", "updates-ended", "canary", "domain-degraded"],
  ...["domain-receives-yours", "postmaster", "forwarding", "forwarding-ended-bounced", "sign-in-session"],
  ...["recovery", "key-recovered", "keys-left", "passkey-added", "paired"],
];

let served: Served;
let browser: PhoneBrowser;
/** Tests that only look at pages share these two, as a browser takes long to open one. */
let phone: Page;
let desk: Page;
let inbox_id: string;
let client: ReturnType<Served["client"]>;
const links: Record<string, string> = {};
const letters: Record<string, string> = {};

beforeAll(async () => {
  [served, browser] = await Promise.all([serve(), startPhoneBrowser()]);
  const opened = await served
    .client()
    .accounts.onboard({ username: "ada", display_name: "Ada, who plans Grace's move" });
  client = served.client(opened.api_key);
  inbox_id = opened.inbox.id;
  await everyLetter();
  phone = await browser.open("about:blank");
  desk = await browser.open("about:blank", { desk: true });
}, 180_000);

afterAll(async () => {
  await Promise.all([served?.close(), browser?.close()]);
});

/** The newest letter's HTML, and the URLs on this server that it links to. */
async function newest(to = EMAIL): Promise<{ html: string; found: (page: string) => string }> {
  await served.work();
  const sent = served.transport.sent.findLast(({ envelope }) => envelope.rcpt_to.includes(to));
  const { html = "", text = "" } = await PostalMime.parse(sent?.raw ?? new Uint8Array());
  const found = (page: string) =>
    served.base_url + (new RegExp(`/api/v1/owners/${page}\\?token=\\S+`).exec(text)?.[0] ?? "");
  return { html, found };
}

async function everyLetter(): Promise<void> {
  const { id: owner_id } = await client.owners.create({ inbox_id, email: EMAIL });
  const invitation = await newest();
  letters["confirmation"] = invitation.html;
  links["confirm"] = invitation.found("confirm");
  links["confirm-by-code"] = `${served.base_url}/api/v1/owners/confirm`;
  links["confirm-failed"] = `${served.base_url}/api/v1/owners/confirm?token=wrong`;
  await served.client().owners.confirm({ email: EMAIL, code: served.codeFor(EMAIL) });
  await served.clock.advance(HOUR_MS);
  await client.owners.create({ inbox_id, email: "second@example.com" });
  links["confirm-replaced"] = (await newest("second@example.com")).found("confirm");
  await client.owners.create({ inbox_id, email: "second@example.com" });

  await client.owners.update({ inbox_id, owner_id, email_style: "detailed" });
  const questions = [
    ["yes-no", { type: "yes_no" as const, default: false, expires_at: "2026-01-02T00:00:00Z" }],
    [
      "choice",
      {
        type: "choice" as const,
        options: ["The garden", "The town hall", "A place by the river, if the weather holds"],
      },
    ],
    ["number", { type: "number" as const }],
    ["date", { type: "date" as const }],
    ["text", { type: "text" as const }],
  ] as const;
  for (const [name, question] of questions) {
    await client.updates.create({
      inbox_id,
      kind: "needs_input",
      title: "Where shall the party be",
      text: "Three places are free on the 12th.\nThe garden costs nothing, the others 400 €.",
      links: [{ label: "The offers", url: "https://offers.example.org/party/list?of=three" }],
      question: question.type === "choice" ? { ...question, options: [...question.options] } : question,
    });
    const letter = await newest();
    letters[`question-${name}`] = letter.html;
    links[`answer-${name}`] = letter.found("answer");
  }
  links["style"] = (await newest()).found("style");
  links["unsubscribe"] = (await newest()).found("unsubscribe");
  links["style-failed"] = `${served.base_url}/api/v1/owners/style?token=wrong`;
  await everyDigest(owner_id);
  await client.inboxes.update({ inbox_id, send_mode: "approval" });
  await client.messages.send({
    inbox_id,
    to: ["hall@example.org"],
    subject: "The hall",
    text: "May we have the hall on the 12th?",
  });
  const approval = await newest();
  letters["approval"] = approval.html;
  links["approve"] = approval.found("approve");
}

async function everyDigest(owner_id: string): Promise<void> {
  await client.owners.update({ inbox_id, owner_id, digest: "daily" });
  await client.updates.create({
    inbox_id,
    kind: "done",
    title: "The boxes are ordered",
    text: "Forty boxes come on Monday.",
  });
  await client.digests.flush();
  letters["digest-of-1"] = (await newest()).html;
  for (let n = 1; n <= 120; n++)
    await client.updates.create({
      inbox_id,
      kind: "progress",
      title: `Room ${n} is packed`,
      text: "All of it.",
      task_id: `room-${n % 30}`,
    });
  for (let n = 1; n <= 75; n++)
    await client.updates.create({
      inbox_id,
      kind: "done",
      title: `Letter ${n} is written`,
      text: "And sent.",
    });
  for (let n = 1; n <= 3; n++)
    await client.updates.create({
      inbox_id,
      kind: "error",
      title: `The piano did not fit, try ${n}`,
      text: "It is too wide.",
    });
  await client.updates.create({
    inbox_id,
    kind: "needs_input",
    title: "Shall the piano be sold",
    text: "A neighbour offers 900 €.",
    question: { type: "yes_no" },
  });
  await client.updates.create({
    inbox_id,
    kind: "needs_input",
    title: "Which day suits",
    text: "The movers have both.",
    question: { type: "choice", options: ["Monday", "Tuesday"] },
  });
  await client.digests.flush();
  letters["digest-of-200"] = (await newest()).html;
}

/** Shows a page in a clean state: without anything that an earlier one has left there. */
async function show(page: Page, url: string): Promise<void> {
  await page.context().clearCookies();
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto(url);
}

/** Expects no horizontal overflow, and touch targets that are large enough. */
async function expectFits(page: Page): Promise<void> {
  expect(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")).toBe(true);
  const low = await page.evaluate(
    "[...document.querySelectorAll('button, .button a, input:not([type=hidden], [type=radio], [type=checkbox]), label.pick')].map((e) => e.getBoundingClientRect().height).filter((h) => h > 0 && h < 40)",
  );
  expect(low).toEqual([]);
}

describe("the pages of an owner", () => {
  const names = [
    "confirm",
    "confirm-by-code",
    "confirm-failed",
    "confirm-replaced",
    "unsubscribe",
    "style",
    "style-failed",
    "approve",
  ];
  /** Pages that belong to no letter, or that explain why its link doesn't work. */
  const NAMELESS = new Set(["confirm-by-code", "confirm-failed", "confirm-replaced", "style-failed"]);
  const answers = ["yes-no", "choice", "number", "date", "text"].map((type) => `answer-${type}`);

  test.each([...names, ...answers])(
    "%s fits a phone and a desktop in light and dark mode, and axe finds nothing",
    async (name) => {
      for (const [look, page] of Object.entries({ phone, desk })) {
        await show(page, links[name] ?? "");
        await browser.screenshot(page, `owner/${name}-${look}`);
        expect(await findAxeViolations(page), look).toEqual([]);
        await expectFits(page);
        expect(await page.locator("script").count()).toBe(0);
        // Whoever asks is named at the top.
        expect(await page.locator(".who").count()).toBe(NAMELESS.has(name) ? 0 : 1);
      }
      // Dark mode has other colours, and differs in nothing else.
      await phone.emulateMedia({ colorScheme: "dark" });
      await browser.screenshot(phone, `owner/${name}-phone-dark`);
      expect(await findColourViolations(phone), "phone-dark").toEqual([]);
      await expectFits(phone);
    },
  );

  test("an answer can be given with the keyboard alone", async () => {
    const page = await browser.open(links["answer-choice"] ?? "", { desk: true });
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Send this answer");
    await browser.screenshot(page, "owner/answer-by-keyboard");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Your answer was sent" }).waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    expect((await client.tasks.list()).data).toMatchObject([
      { answer: { method: "page", value: expect.any(String) } },
    ]);
    await page.goto(links["answer-choice"] ?? "");
    await page.getByRole("heading", { name: "This question was answered" }).waitFor();
    await browser.screenshot(page, "owner/answered");
    expect(await findAxeViolations(page)).toEqual([]);
    await page.context().close();
  });

  test("a date and a number are entered in native input fields", async () => {
    const date = await browser.open(links["answer-date"] ?? "");
    await date.getByLabel("Your answer (a date)").fill("2026-12-24");
    await date.getByRole("button").tap();
    await date.getByRole("heading", { name: "Your answer was sent" }).waitFor();
    const number = await browser.open(links["answer-number"] ?? "");
    await number.getByLabel("Your answer (a number)").fill("12,5");
    await number.getByRole("button").tap();
    await number.getByRole("heading", { name: "Your answer was sent" }).waitFor();
    const values = (await client.tasks.list()).data.map(({ answer }) => answer?.value);
    expect(values).toEqual(expect.arrayContaining(["2026-12-24", 12.5]));
    await Promise.all([date.context().close(), number.context().close()]);
  });

  test("the style page saves, confirms it, and tells its address to no other site", async () => {
    const page = await browser.open(links["style"] ?? "");
    await page.getByLabel("Once a day, in one email").check();
    await page.getByRole("button", { name: "Save frequency" }).tap();
    await page.getByRole("status").waitFor();
    await page.getByLabel("Casual: as a colleague would write").check();
    await page.getByLabel("Note for your agent (optional)").fill("No jargon, please.");
    await page.getByRole("button", { name: "Save style" }).tap();
    await page.getByText("Saved.").waitFor();
    await browser.screenshot(page, "owner/style-saved");
    expect(await findAxeViolations(page)).toEqual([]);
    const { headers } = await fetch(links["style"] ?? "", { headers: { accept: "text/html" } });
    expect(headers.get("referrer-policy")).toBe("same-origin");
    const { data } = await client.owners.list({ inbox_id });
    expect(data.find((owner) => owner.email === EMAIL)).toMatchObject({
      digest: "daily",
      email_style: "casual",
      email_style_note: "No jargon, please.",
    });
    await page.context().close();
  });

  test("the unsubscribe page unsubscribes by its button", async () => {
    const page = await browser.open(links["unsubscribe"] ?? "");
    await page.getByRole("button").tap();
    await page.getByRole("heading", { name: "The updates have stopped" }).waitFor();
    await browser.screenshot(page, "owner/unsubscribed");
    expect(await findAxeViolations(page)).toEqual([]);
    await page.context().close();
  });
});

test("axe, as configured here, does find violations, and in other colours those of colours", async () => {
  await show(phone, "about:blank");
  await phone.setContent(
    '<html><title>x</title><style>@media (prefers-color-scheme: dark) { b { color: #999; background: #fff } }</style><main><img src="x"><input><b>bold</b><p style="color:#999;background:#fff">faint</p></main></html>',
  );
  const rules = (await findAxeViolations(phone)).map((finding) => finding.split(" ")[0]);
  expect(rules).toEqual(expect.arrayContaining(["image-alt", "label", "color-contrast", "html-has-lang"]));
  const inText = (finding: string) => finding.split(":")[0];
  expect((await findColourViolations(phone)).map(inText)).toEqual(["color-contrast at p"]);
  await phone.emulateMedia({ colorScheme: "dark" });
  expect((await findColourViolations(phone)).map(inText)).toEqual([
    "color-contrast at b",
    "color-contrast at p",
  ]);
});

describe("the letters to an owner", () => {
  const names = [
    "confirmation",
    "approval",
    "digest-of-1",
    "digest-of-200",
    "question-yes-no",
    "question-choice",
    "question-text",
    ...FURTHER,
  ];
  // A mail client shows the letter within its own page, so landmarks are the client's.
  const own = (findings: string[]) =>
    findings.filter((finding) => !/^(region|landmark-one-main) /.test(finding));

  for (const name of FURTHER) letters[name] = EVERY_LETTER[name]?.letter.html ?? "";

  test.each(names)("%s fits a phone in light and dark mode, and axe finds nothing", async (name) => {
    expect(letters[name]).toContain("<h1 ");
    await show(phone, "about:blank");
    const asked: string[] = [];
    const listen = (request: Request) => asked.push(request.url());
    phone.on("request", listen);
    await phone.setContent(letters[name] ?? "");
    await browser.screenshot(phone, `letter/${name}-phone`);
    expect(own(await findAxeViolations(phone)), "phone").toEqual([]);
    await expectFits(phone);
    await phone.emulateMedia({ colorScheme: "dark" });
    await browser.screenshot(phone, `letter/${name}-phone-dark`);
    expect(await findColourViolations(phone), "phone-dark").toEqual([]);
    await expectFits(phone);
    expect(asked).toEqual([]);
    phone.off("request", listen);
  });
});
