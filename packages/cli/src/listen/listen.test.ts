import { type Client, createClient, type LetterslotEvent, verifyWebhook } from "@letterslot/client";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { casesOf } from "../../../../test/support/case-count.ts";
import {
  createServerHome,
  type ServerHome,
  type ServerProcess,
} from "../../../../test/support/server-process.ts";
import { until } from "../../../../test/support/until.ts";
import { startWebhookReceiver } from "../../../../test/support/webhook-receiver.ts";
import { createReceiver } from "../../test/receiver.ts";
import { type Attempt, type ListenOptions, listen, NotForwarded } from "./listen.ts";

const running: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0).toReversed()) await stop();
});

/** A server in its own process. */
let home: ServerHome;
let server: ServerProcess;
let accounts = 0;
beforeAll(async () => {
  home = await createServerHome({ WEBHOOK_ALLOW: "127.0.0.0/8" });
  server = await home.start();
});
afterAll(async () => {
  await server?.end("SIGKILL");
  home?.remove();
});

/** An account on the server, and a receiver in another process. */
async function startWorld() {
  const { api_key, inbox } = await createClient({ baseUrl: home.base_url }).accounts.onboard({
    username: `ada-${(accounts += 1)}`,
  });
  const client = createClient({ baseUrl: home.base_url, apiKey: api_key, timeoutMs: 10_000 });
  const receiver = await createReceiver();
  running.push(receiver.remove);
  return {
    client,
    receiver,
    inbox_id: inbox.id,
    secret: `whsec_${Buffer.alloc(32, 7).toString("base64")}`,
    async restart() {
      await server.end("SIGKILL");
      server = await home.start();
    },
  };
}

/** Starts to listen; `stop` ends it as Ctrl-C does. */
function startListening(
  client: Client,
  options: Omit<ListenOptions, "types" | "once"> & Partial<ListenOptions>,
) {
  const attempts: Attempt[] = [];
  const stopping = new AbortController();
  let cursor: { cursor: string; resumed: boolean } | undefined;
  const ended = listen(
    client,
    { types: [], once: false, ...options },
    {
      ready(consumer) {
        cursor = consumer;
      },
      attempted: (attempt) => void attempts.push(attempt),
    },
    stopping.signal,
  );
  ended.catch(() => undefined); // the tests await it themselves
  return {
    attempts,
    ended,
    ready: () => until("listening", () => cursor),
    stop() {
      stopping.abort();
      return ended;
    },
  };
}

const mailTo = (client: Client, inbox_id: string, subject: string) =>
  client.messages.inject({ inbox_id, from: "olga@owner.example", subject, text: subject });

const eventOf = ({ body }: { body: string }) => JSON.parse(body) as LetterslotEvent;

async function allEvents(client: Client): Promise<LetterslotEvent[]> {
  const events: LetterslotEvent[] = [];
  for (let after = "0"; ; ) {
    const page = await client.events.list({ after, limit: 200 });
    events.push(...page.data);
    if (!page.has_more) return events;
    after = page.next_cursor;
  }
}

