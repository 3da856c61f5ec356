import { createTestService } from "@letterslot/core/testing";
import { afterEach, expect, test } from "vitest";
import { createWebhookHttp } from "../src/index.ts";
import { startReceiver } from "./receiver.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

/** An in-memory service with the real adapter, and a real receiver on loopback. */
const open = async (...answer: Parameters<typeof startReceiver>) => {
  const receiver = await startReceiver(...answer);
  const webhookHttp = createWebhookHttp({ allow: ["127.0.0.0/8"], timeoutMs: 2000 });
  closing.push(
    () => receiver.close(),
    () => webhookHttp.close(),
  );
  const service = createTestService({ webhookHttp });
  const account = await service.signUp();
  const mail = async (subject: string) => {
    await service.receive({ from: "ada@sender.example", to: account.inbox.email, subject });
    await service.work();
  };
  return { service, receiver, webhooks: account.as.webhooks, mail };
};

test("an event reaches its receiver over real HTTP, byte for byte as signed", async () => {
  const { receiver, webhooks, mail } = await open();
  const { id } = await webhooks.create({
    url: receiver.url,
    events: ["message.received"],
    headers: { "X-Team": "Grüße" },
  });
  await mail("日本語 – naïve 📬");
  expect(receiver.received).toHaveLength(1);
  expect(JSON.parse(receiver.received[0]?.body ?? "")).toMatchObject({
    type: "message.received",
    data: { message: { subject: "日本語 – naïve 📬" } },
  });
  expect(receiver.received[0]?.headers).toMatchObject({
    "content-type": "application/json",
    "x-svc-event": "message.received",
  });
  expect(await webhooks.get({ webhook_id: id })).toMatchObject({ last_delivery_status: 200 });
});

test("a receiver that was down gets the event once it is back, as the same delivery", async () => {
  let up = false;
  const { service, receiver, webhooks, mail } = await open((request, response) => {
    if (!up) return void request.socket.destroy();
    response.end();
  });
  await webhooks.create({ url: receiver.url, events: ["message.received"] });
  await mail("first try");
  up = true;
  await service.clock.advance(5000);
  await service.work();
  expect(receiver.received).toHaveLength(2);
  expect(new Set(receiver.received.map(({ headers }) => headers["x-svc-delivery"])).size).toBe(1);
});

test("a private address is refused when a webhook is created or changed", async () => {
  const { receiver, webhooks } = await open();
  const { id } = await webhooks.create({ url: receiver.url });
  const refused = { code: "invalid_webhook_url", param: "url" };
  for (const url of [
    "https://10.0.0.1/",
    "https://169.254.169.254/latest",
    "https://[::ffff:10.0.0.1]/",
    "https://0xa000001/",
    "http://example.com/",
  ]) {
    await expect(webhooks.create({ url })).rejects.toMatchObject(refused);
    await expect(webhooks.update({ webhook_id: id, url })).rejects.toMatchObject(refused);
  }
});
