import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { systemClock } from "@letterslot/core/ports";
import { createTestService } from "@letterslot/core/testing";
import { createApp } from "@letterslot/server";
import { afterEach, expect, test } from "vitest";
import { startExample } from "../../test/support/example-program.ts";

const PERSON = "+14155550199";

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

test("the agent gets a number, answers a text, and reads a voicemail", async () => {
  const { letterslot, phone, signUp } = createTestService({ clock: systemClock });
  const { api_key } = await signUp("ada");
  cleanups.push(letterslot.work());
  const server = serve({ fetch: createApp({ letterslot }).fetch, port: 0, hostname: "127.0.0.1" });
  await once(server, "listening");
  cleanups.push(async () => void server.close());
  const LETTERSLOT_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const agent = startExample(import.meta.dirname, { LETTERSLOT_URL, LETTERSLOT_API_KEY: api_key });
  cleanups.push(agent.kill);

  const [, to = ""] = /^my number is (\+1415555\d{4})$/.exec(await agent.line()) ?? [];
  expect(phone.sold).toMatchObject([{ phone_number: to }]);
  await phone.text({ from: PERSON, to, text: "Is the table free?" });
  expect(await agent.line()).toBe(`answered ${PERSON}: You said: Is the table free?`);
  await phone.leaveVoicemail({ from: PERSON, to, text: "Call me back" });
  expect(await agent.line()).toBe(`answered ${PERSON}: You said: Call me back`);
  await phone.text({ from: "72345", to, text: "Your code is on its way" });
  expect(await agent.line()).toBe("not answered: invalid_e164");

  const texted = () => phone.texts.filter(({ sent_by }) => sent_by === "service").map(({ text }) => text);
  await expect.poll(texted).toEqual(["You said: Is the table free?", "You said: Call me back"]);
  expect(await agent.stop()).toEqual([0, null]);
});
