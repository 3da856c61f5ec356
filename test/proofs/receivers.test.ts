import { createServer } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { createWebhookHttp } from "../../packages/adapter-http/src/index.ts";
import type { WebhookHttp } from "../../packages/core/src/ports/webhook-http.ts";
import { createTestService, type TestAccount, type TestService } from "../../packages/core/testing/index.ts";
import { serve } from "../../packages/server/testing/serve.ts";
import { type BadReceiver, misbehaviours, startBadReceiver } from "../support/bad-receivers.ts";
import { until } from "../support/until.ts";
import { callOverWire } from "../support/wire-call.ts";

/** The deadline of a request; in production it is 15 seconds. */
const timeout_ms = 700;
/** The same when one thread sends hundreds of requests at once, which takes longer. */
const CROWD_TIMEOUT_MS = 3_000;
const RETRY_MS = [5_000, 30_000];
const DISABLED_AT = 20;
const TIMEOUT_MS = 120_000;

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function start(answer: Parameters<typeof startBadReceiver>[0]): Promise<BadReceiver> {
  const receiver = await startBadReceiver(answer);
  closing.push(() => receiver.close());
  return receiver;
}

async function open(): Promise<TestService> {
  const webhookHttp = createWebhookHttp({ allow: ["127.0.0.0/8"], timeoutMs: timeout_ms });
  closing.push(() => webhookHttp.close());
  return createTestService({ webhookHttp });
}

/** Runs the work due now, and all later attempts at their time. */
async function allTries(service: TestService): Promise<void> {
  await service.work();
  for (const wait of RETRY_MS) {
    await service.clock.advance(wait);
    await service.work();
  }
}

describe("a receiver that", () => {
  const names = Object.keys(misbehaviours("http://127.0.0.1:1/"));
  test.each(names)(
    "%s gets exactly as many requests as the API promises, and delays no other",
    async (name) => {
      const elsewhere = await start((_, response) => void response.end());
      const answer = misbehaviours(elsewhere.url)[name];
      if (answer === undefined) throw new Error(name);
      const bad = await start(answer);
      const good = await start((_, response) => void response.writeHead(204).end());
      const service = await open();
      const [ada, bo] = [await service.signUp("ada"), await service.signUp("bo")];
      const { id } = await ada.as.webhooks.create({ url: bad.url, events: ["message.received"] });
      await bo.as.webhooks.create({ url: good.url, events: ["message.received"] });
      await ada.as.messages.inject({ inbox_id: ada.inbox.id, from: "mara@family.example.com", text: "x" });
      await bo.as.messages.inject({ inbox_id: bo.inbox.id, from: "mara@family.example.com", text: "x" });
      await allTries(service);

      // A 4xx and a redirect are final; anything else is tried three times in total, with the same delivery
      // id.
      const tries = ["redirects", "answers 400"].includes(name) ? 1 : 3;
      const dripped = name === "drips";
      expect(bad.requests).toHaveLength(dripped ? 1 : tries);
      expect(new Set(bad.requests.map(({ delivery }) => delivery)).size).toBe(1);
      expect(good.requests).toHaveLength(1);
      expect(elsewhere.requests).toHaveLength(0);
      const [delivery] = (await ada.as.webhooks.deliveries({ webhook_id: id })).data;
      expect(delivery).toMatchObject({
        status: dripped ? "succeeded" : "failed",
        attempts: dripped ? 1 : tries,
      });
      expect(JSON.stringify(delivery).length).toBeLessThan(20_000);
      expect((await ada.as.webhooks.get({ webhook_id: id })).consecutive_failures).toBe(dripped ? 0 : 1);
    },
  );

  test("fails 20 times in a row is disabled and gets no more requests, and the others continue", async () => {
    const bad = await start((_, response) => void response.writeHead(500).end());
    const good = await start((_, response) => void response.writeHead(204).end());
    const service = await open();
    const ada = await service.signUp("ada");
    const { id } = await ada.as.webhooks.create({ url: bad.url, events: ["message.received"] });
    await ada.as.webhooks.create({ url: good.url, events: ["message.received", "webhook.disabled"] });
    for (let mail = 1; mail <= DISABLED_AT + 3; mail++) {
      await ada.as.messages.inject({
        inbox_id: ada.inbox.id,
        from: "mara@family.example.com",
        text: String(mail),
      });
      await allTries(service);
      const { enabled } = await ada.as.webhooks.get({ webhook_id: id });
      expect(enabled).toBe(mail < DISABLED_AT);
    }
    expect(bad.requests).toHaveLength(DISABLED_AT * (RETRY_MS.length + 1));
    expect(good.requests).toHaveLength(DISABLED_AT + 3 + 1);
  });
});

