import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPhoneSimulator, type TestAccount } from "../packages/core/testing/index.ts";
import { type Served, serve } from "../packages/server/testing/serve.ts";
import { findAxeViolations } from "./support/axe.ts";
import { type PhoneBrowser, startPhoneBrowser } from "./support/phone-browser.ts";

const PHONE_WIDTH = 390;
const PERSON = "+14155550199";

const simulator = createPhoneSimulator({ automatic: true });
let served: Served;
let browser: PhoneBrowser;
let agent: TestAccount;

beforeAll(async () => {
  [served, browser] = await Promise.all([
    serve({ phoneSimulator: simulator, config: { telephony: simulator } }),
    startPhoneBrowser(),
  ]);
  simulator.connect(served.letterslot);
  agent = await served.signUp("ada.of.the.long.address.in.the.department.of.shopping");
}, 180_000);

afterAll(() => Promise.all([served?.close(), browser?.close(), simulator.close()]));

/** Checks that the page fits a phone and breaks no rule of accessibility. */
async function isGood(page: Page, name: string) {
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(PHONE_WIDTH);
  expect(await findAxeViolations(page)).toEqual([]);
  await browser.screenshot(page, `phone-${name}`);
}

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const latest = async () => (await agent.as.messages.list({ inbox_id: agent.inbox.id })).data[0];

test("a person texts an agent, leaves it a voicemail, reads its text, and answers its call", async () => {
  const page = await browser.open(`${served.base_url}/phone`);
  expect(await page.textContent("main")).toContain("No agent has a number yet");
  await isGood(page, "empty");
  const { e164 } = await agent.as.phoneNumbers.create({ inbox_id: agent.inbox.id, area_code: "415" });

  await page.reload();
  await page.getByLabel("Your text").fill("Is the table free?");
  await press(page, "Send text");
  await page.getByText("Is the table free?").waitFor();
  expect(await latest()).toMatchObject({
    channel: "sms",
    from: PERSON,
    extracted_text: "Is the table free?",
  });

  const waiting = press(page, "Wait for the next text or call");
  await agent.as.messages.sendSms({ inbox_id: agent.inbox.id, to: PERSON, text: "It is, until eight." });
  await served.work();
  await waiting;
  await page.getByText("It is, until eight.").waitFor();
  await isGood(page, "texts");

  await press(page, "Call");
  expect(await page.textContent(".sheet")).toContain("You hear:");
  await isGood(page, "greeting");
  await page.getByLabel("After the beep you say").fill("We come at seven.");
  await press(page, "Say it and hang up");
  await page.getByText("Recorded: We come at seven.").waitFor();
  expect(await latest()).toMatchObject({ type: "voicemail", transcript: "We come at seven." });

  const say = "Your table is booked for seven.";
  await agent.as.messages.call({ inbox_id: agent.inbox.id, to: PERSON, say, mode: "say_and_record" });
  await served.work();
  await expect.poll(() => simulator.calls.at(-1)?.status, { timeout: 10_000 }).toBe("ringing");
  await page.reload();
  expect(await page.textContent(".sheet")).toContain(`(${e164}) calls you.`);
  await isGood(page, "ringing");
  await press(page, "Answer");
  expect(await page.textContent(".sheet q")).toContain(say);
  await page.getByLabel("After the beep you say").fill("Thank you!");
  await press(page, "Say it and hang up");
  await page.getByText("Recorded: Thank you!").waitFor();
  const heard = (await agent.as.messages.list({ inbox_id: agent.inbox.id })).data.slice(0, 2);
  expect(heard).toMatchObject([{ type: "voicemail", transcript: "Thank you!" }, { status: "completed" }]);
  await isGood(page, "after");
  await page.context().close();
});
