import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { madeWebhook } from "../../../../../test/support/made-webhook.ts";
import { createTestService, type TestAccount, type TestService } from "../../../testing/service.ts";
import type { DeliveryRecord } from "../../model/webhooks.ts";
import { senderOf } from "./sender.ts";

/** The operations on webhooks where nobody is asked about them. */
const unasked = ({ create, update, ...rest }: TestAccount["as"]["webhooks"]) => ({
  ...rest,
  create: async (input: Parameters<typeof create>[0]) => madeWebhook(await create(input)),
  update: async (input: Parameters<typeof update>[0]) => madeWebhook(await update(input)),
});

const url = "https://receiver.example.com/hook";
const hour = 3600_000;

const open = async (config: Parameters<typeof createTestService>[0] = {}) => {
  const service = createTestService(config);
  const account = await service.signUp();
  const mail = async (subject = "Hello") => {
    await service.receive({ from: "ada@sender.example", to: account.inbox.email, subject });
    await service.work();
  };
  return { service, account, mail, webhooks: unasked(account.as.webhooks), posted: service.receivers.posted };
};
const scopedKey = async ({ letterslot }: TestService, account: TestAccount, inbox_id = account.inbox.id) => {
  const { api_key } = await account.as.keys.create({ inbox_id });
  return unasked(letterslot.as(await letterslot.authenticate(api_key, null)).webhooks);
};
const deliveriesOf = async ({ letterslot }: TestService): Promise<DeliveryRecord[]> =>
  letterslot.services.storage.find("deliveries", {
    where: {},
    order: { by: "id", direction: "asc" },
    limit: 1000,
  });
const hex = (secret: string, text: string) => createHmac("sha256", secret).update(text).digest("hex");

