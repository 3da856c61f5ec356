import { afterAll, beforeAll, expect, test } from "vitest";
import { type ConsoleWorld, startConsole } from "./harness.ts";

const GRACE = "grace@example.com";

let world: ConsoleWorld;

beforeAll(async () => {
  world = await startConsole();
}, 180_000);
afterAll(() => world?.close());

test("a person signs in, pairs an agent in three presses, and sees its first mail arrive", async () => {
  const { served } = world;
  const page = await world.open(null);
  await page.getByLabel("Your email address").waitFor();
  await world.look(page, "sign-in");
  await page.keyboard.type(GRACE);
  await page.keyboard.press("Enter");
  await page.getByLabel("The code from the email").waitFor();
  await served.work();
  await page.keyboard.type(served.codeFor(GRACE));
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Let your first agent in" }).waitFor();
  await world.look(page, "start");

  await page.getByRole("button", { name: "Make a code" }).click();
  const command = page.locator("pre");
  await command.waitFor();
  const [, code = ""] = /--pair (\S+)/.exec((await command.textContent()) ?? "") ?? [];
  await world.look(page, "start-code");
  const { inbox, api_key } = await served.client().pairings.pair({ code, username: "ada" });
  await page.getByText(inbox.email).waitFor();
  await world.look(page, "start-paired");

  await served.client(api_key).inboxes.get({ inbox_id: inbox.id });
  await served.receive({
    from: GRACE,
    to: inbox.email,
    subject: "Hello",
    text: "Please book a table for two.",
  });
  await page.getByText("The first mail is there").waitFor();
  await world.look(page, "start-done");
  await page.getByRole("link", { name: "See what needs you" }).click();
  await page.getByRole("heading", { name: "Needs you" }).waitFor();
  await page.getByText("ada").first().waitFor();
  await world.look(page, "needs-you");
  expect(world.faults()).toEqual([]);
}, 120_000);