describe("200 failing webhooks of four accounts", { timeout: 4 * TIMEOUT_MS }, () => {
  const accounts = 4;
  const perAccount = 50;
  const mails = 30;

  /** A service with its own worker, whose clock advances during waits. */
  async function atWork(webhookHttp: WebhookHttp) {
    const service = createTestService({ webhookHttp });
    const stopWork = service.letterslot.work();
    return {
      service,
      whileTimePasses: (what: string, look: () => boolean | Promise<boolean>) =>
        until(what, async () => (await service.clock.advance(1000)) ?? look(), TIMEOUT_MS),
      /** First breaks all connections, which ends hanging requests; requests waiting for a slot time out. */
      async stop(receivers: BadReceiver[]) {
        const stopped = stopWork();
        for (const receiver of receivers) await receiver.close();
        await service.clock.advance(1000);
        await stopped;
        await webhookHttp.close();
      },
    };
  }
  const mailTo = ({ as, inbox }: TestAccount, text: string) =>
    as.messages.inject({ inbox_id: inbox.id, from: "mara@family.example.com", text });

  test("never keep other webhooks from their deliveries, however long they hang", async () => {
    const hanging = await start(() => {});
    const good = await start((_, response) => void response.writeHead(204).end());
    const webhookHttp = createWebhookHttp({ allow: ["127.0.0.0/8"], timeoutMs: 24 * 3600_000 });
    const { service, whileTimePasses, stop } = await atWork(webhookHttp);
    closing.push(() => stop([hanging]));
    const bad = await Promise.all(
      Array.from({ length: accounts }, (_, number) => service.signUp(`bad${number}`)),
    );
    for (const account of bad) {
      for (let each = 0; each < perAccount; each++)
        await account.as.webhooks.create({ url: `${hanging.url}/${each}`, events: ["message.received"] });
      for (let mail = 0; mail < 3; mail++) await mailTo(account, String(mail));
    }
    await whileTimePasses("many deliveries to hang", () => hanging.requests.length >= perAccount);

    // A webhook without any history gets its requests too.
    const bo = await service.signUp("bo");
    await bo.as.webhooks.create({ url: good.url, events: ["message.received"] });
    for (let mail = 1; mail <= mails; mail++) await mailTo(bo, String(mail));
    await whileTimePasses("every delivery to the one that answers", () => good.requests.length >= mails);
    expect(good.requests).toHaveLength(mails);
    const ended = await Promise.all(bad.map(({ as }) => as.webhooks.list({})));
    expect(
      ended.flatMap(({ data }) => data.filter(({ last_delivery_at }) => last_delivery_at !== null)),
    ).toEqual([]);
    expect(hanging.requests.length).toBeLessThan(accounts * perAccount);
  });

  test("are each tried as often as the API promises, whatever they do wrong", async () => {
    const elsewhere = await start((_, response) => void response.end());
    const wrong = Object.entries(misbehaviours(elsewhere.url));
    const receivers = await Promise.all(wrong.map(([, answer]) => start(answer)));
    const good = await start((_, response) => void response.writeHead(204).end());
    const { service, whileTimePasses, stop } = await atWork(
      createWebhookHttp({ allow: ["127.0.0.0/8"], timeoutMs: CROWD_TIMEOUT_MS }),
    );
    closing.push(() => stop(receivers));
    const urls = receivers.flatMap(({ url }) =>
      Array.from({ length: perAccount / wrong.length }, (_, each) => `${url}/${each}`),
    );
    for (let number = 0; number < accounts; number++) {
      const account = await service.signUp(`bad${number}`);
      for (const url of urls) await account.as.webhooks.create({ url, events: ["message.received"] });
      await mailTo(account, "x");
    }
    const bo = await service.signUp("bo");
    await bo.as.webhooks.create({ url: good.url, events: ["message.received"] });
    await mailTo(bo, "x");
    const { storage } = service.letterslot.services;
    await whileTimePasses(
      "all tries",
      async () => (await storage.count("jobs", { kind: "webhook.deliver" }, 1)) === 0,
    );

    const finals = new Set(["drips", "redirects", "answers 400"]);
    const webhooks = (accounts * perAccount) / wrong.length;
    expect(receivers.map(({ requests }, index) => [wrong[index]?.[0], requests.length])).toEqual(
      wrong.map(([name]) => [name, webhooks * (finals.has(name) ? 1 : RETRY_MS.length + 1)]),
    );
    expect(receivers.map(({ requests }) => new Set(requests.map(({ delivery }) => delivery)).size)).toEqual(
      wrong.map(() => webhooks),
    );
    expect([good.requests.length, elsewhere.requests.length]).toEqual([1, 0]);
  });
});