describe("a webhook", () => {
  test("is created with its secret shown once, and shortened from then on", async () => {
    const { webhooks } = await open();
    const created = await webhooks.create({
      url,
      headers: { Authorization: "Bearer hidden", "X-Team": "mail" },
    });
    expect(created).toMatchObject({
      object: "webhook",
      url,
      events: [],
      inbox_id: null,
      inbox_ids: [],
      enabled: true,
      idempotent: false,
    });
    expect(created.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(created.headers).toEqual({ Authorization: "[redacted]", "X-Team": "[redacted]" });

    const shown = await webhooks.get({ webhook_id: created.id });
    expect(shown).toEqual({ ...created, secret: `${created.secret.slice(0, 10)}…` });
    expect((await webhooks.list({})).data).toEqual([shown]);
    expect(JSON.stringify(shown)).not.toContain("hidden");
  });

  test("keeps secret and headers sealed in storage", async () => {
    const { webhooks, service } = await open();
    const { id } = await webhooks.create({
      url,
      secret: "a secret of my own",
      headers: { Authorization: "Bearer hidden" },
    });
    const stored = JSON.stringify(await service.letterslot.services.storage.get("webhooks", id));
    expect(stored).not.toContain("a secret of my own");
    expect(stored).not.toContain("hidden");
  });

  test("is the same one for the same client_id, with its secret shortened", async () => {
    const { webhooks } = await open();
    const first = await webhooks.create({ url, client_id: "mine" });
    const again = await webhooks.create({ url: "https://elsewhere.example.com/", client_id: "mine" });
    expect(again).toEqual({ ...first, secret: `${first.secret.slice(0, 10)}…`, idempotent: true });
    const raced = await Promise.all([1, 2, 3].map(() => webhooks.create({ url, client_id: "raced" })));
    expect(new Set(raced.map(({ id }) => id)).size).toBe(1);
    expect((await webhooks.list({})).data).toHaveLength(2);
  });

  test.each([
    [{ url: "http://receiver.example.com/" }, { code: "invalid_webhook_url", param: "url" }],
    [{ url: `https://receiver.example.com/${"a".repeat(2048)}` }, { code: "invalid_webhook_url" }],
    [{ url, events: ["message.read"] }, { code: "invalid_event_type" }],
    [
      { url, inbox_ids: Array.from({ length: 11 }, (_, index) => `inb_${index}`) },
      { code: "too_many_inboxes", param: "inbox_ids" },
    ],
    [
      { url, inbox_ids: ["inb_unknown"] },
      { code: "inbox_not_found", param: "inbox_ids" },
    ],
    [
      { url, inbox_id: "inb_unknown" },
      { code: "inbox_not_found", param: "inbox_id" },
    ],
    [
      { url, inbox_id: null, inbox_ids: [] },
      { code: "invalid_request", param: "inbox_id" },
    ],
    [
      { url, headers: { Cookie: "a=b" } },
      { code: "invalid_webhook_header", param: "headers.Cookie" },
    ],
    [{ url, headers: { "X-Svc-Event": "b" } }, { code: "invalid_webhook_header" }],
    [{ url, headers: { "X-A": 1 } }, { code: "invalid_webhook_header" }],
    [
      { url, secret: "" },
      { code: "invalid_request", param: "secret" },
    ],
    [
      { url, secret: "fifteen letters" },
      { code: "invalid_request", param: "secret" },
    ],
    [
      { url, enabled: false },
      { code: "unknown_parameter", param: "enabled" },
    ],
    [{}, { code: "invalid_request", param: "url" }],
  ])("is refused: %j", async (input, failure) => {
    const { service, account } = await open();
    await expect(service.letterslot.call(account.caller, "webhooks.create", input)).rejects.toMatchObject(
      failure,
    );
    expect((await account.as.webhooks.list({})).data).toEqual([]);
  });

  test("is refused as the 51st of an account, even in a race", async () => {
    const { webhooks } = await open();
    for (let count = 0; count < 48; count++) await webhooks.create({ url });
    const raced = await Promise.allSettled([1, 2, 3, 4].map(() => webhooks.create({ url })));
    expect(raced.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    expect(raced.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { code: "webhook_limit" },
    });
  });

  test("is listed newest first, page by page", async () => {
    const { webhooks } = await open();
    const ids: string[] = [];
    for (let count = 0; count < 5; count++) ids.unshift((await webhooks.create({ url })).id);
    const first = await webhooks.list({ limit: 3 });
    const second = await webhooks.list({ limit: 3, cursor: first.next_cursor ?? "" });
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids);
    expect([first.has_more, second.has_more, second.next_cursor]).toEqual([true, false, null]);
  });

  test("changes only the given fields", async () => {
    const { webhooks, account } = await open();
    const created = await webhooks.create({ url, headers: { "X-A": "1" }, events: ["message.sent"] });
    const webhook_id = created.id;
    expect(await webhooks.update({ webhook_id, events: [] })).toMatchObject({
      events: [],
      url,
      headers: { "X-A": "[redacted]" },
    });
    expect(await webhooks.update({ webhook_id, inbox_id: account.inbox.id })).toMatchObject({
      inbox_id: account.inbox.id,
      inbox_ids: [account.inbox.id],
    });
    expect(await webhooks.update({ webhook_id, inbox_id: null })).toMatchObject({
      inbox_id: null,
      inbox_ids: [],
    });
    expect(await webhooks.update({ webhook_id, headers: null })).toMatchObject({ headers: {} });
    expect(await webhooks.update({ webhook_id, enabled: false })).toMatchObject({
      enabled: false,
      disabled_reason: "manual",
    });
    expect(await webhooks.update({ webhook_id, enabled: true })).toMatchObject({
      enabled: true,
      disabled_reason: null,
      disabled_at: null,
    });
    await expect(webhooks.update({ webhook_id })).rejects.toMatchObject({ code: "missing_change" });
    await expect(webhooks.update({ webhook_id, url: "http://a.example/" })).rejects.toMatchObject({
      code: "invalid_webhook_url",
    });
  });

  test("is gone after its deletion, and pending deliveries are not sent", async () => {
    const { webhooks, service, account, posted } = await open();
    const { id } = await webhooks.create({ url });
    await service.receive({ from: "ada@sender.example", to: account.inbox.email });
    expect(await webhooks.delete({ webhook_id: id })).toEqual({ id, object: "webhook", deleted: true });
    await service.work();
    expect(posted).toEqual([]);
    expect(await deliveriesOf(service)).toMatchObject([
      { status: "failed", attempts: 0, last_error: "the webhook was deleted" },
    ]);
    await expect(webhooks.get({ webhook_id: id })).rejects.toMatchObject({ code: "webhook_not_found" });
    await expect(webhooks.delete({ webhook_id: id })).rejects.toMatchObject({ code: "webhook_not_found" });
  });

  test("of another account is not found", async () => {
    const { webhooks, service } = await open();
    const { id: webhook_id } = await webhooks.create({ url });
    const other = (await service.signUp("other")).as.webhooks;
    const notThere = { code: "webhook_not_found" };
    await expect(other.get({ webhook_id })).rejects.toMatchObject(notThere);
    await expect(other.update({ webhook_id, enabled: false })).rejects.toMatchObject(notThere);
    await expect(other.rotateSecret({ webhook_id })).rejects.toMatchObject(notThere);
    await expect(other.delete({ webhook_id })).rejects.toMatchObject(notThere);
    expect((await other.list({})).data).toEqual([]);
  });

  test("needs webhook_write to change and either permission to read", async () => {
    const { webhooks, service, account } = await open();
    const { id: webhook_id } = await webhooks.create({ url });
    const { api_key } = await account.as.keys.create({ permissions: ["webhook_read"] });
    const reader = service.letterslot.as(await service.letterslot.authenticate(api_key, null)).webhooks;
    expect((await reader.list({})).data).toHaveLength(1);
    for (const attempt of [
      () => reader.create({ url }),
      () => reader.update({ webhook_id, enabled: false }),
      () => reader.rotateSecret({ webhook_id }),
      () => reader.delete({ webhook_id }),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: "permission_denied", param: "webhook_write" });
    }
  });
});