describe("listen", () => {
  test("loses nothing while receiver and server are killed, and keeps the order", async () => {
    const { client, receiver, inbox_id, secret, restart } = await startWorld();
    await receiver.start();
    const listening = startListening(client, { url: receiver.url, secret });
    await listening.ready();
    let sent = 0;
    let sending = true;
    const load = (async () => {
      while (sending) {
        // Only mails that the server acknowledged have to arrive.
        await mailTo(client, inbox_id, `mail ${sent}`).catch(() => undefined);
        sent += 1;
      }
    })();
    const arrivals = () => receiver.arrived().length;
    for (let round = 0; round < 3; round += 1) {
      const before = arrivals();
      await until("deliveries", () => arrivals() > before + 10);
      await receiver.kill();
      const failed = listening.attempts.length;
      await until("a refused attempt", () =>
        listening.attempts.slice(failed).some(({ status }) => status === null),
      );
      await receiver.start();
      const again = arrivals();
      await until("deliveries after the receiver came back", () => arrivals() > again + 5);
      await restart();
      const after = arrivals();
      await until("deliveries after the server came back", () => arrivals() > after + 5);
    }
    sending = false;
    await load;
    const events = await allEvents(client);
    const ids = () => new Set(receiver.arrived().map((arrival) => eventOf(arrival).id));
    await until("all events", () => events.every(({ id }) => ids().has(id)));
    await listening.stop();

    expect(events.length).toBeGreaterThan(60);
    expect(events.filter(({ id }) => !ids().has(id))).toEqual([]);
    const sequences = [...new Set(receiver.arrived().map((arrival) => eventOf(arrival).sequence))];
    expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
    for (const { headers, body } of receiver.arrived())
      await expect(verifyWebhook({ headers, body, secret })).resolves.toMatchObject({
        event: { id: headers["webhook-id"] },
      });
  });

  test("starts again where it was stopped, and what came meanwhile is forwarded", async () => {
    const { client, receiver, inbox_id, secret } = await startWorld();
    await receiver.start();
    const first = startListening(client, { url: receiver.url, secret });
    expect(await first.ready()).toMatchObject({ resumed: false });
    await mailTo(client, inbox_id, "while it listens");
    // Wait until it knows that the event was taken: an event whose answer it hasn't seen is forwarded again.
    await until("the first event", () => first.attempts.some(({ status }) => status === 204));
    await first.stop();
    await mailTo(client, inbox_id, "while nobody listens");

    const second = startListening(client, { url: receiver.url, secret });
    expect(await second.ready()).toMatchObject({ resumed: true });
    await until("the second event", () => receiver.arrived().length === 2);
    await second.stop();
    expect(receiver.arrived().map((arrival) => eventOf(arrival).data)).toMatchObject([
      { message: { subject: "while it listens" } },
      { message: { subject: "while nobody listens" } },
    ]);
  });

  test("posts an event until the receiver takes it, with one delivery id, before any later event", async () => {
    const { client, receiver, inbox_id, secret } = await startWorld();
    await receiver.start(500);
    const listening = startListening(client, { url: receiver.url, secret });
    await listening.ready();
    await mailTo(client, inbox_id, "first");
    await mailTo(client, inbox_id, "second");
    await until("two refusals", () => listening.attempts.length >= 2);
    await receiver.kill();
    await receiver.start();
    await until("both", () => listening.attempts.filter(({ status }) => status === 204).length === 2);
    await listening.stop();

    const arrived = receiver.arrived();
    const [first = "", second = ""] = [...new Set(arrived.map((arrival) => eventOf(arrival).id))];
    expect(arrived.map((arrival) => eventOf(arrival).id)).toEqual([
      ...arrived.slice(1).map(() => first),
      second,
    ]);
    const deliveries = new Set(arrived.map(({ headers }) => headers["x-svc-delivery"]));
    expect(deliveries.size).toBe(2);
    const retries = listening.attempts
      .filter(({ event }) => event.id === first)
      .map(({ retry_in_ms }) => retry_in_ms);
    expect(retries.slice(0, 2)).toEqual([500, 1000]);
    expect(retries.at(-1)).toBeNull();
  });

  test("posts the bytes and headers that a webhook does", async () => {
    const { client, receiver, inbox_id, secret } = await startWorld();
    const hook = await startWebhookReceiver();
    running.push(hook.close);
    await client.webhooks.create({ url: hook.url, secret });
    await receiver.start();
    const listening = startListening(client, { url: receiver.url, secret });
    await listening.ready();
    await mailTo(client, inbox_id, "Ça coûte 3 €");
    await until("both", () => receiver.arrived().length === 1 && hook.delivered.length === 1);
    await listening.stop();

    const [own] = receiver.arrived();
    const [webhook] = hook.delivered;
    expect(own?.body).toBe(webhook?.body);
    const same = ({ headers = {} }: { headers?: Record<string, unknown> } = {}) =>
      Object.keys(headers)
        .filter((name) => /^(x-svc-|webhook-|content-type|user-agent)/.test(name))
        .toSorted();
    expect(same(own)).toEqual(same(webhook));
  });

  test("forwards again what happened since a time or an event, of the named types only", async () => {
    const { client, receiver, inbox_id, secret } = await startWorld();
    for (const subject of ["one", "two", "three"]) await mailTo(client, inbox_id, subject);
    await receiver.start();
    const url = receiver.url;
    const replayed = async (options: Partial<ListenOptions>) => {
      const before = receiver.arrived().length;
      await startListening(client, { url, secret, once: true, ...options }).ended;
      return receiver
        .arrived()
        .slice(before)
        .map((arrival) => eventOf(arrival).data);
    };
    const [first, second, third] = ["one", "two", "three"].map((subject) => ({ message: { subject } }));
    expect(await replayed({})).toEqual([]);
    expect(await replayed({ replay: "oldest" })).toMatchObject([first, second, third]);
    expect(await replayed({})).toEqual([]);
    const { data } = await client.events.list({ after: "0", limit: 1 });
    expect(await replayed({ replay: { after: String(data[0]?.sequence) } })).toMatchObject([second, third]);
    expect(await replayed({ replay: { after: data[0]?.created_at ?? "" } })).toHaveLength(2);
    expect(await replayed({ replay: "oldest", types: ["task.received"] })).toEqual([]);
    expect(await replayed({ replay: "now" })).toEqual([]);
  });

  // It takes all attempts; in the gate those of the command do, in commands/listen.test.ts.
  const all_cases = casesOf(false, true);
  test.runIf(all_cases)(
    "with once, gives up on a receiver that takes nothing, and forwards it the next time",
    async () => {
      const { client, receiver, inbox_id, secret } = await startWorld();
      await startListening(client, { url: receiver.url, secret, once: true }).ended;
      await mailTo(client, inbox_id, "one");
      const failing = startListening(client, { url: receiver.url, secret, once: true });
      await expect(failing.ended).rejects.toThrow(NotForwarded);
      expect(failing.attempts.at(-1)).toMatchObject({ error: "nothing listens there", retry_in_ms: null });
      await receiver.start();
      await startListening(client, { url: receiver.url, secret, once: true }).ended;
      expect(receiver.arrived()).toHaveLength(1);
    },
  );

  test("ends when the key is revoked", async () => {
    const { client, receiver, secret } = await startWorld();
    await receiver.start();
    const listening = startListening(client, { url: receiver.url, secret, replay: "oldest" });
    await listening.ready();
    const { data } = await client.keys.list();
    await client.keys.delete({ key_id: data[0]?.id ?? "" });
    await expect(listening.ended).rejects.toMatchObject({ status: 401 });
  });
});