describe("an address that is not public", () => {
  const forms = [
    ...[
      "https://127.0.0.1/",
      "https://127.1/",
      "https://2130706433/",
      "https://0x7f000001/",
      "https://0177.0.0.1/",
    ],
    ...[
      "https://[::1]/",
      "https://[::ffff:127.0.0.1]/",
      "https://[::ffff:7f00:1]/",
      "https://[64:ff9b::7f00:1]/",
    ],
    ...[
      "https://0.0.0.0/",
      "https://[::]/",
      "https://10.1.2.3/",
      "https://172.16.0.1/",
      "https://192.168.0.1/",
    ],
    ...[
      "https://169.254.169.254/latest/meta-data",
      "https://100.64.0.1/",
      "https://[fd00:ec2::254]/",
      "https://[fe80::1]/",
    ],
    ...[
      "https://localhost/",
      "https://a.localhost/",
      "https://metadata.google.internal/",
      "https://user:pw@example.com/",
    ],
    ...[
      "https://example.com:pw@127.0.0.1/",
      "http://example.com/",
      "ftp://example.com/",
      "file:///etc/passwd",
      "javascript:1",
    ],
    ...[
      "https://①②⑦.0.0.1/",
      "https://127。0。0。1/",
      "//example.com/",
      "https://",
      "https://224.0.0.1/",
      "https://255.255.255.255/",
    ],
  ];

  test("is refused over HTTP when a webhook is created or changed, in every notation", async () => {
    const webhookHttp = createWebhookHttp({ timeoutMs: timeout_ms });
    closing.push(() => webhookHttp.close());
    const served = await serve({ config: { webhookHttp } });
    closing.push(() => served.close());
    const { api_key } = await served.client().accounts.onboard({ username: "ada" });
    const headers = { authorization: `Bearer ${api_key}` };
    const { id } = await served.client(api_key).webhooks.create({ url: "https://receiver.example.com/hook" });
    for (const url of forms) {
      for (const answer of [
        await callOverWire(served, "webhooks.create", { url }, headers),
        await callOverWire(served, "webhooks.update", { webhook_id: id, url }, headers),
      ])
        expect({ url, status: answer.status, code: answer.code }).toEqual({
          url,
          status: 400,
          code: "invalid_webhook_url",
        });
    }
    expect((await served.client(api_key).webhooks.get({ webhook_id: id })).url).toBe(
      "https://receiver.example.com/hook",
    );
  });

  test("gets no connection for a delivery, test or redelivery, even if its name used to be public", async () => {
    const connections: unknown[] = [];
    const trap = createServer((socket) => void connections.push(socket.end()));
    await new Promise<void>((resolve) => trap.listen(0, "127.0.0.1", resolve));
    closing.push(() => new Promise((resolve) => trap.close(resolve)));
    const { port } = trap.address() as { port: number };
    const webhookHttp = createWebhookHttp({
      timeoutMs: timeout_ms,
      lookup: async () => [{ address: "127.0.0.1", family: 4 }],
    });
    closing.push(() => webhookHttp.close());
    const service = createTestService({ webhookHttp });
    const { as, inbox } = await service.signUp("ada");
    const { id: webhook_id } = await as.webhooks.create({ url: `https://rebound.example.com:${port}/hook` });
    await as.messages.inject({ inbox_id: inbox.id, from: "mara@family.example.com", text: "x" });
    await allTries(service);
    await as.webhooks.test({ webhook_id });
    await allTries(service);
    const [delivery] = (await as.webhooks.deliveries({ webhook_id })).data;
    await as.webhooks.redeliver({ webhook_id, delivery_id: delivery?.id ?? "" });
    await allTries(service);
    const tried = (await as.webhooks.deliveries({ webhook_id })).data;
    expect(tried.map(({ status }) => status)).toEqual(tried.map(() => "failed"));
    expect(tried.length).toBeGreaterThanOrEqual(3);
    expect(connections).toEqual([]);
  });
});