describe("a key limited to one inbox", () => {
  test("sees and creates only webhooks of that inbox", async () => {
    const { webhooks, service, account } = await open();
    const other = await account.as.inboxes.create({ username: "second" });
    const both = await webhooks.create({ url, inbox_ids: [account.inbox.id, other.id], client_id: "both" });
    const all = await webhooks.create({ url });
    const scoped = await scopedKey(service, account);
    for (const { id: webhook_id } of [both, all])
      await expect(scoped.get({ webhook_id })).rejects.toMatchObject({ code: "webhook_not_found" });
    await expect(scoped.create({ url, client_id: "both" })).rejects.toMatchObject({
      code: "webhook_not_found",
    });
    await expect(scoped.create({ url, inbox_id: other.id })).rejects.toMatchObject({
      code: "inbox_not_found",
    });
    await expect(scoped.create({ url, inbox_ids: [account.inbox.id, other.id] })).rejects.toMatchObject({
      code: "inbox_not_found",
    });

    const own = await scoped.create({ url });
    expect(own.inbox_ids).toEqual([account.inbox.id]);
    expect((await scoped.list({})).data.map(({ id }) => id)).toEqual([own.id]);
    expect((await webhooks.list({})).data).toHaveLength(3);
  });

  test("can't widen a webhook's filter", async () => {
    const { service, account } = await open();
    const scoped = await scopedKey(service, account);
    const { id: webhook_id } = await scoped.create({ url });
    await expect(scoped.update({ webhook_id, inbox_id: null })).rejects.toMatchObject({
      code: "permission_escalation",
    });
    await expect(scoped.update({ webhook_id, inbox_ids: [] })).rejects.toMatchObject({
      code: "permission_escalation",
    });
    expect(await scoped.update({ webhook_id, enabled: false })).toMatchObject({
      enabled: false,
      inbox_id: account.inbox.id,
    });
  });
});

