import { describe, expect, test } from "vitest";
import { createTestService } from "../../../testing/service.ts";

const url = "https://receiver.example.com/hook";
const day = 24 * 3600_000;

const open = async () => {
  const service = createTestService({ webhookRetries: [] });
  const account = await service.signUp();
  const { webhooks } = account.as;
  const hook = await webhooks.create({ url, events: ["message.received"] });
  const mail = async () => {
    await service.receive({ from: "ada@sender.example", to: account.inbox.email, subject: "Hello" });
    await service.work();
  };
  return { service, account, mail, webhooks, webhook_id: hook.id, posted: service.receivers.posted };
};

describe("the deliveries of a webhook", () => {
  test("are listed newest first, page by page, by status", async () => {
    const { account, webhooks, webhook_id, mail, service } = await open();
    await mail();
    service.receivers.answer(500);
    await mail();
    service.receivers.answer(200);
    await mail();
    const { data } = await webhooks.deliveries({ webhook_id });
    expect(data.map(({ status }) => status)).toEqual(["succeeded", "failed", "succeeded"]);
    expect(data[1]).toMatchObject({
      object: "webhook_delivery",
      webhook_id,
      event_type: "message.received",
      last_status_code: 500,
    });
    expect(Object.keys(data[0] ?? {})).not.toContain("account_id");
    const after = String((data[0]?.event_sequence ?? 0) - 1);
    expect((await account.as.events.list({ after, limit: 1 })).data.map(({ id }) => id)).toEqual([
      data[0]?.event_id,
    ]);
    const page = await webhooks.deliveries({ webhook_id, limit: 2 });
    const rest = await webhooks.deliveries({ webhook_id, limit: 2, cursor: page.next_cursor ?? "" });
    expect([...page.data, ...rest.data]).toEqual(data);
    expect((await webhooks.deliveries({ webhook_id, status: "failed" })).data).toEqual([data[1]]);
    const failed = webhooks.deliveries({ webhook_id, status: "failed", cursor: page.next_cursor ?? "" });
    await expect(failed).rejects.toMatchObject({ code: "invalid_cursor" });
  });

  test("are kept for 7 days, and a redelivery for its own 7 days", async () => {
    const { webhooks, webhook_id, mail, service } = await open();
    await mail();
    const [first] = (await webhooks.deliveries({ webhook_id })).data;
    await service.clock.advance(6 * day);
    const again = await webhooks.redeliver({ webhook_id, delivery_id: first?.id ?? "" });
    await service.work();
    await service.clock.advance(day + 1);
    await service.letterslot.sweep();
    expect((await webhooks.deliveries({ webhook_id })).data.map(({ id }) => id)).toEqual([again.id]);
  });
});

describe("a test", () => {
  test("sends webhook.test to this webhook only, whatever its filter, and is in the feed", async () => {
    const { webhooks, webhook_id, service, posted, account } = await open();
    await webhooks.create({ url: "https://all.example.com/" });
    const { next_cursor: after } = await account.as.events.list({});
    const delivery = await webhooks.test({ webhook_id });
    expect(delivery).toMatchObject({
      webhook_id,
      event_type: "webhook.test",
      status: "pending",
      attempts: 0,
      is_redelivery: false,
    });
    await service.work();
    expect(posted.map((post) => post.url)).toEqual([url]);
    expect(posted[0]?.headers["x-svc-delivery"]).toBe(delivery.id);
    const { data } = await account.as.events.list({ after });
    expect(data).toMatchObject([{ id: delivery.event_id, type: "webhook.test", data: { webhook_id, url } }]);
    expect(JSON.parse(posted[0]?.body ?? "")).toEqual(data[0]);
    expect((await webhooks.deliveries({ webhook_id })).data).toMatchObject([
      { id: delivery.id, status: "succeeded" },
    ]);
  });

  test("wakes callers that wait for events", async () => {
    const { webhooks, webhook_id, account } = await open();
    const { next_cursor: after } = await account.as.events.list({});
    const waiting = account.as.events.list({ after, wait: 25 });
    await webhooks.test({ webhook_id });
    expect((await waiting).data).toMatchObject([{ type: "webhook.test" }]);
  });

  test("and a redelivery fail with webhook_disabled while the webhook is disabled", async () => {
    const { webhooks, webhook_id, mail } = await open();
    await mail();
    const [first] = (await webhooks.deliveries({ webhook_id })).data;
    await webhooks.update({ webhook_id, enabled: false });
    const disabled = { code: "webhook_disabled" };
    await expect(webhooks.test({ webhook_id })).rejects.toMatchObject(disabled);
    await expect(webhooks.redeliver({ webhook_id, delivery_id: first?.id ?? "" })).rejects.toMatchObject(
      disabled,
    );
  });
});

