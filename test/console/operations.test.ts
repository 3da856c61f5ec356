import { afterAll, beforeAll, expect, test } from "vitest";
import { createWebhookHttp } from "../../packages/adapter-http/src/index.ts";
import { createManualClock } from "../../packages/core/testing/index.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";
import { type ConsoleWorld, startConsole } from "./harness.ts";

const GRACE = "grace@example.com";
const ANN = "ann@example.com";

const webhookHttp = createWebhookHttp({ allow: ["127.0.0.0/8"] });
let world: ConsoleWorld;
let receiver: WebhookReceiver;

beforeAll(async () => {
  [world, receiver] = await Promise.all([
    startConsole({ config: { webhookHttp, clock: createManualClock(new Date()) } }),
    startWebhookReceiver(),
  ]);
  const person = { email: GRACE, session_id: null, ip: null };
  await world.served.letterslot.openAccountFor(person, { username: "ada" });
}, 180_000);
afterAll(async () => {
  await Promise.all([world?.close(), receiver?.close(), webhookHttp.close()]);
});

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

  await page.getByRole("button", { name: "New secret" }).click();
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
  await page.getByLabel("Recipients a day at most").fill("20");
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

test("who has charge of an inbox alone sees what concerns it, and is told politely what doesn't", async () => {
  const { served } = world;
  const account = await served.signUp("bea", "olga@owner.example");
  await served.addOwner(account, ANN);
  const page = await world.open(ANN, "/operations/webhooks");
  await page.getByRole("heading", { name: "Webhooks" }).waitFor();
  await page.getByText("This concerns the whole account").waitFor();
  await world.look(page, "operations-refused");
  await world.go(page, "/operations");
  expect(world.faults()).toEqual([]);
}, 120_000);
