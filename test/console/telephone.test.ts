import { afterAll, beforeAll, expect, test } from "vitest";
import { createConsole } from "../../packages/console/src/index.ts";
import { createPhoneSimulator, type TestAccount } from "../../packages/core/testing/index.ts";
import { type ConsoleWorld, startConsole } from "./harness.ts";

const PERSON = "+14155550199";

const simulator = createPhoneSimulator({ automatic: true });
let world: ConsoleWorld;
let agent: TestAccount;

beforeAll(async () => {
  world = await startConsole({
    console: createConsole({ phone: true }),
    phoneSimulator: simulator,
    config: { telephony: simulator },
  });
  simulator.connect(world.served.letterslot);
  agent = await world.served.signUp("ada.of.the.long.address.in.the.department.of.shopping");
}, 180_000);
afterAll(() => Promise.all([world?.close(), simulator.close()]));

const latest = async () => (await agent.as.messages.list({ inbox_id: agent.inbox.id })).data[0];

test("a person texts an agent, reads its text, leaves it a voicemail, and answers its call", async () => {
  const { served } = world;
  const page = await world.open(null, "/phone");
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  await page.getByText("No agent has a number yet").waitFor();
  await world.look(page, "telephone-empty");
  const { e164 } = await agent.as.phoneNumbers.create({ inbox_id: agent.inbox.id, area_code: "415" });

  await page.getByLabel("Your text").fill("Is the table free?");
  await press("Send text");
  await page.getByText("Is the table free?").waitFor();
  expect(await latest()).toMatchObject({ from: PERSON, extracted_text: "Is the table free?" });
  await agent.as.messages.sendSms({ inbox_id: agent.inbox.id, to: PERSON, text: "It is, until eight." });
  await served.work();
  await page.getByText("It is, until eight.").waitFor();

  await press("Call");
  await page.getByLabel("After the beep you say").fill("Then we come.");
  await world.look(page, "telephone-call");
  await press("Say it and hang up");
  await page.getByText("Recorded:").waitFor();
  expect(await latest()).toMatchObject({ type: "voicemail", from: PERSON });

  await agent.as.messages.call({ inbox_id: agent.inbox.id, to: PERSON, say: "Your table is ready." });
  await served.work();
  await press("Answer");
  await page.getByText("You hear:").waitFor();
  await press("Hang up");
  await page.getByRole("group").waitFor({ state: "detached" });
  await world.look(page, "telephone");
  expect(simulator.calls.map(({ to, said }) => [to, said])).toEqual([
    [e164, "Then we come."],
    [PERSON, null],
  ]);

  await page.getByLabel("Text and call from").fill("+14155550198");
  await press("Use this number");
  await page.getByText(PERSON).first().waitFor();
  expect(world.faults()).toEqual([]);
}, 120_000);