describe("a redelivery", () => {
  test("sends the same event under a new delivery id", async () => {
    const { webhooks, webhook_id, mail, posted, service } = await open();
    await mail();
    const [first] = (await webhooks.deliveries({ webhook_id })).data;
    const again = await webhooks.redeliver({ webhook_id, delivery_id: first?.id ?? "" });
    expect(again).toMatchObject({
      event_id: first?.event_id,
      is_redelivery: true,
      status: "pending",
      attempts: 0,
    });
    await service.work();
    expect(posted[1]?.body).toBe(posted[0]?.body);
    expect(posted[1]?.headers).toMatchObject({ "x-svc-delivery": again.id, "webhook-id": first?.event_id });
    expect(again.id).not.toBe(first?.id);
  });

  test("fails with delivery_not_found for another webhook's delivery and when the event is gone", async () => {
    const { webhooks, webhook_id, mail, service, account } = await open();
    await mail();
    const [first] = (await webhooks.deliveries({ webhook_id })).data;
    const delivery_id = first?.id ?? "";
    const other = await webhooks.create({ url });
    const notThere = { code: "delivery_not_found" };
    await expect(webhooks.redeliver({ webhook_id: other.id, delivery_id })).rejects.toMatchObject(notThere);
    await expect(webhooks.redeliver({ webhook_id, delivery_id: "whd_unknown" })).rejects.toMatchObject(
      notThere,
    );
    await account.as.inboxes.delete({ inbox_id: account.inbox.id, permanent: true });
    await service.work();
    await expect(webhooks.redeliver({ webhook_id, delivery_id })).rejects.toMatchObject(notThere);
  });

  test("of other inboxes' events is refused for a key limited to one", async () => {
    const { webhooks, mail, service, account } = await open();
    const second = await account.as.inboxes.create({ username: "second" });
    const { id: webhook_id } = await webhooks.create({ url, inbox_ids: [account.inbox.id, second.id] });
    await mail();
    await webhooks.update({ webhook_id, inbox_id: second.id });
    const [first] = (await webhooks.deliveries({ webhook_id })).data;
    const { api_key } = await account.as.keys.create({ inbox_id: second.id });
    const scoped = service.letterslot.as(await service.letterslot.authenticate(api_key, null)).webhooks;
    await expect(scoped.redeliver({ webhook_id, delivery_id: first?.id ?? "" })).rejects.toMatchObject({
      code: "delivery_not_found",
    });
    expect((await scoped.test({ webhook_id })).event_type).toBe("webhook.test");
  });

  test("of another account is not found", async () => {
    const { webhook_id, service } = await open();
    const stranger = (await service.signUp("stranger")).as.webhooks;
    const attempts = [
      stranger.deliveries({ webhook_id }),
      stranger.test({ webhook_id }),
      stranger.redeliver({ webhook_id, delivery_id: "whd_x" }),
    ];
    await Promise.all(
      attempts.map((attempt) => expect(attempt).rejects.toMatchObject({ code: "webhook_not_found" })),
    );
  });
});