describe("a delivery", () => {
  test("is a signed post of the event's envelope", async () => {
    const { webhooks, mail, posted, service, account } = await open();
    const { secret, id } = await webhooks.create({
      url,
      events: ["message.received"],
      headers: { Authorization: "Bearer abc" },
    });
    await mail("Guten Tag, Ada");
    expect(posted).toHaveLength(1);
    const { body = "", headers = {} } = posted[0] ?? {};
    const event = JSON.parse(body);
    const seconds = String(service.clock.now().getTime() / 1000);
    expect(event).toMatchObject({
      object: "event",
      type: "message.received",
      schema_version: "1",
      account_id: account.account_id,
      inbox_id: account.inbox.id,
    });
    expect(headers).toMatchObject({
      Authorization: "Bearer abc",
      "content-type": "application/json",
      "x-svc-event": "message.received",
      "x-svc-timestamp": seconds,
      "x-svc-signature": `sha256=${hex(secret, body)}`,
      "x-svc-signature-v2": `v1=${hex(secret, `${seconds}.${body}`)}`,
      "webhook-id": event.id,
      "webhook-timestamp": seconds,
    });
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    expect(headers["webhook-signature"]).toBe(
      `v1,${createHmac("sha256", key).update(`${event.id}.${seconds}.${body}`).digest("base64")}`,
    );
    const [delivery] = await deliveriesOf(service);
    expect(delivery).toMatchObject({
      id: headers["x-svc-delivery"],
      status: "succeeded",
      attempts: 1,
      last_status_code: 200,
      next_retry_at: null,
    });
    expect(await webhooks.get({ webhook_id: id })).toMatchObject({
      last_delivery_status: 200,
      last_delivery_at: service.clock.now().toISOString(),
    });
  });

  test("goes only to webhooks whose filters match the event", async () => {
    const { webhooks, mail, posted, account } = await open();
    const other = await account.as.inboxes.create({ username: "second" });
    await webhooks.create({ url: "https://all.example.com/" });
    await webhooks.create({ url: "https://inbox.example.com/", inbox_ids: [other.id, account.inbox.id] });
    await webhooks.create({ url: "https://other.example.com/", inbox_id: other.id });
    await webhooks.create({ url: "https://sent.example.com/", events: ["message.sent"] });
    const off = await webhooks.create({ url: "https://off.example.com/" });
    await webhooks.update({ webhook_id: off.id, enabled: false });
    await mail();
    expect(new Set(posted.map((post) => new URL(post.url).hostname))).toEqual(
      new Set(["all.example.com", "inbox.example.com"]),
    );
  });

  test("that fails is retried after 5 and 30 seconds with the same delivery id, and then fails", async () => {
    const { webhooks, mail, posted, service } = await open();
    const { id: webhook_id } = await webhooks.create({ url, events: ["message.received"] });
    service.receivers.answer(500, { excerpt: "broken" });
    await mail();
    expect(await deliveriesOf(service)).toMatchObject([
      { status: "pending", attempts: 1, last_status_code: 500, response_excerpt: "broken" },
    ]);
    expect(await webhooks.get({ webhook_id })).toMatchObject({
      consecutive_failures: 0,
      last_delivery_status: 500,
    });

    const times: number[] = [];
    for (let second = 1; second <= 60; second++) {
      const before = posted.length;
      await service.clock.advance(1000);
      await service.work();
      if (posted.length > before) times.push(second);
    }
    expect(times).toEqual([5, 35]);
    expect(new Set(posted.map(({ headers }) => headers["x-svc-delivery"])).size).toBe(1);
    expect(new Set(posted.map(({ headers }) => headers["x-svc-timestamp"])).size).toBe(3);
    expect(await deliveriesOf(service)).toMatchObject([
      { status: "failed", attempts: 3, next_retry_at: null },
    ]);
    expect(await webhooks.get({ webhook_id })).toMatchObject({ consecutive_failures: 1 });
  });

  test("that succeeded just before the worker died is sent again with the same delivery id", async () => {
    const { webhooks, posted, service, account } = await open();
    await webhooks.create({ url, events: ["message.received"] });
    await service.receive({ from: "ada@sender.example", to: account.inbox.email });
    const { storage } = service.letterslot.services;
    const transaction = storage.transaction;
    storage.transaction = () => Promise.reject(new Error("the process dies here"));
    await service.work().catch(() => undefined);
    storage.transaction = transaction;
    expect(posted).toHaveLength(1);
    await service.clock.advance(hour);
    await service.work();
    expect(posted).toHaveLength(2);
    expect(posted[1]?.headers["x-svc-delivery"]).toBe(posted[0]?.headers["x-svc-delivery"]);
    expect(await deliveriesOf(service)).toMatchObject([{ status: "succeeded" }]);
  });

  test("that could not be sent doesn't change its receiver's speed", async () => {
    const { webhooks, service, account } = await open();
    const { id } = await webhooks.create({ url, events: ["message.received"] });
    await service.receive({ from: "ada@sender.example", to: account.inbox.email });
    service.receivers.post = () => Promise.reject(new Error("nothing goes out"));
    await service.work();
    const { slots } = senderOf(service.letterslot.services);
    expect(slots.inUse()).toBe(0);
    const taken = Array.from({ length: 5 }, () => slots.take({ id, account_id: account.account_id }));
    await service.clock.advance(1000);
    expect((await Promise.all(taken)).map((slot) => slot === true)).toEqual([true, true, true, true, false]);
  });

  test("whose lease another worker has taken leaves the result to that worker", async () => {
    const { webhooks, service, account } = await open();
    await webhooks.create({ url, events: ["message.received"] });
    await service.receive({ from: "ada@sender.example", to: account.inbox.email });
    const { storage, webhookHttp } = service.letterslot.services;
    const { post } = webhookHttp;
    webhookHttp.post = async (request) => {
      const [job] = await storage.find("jobs", { where: {}, limit: 1 });
      await storage.update("jobs", { id: job?.id ?? "" }, { lease: "another worker's" });
      return post(request);
    };
    await service.work();
    expect(await deliveriesOf(service)).toMatchObject([{ status: "pending", attempts: 0 }]);
  });

  test("an answer of 410 disables the webhook at once and publishes an event", async () => {
    const { webhooks, mail, posted, service, account } = await open();
    const { id: webhook_id } = await webhooks.create({ url, events: ["message.received"] });
    service.receivers.answer(410);
    await mail();
    expect(await webhooks.get({ webhook_id })).toMatchObject({ enabled: false, consecutive_failures: 1 });
    await mail();
    expect(posted).toHaveLength(1);
    const { data } = await account.as.events.list({ after: "0", types: ["webhook.disabled"] });
    expect(data).toMatchObject([{ data: { webhook_id, consecutive_failures: 1 } }]);
  });

  test("20 final failures in a row disable the webhook and publish an event", async () => {
    const { webhooks, mail, posted, service, account } = await open({ webhookRetries: [] });
    const { id: webhook_id } = await webhooks.create({ url, events: ["message.received"] });
    service.receivers.answer(404);
    for (let count = 0; count < 19; count++) await mail();
    expect(await webhooks.get({ webhook_id })).toMatchObject({ enabled: true, consecutive_failures: 19 });
    await mail();
    expect(await webhooks.get({ webhook_id })).toMatchObject({
      enabled: false,
      consecutive_failures: 20,
      disabled_reason: "consecutive_failures",
    });
    await mail();
    expect(posted).toHaveLength(20);
    const events = await service.letterslot.services.storage.find("events", {
      where: { account_id: account.account_id },
      limit: 100,
    });
    expect(events.filter(({ type }) => type === "webhook.disabled")).toMatchObject([
      { data: { webhook_id, consecutive_failures: 20 } },
    ]);

    expect(await webhooks.update({ webhook_id, enabled: true })).toMatchObject({
      enabled: true,
      consecutive_failures: 0,
      disabled_reason: null,
    });
  });

  test("a success between failures starts the count again", async () => {
    const { webhooks, mail, service } = await open({ webhookRetries: [] });
    const { id: webhook_id } = await webhooks.create({ url, events: ["message.received"] });
    service.receivers.answer(null);
    for (let count = 0; count < 19; count++) await mail();
    service.receivers.answer(202);
    await mail();
    expect(await webhooks.get({ webhook_id })).toMatchObject({
      consecutive_failures: 0,
      last_delivery_status: 202,
    });
  });
});

describe("two secrets", () => {
  test("sign for 24 hours after a rotation, the new one first; a second rotation drops the first secret", async () => {
    const { webhooks, mail, posted, service } = await open();
    const { id: webhook_id, secret: first } = await webhooks.create({ url, events: ["message.received"] });
    const { secret: second, ...rotated } = await webhooks.rotateSecret({ webhook_id });
    expect(second).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(rotated).toMatchObject({
      previous_secret_active: true,
      previous_secret_expires_at: "2026-01-02T00:00:00.000Z",
    });
    const signatureBy = (post: (typeof posted)[number] | undefined, ...secrets: string[]) =>
      secrets.map((secret) => `sha256=${hex(secret, post?.body ?? "")}`).join(",");

    await mail();
    expect(posted[0]?.headers["x-svc-signature"]).toBe(signatureBy(posted[0], second, first));
    expect(posted[0]?.headers["x-svc-signature-v2"]?.split(",")).toHaveLength(2);
    expect(posted[0]?.headers["webhook-signature"]?.split(" ")).toHaveLength(2);

    const { secret: third } = await webhooks.rotateSecret({ webhook_id });
    await mail();
    expect(posted[1]?.headers["x-svc-signature"]).toBe(signatureBy(posted[1], third, second));

    await service.clock.advance(24 * hour);
    await mail();
    expect(posted[2]?.headers["x-svc-signature"]).toBe(signatureBy(posted[2], third));
    expect(await webhooks.get({ webhook_id })).toMatchObject({ previous_secret_active: false });
  });

  test("sign after a PATCH with a different secret, which is shown shortened; the same secret changes nothing", async () => {
    const { webhooks, mail, posted } = await open();
    const { id: webhook_id } = await webhooks.create({
      url,
      secret: "the first secret",
      events: ["message.received"],
    });
    expect(await webhooks.update({ webhook_id, secret: "the first secret" })).toMatchObject({
      previous_secret_active: false,
    });
    const changed = await webhooks.update({ webhook_id, secret: "the second secret" });
    expect(changed.previous_secret_active).toBe(true);
    expect(changed.secret).not.toContain("second");
    await mail();
    const { body = "", headers = {} } = posted[0] ?? {};
    expect(headers["x-svc-signature"]).toBe(
      `sha256=${hex("the second secret", body)},sha256=${hex("the first secret", body)}`,
    );
  });
});
