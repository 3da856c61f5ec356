import { randomUUID } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, createClient, LetterslotApiError, verifyWebhook, whole } from "@letterslot/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPostgresStorage, type PostgresStorage } from "../packages/adapter-postgres/src/index.ts";
import { LIMITS } from "../packages/core/src/catalogue/limits.ts";
import { type Cluster, startCluster } from "./support/cluster.ts";
import { freezePostgres } from "./support/faults.ts";
import { madeWebhook } from "./support/made-webhook.ts";
import { sendBySmtp } from "./support/smtp.ts";
import { until } from "./support/until.ts";
import { startWebhookReceiver, type WebhookReceiver } from "./support/webhook-receiver.ts";

/** A wait checks when its time is over, and before that only on a signal from Redis. */
const WAIT_SECONDS = 55;
const AT_ONCE_MS = 30_000;
/** Time limit for a process to notice an outage or its end on a busy machine. */
const PATIENCE = { timeout: 60_000 };

/** Plans of which accounts have the one without limits by default. */
function plansFile(): string {
  const path = join(mkdtempSync(join(tmpdir(), "letterslot-plans-")), "plans.json");
  const tight = { inboxes: 2, monthly_sends: 5, voice_minutes: 5 };
  writeFileSync(path, JSON.stringify({ default: "roomy", plans: { roomy: {}, tight } }));
  return path;
}

let cluster: Cluster;
let receiver: WebhookReceiver;
let storage: PostgresStorage;
let api_key: string;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  cluster = await startCluster({
    smtp: 2,
    environment: { TRUSTED_PROXIES: "127.0.0.0/8", WEBHOOK_ALLOW: "127.0.0.0/8", PLANS: plansFile() },
  });
  storage = await createPostgresStorage({ connectionString: cluster.database_url });
  ({ api_key } = await createClient({ baseUrl: cluster.base_url }).accounts.onboard({ username: "first" }));
});
afterAll(async () => {
  await storage?.close();
  await cluster?.close();
  await receiver?.close();
});

const homes = (role: string) =>
  cluster.members.filter((member) => member.role === role).map(({ home }) => home);
const clients = (of = api_key): Client[] =>
  homes("api").map(({ base_url }) => createClient({ baseUrl: base_url, apiKey: of, retries: 0 }));
const anyApi = () => createClient({ baseUrl: cluster.base_url, apiKey: api_key });

/**
 * Makes `count` calls at once, distributed over the processes, and counts the results: `done`, or the error's
 * code. By the first account's key, unless another is given.
 */
async function race(
  count: number,
  call: (client: Client, index: number) => Promise<unknown>,
  of = api_key,
): Promise<Record<string, number>> {
  const apis = clients(of);
  const outcomes: Record<string, number> = {};
  const ends = Array.from({ length: count }, (_, index) =>
    call(apis[index % apis.length] as Client, index).then(
      () => "done",
      (error: unknown) => (error instanceof LetterslotApiError ? error.code : String(error)),
    ),
  );
  for (const end of await Promise.all(ends)) outcomes[end] = (outcomes[end] ?? 0) + 1;
  return outcomes;
}

async function openInbox(username: string): Promise<{ id: string; email: string }> {
  const inbox = whole(await anyApi().inboxes.create({ username }));
  await anyApi().inboxes.update({ inbox_id: inbox.id, require_sender_auth: false });
  return inbox;
}

/** Sends a mail to an smtp process, by default through the load balancer. Returns the reply's code. */
async function mailArrives(to: string, subject: string, port = cluster.smtp_port): Promise<number | null> {
  const raw = Buffer.from(
    `From: Bo <bo@example.org>\r\nTo: ${to}\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@example.org>\r\n\r\nHi\r\n`,
  );
  return sendBySmtp(port, { raw, from: "bo@example.org", to });
}

const sendTo = (inbox_id: string, subject: string) =>
  anyApi().messages.send({ inbox_id, to: ["bo@example.org"], subject, text: "Hello" });

/** Resolves to the outbound messages with that subject once all of them are sent. */
const sent = (inbox_id: string, subject: string) =>
  until(`${subject} to be sent`, async () => {
    const { data } = await anyApi().messages.list({ inbox_id });
    const found = data.filter((message) => message.direction === "outbound" && message.subject === subject);
    return found.length > 0 && found.every(({ status }) => status === "sent") && found;
  });

/** Counts the processes that listen for the inbox's signals. */
async function listeners(inbox_id: string): Promise<number> {
  const answer = await cluster.redis.command(`PUBSUB NUMSUB letterslot:signal:inbox:${inbox_id}`);
  return Number(/:(\d+)\r\n$/.exec(answer)?.[1]);
}

const readiness = async (base_url: string) => {
  const answer = await fetch(`${base_url}/readyz`);
  return { code: answer.status, ...((await answer.json()) as object) };
};

describe("two api, two worker and two smtp processes", { timeout: 180_000 }, () => {
  test("every process is ready, and only api processes serve the API", async () => {
    for (const { home, role } of cluster.members) {
      expect(await readiness(home.base_url)).toEqual({ code: 200, status: "ok" });
      expect((await fetch(`${home.base_url}/metrics`)).status).toBe(200);
      expect((await fetch(`${home.base_url}/openapi.json`)).status).toBe(role === "api" ? 200 : 404);
    }
  });

  test("a key that one process revokes ends what waits by it in each of them, within a second", async () => {
    const inbox = await openInbox("revoked");
    const made = await anyApi().keys.create({ name: "to be revoked" });
    const headers = { authorization: `Bearer ${made.api_key}` };
    const opened: Promise<Response>[] = [];
    const ended = homes("api").flatMap(({ base_url }) => {
      const client = createClient({ baseUrl: base_url, apiKey: made.api_key, retries: 0, timeoutMs: 60_000 });
      const how = (wait: Promise<unknown>) =>
        wait.then(
          () => "delivered",
          (error: unknown) => (error instanceof LetterslotApiError ? error.code : String(error)),
        );
      const stream = async () => {
        const response = fetch(`${base_url}/api/v1/events/stream`, { headers });
        opened.push(response);
        return (await (await response).text()).includes('"reason":"access_ended"')
          ? "api_key_revoked"
          : "delivered";
      };
      return [
        how(client.messages.wait({ inbox_id: inbox.id, wait: WAIT_SECONDS })),
        how(client.events.list({ wait: 20, after: "9999-12-31T23:59:59Z" })),
        stream(),
      ].map(async (wait) => ({ outcome: await wait, at: performance.now() }));
    });
    await until("both waits to be there", async () => (await listeners(inbox.id)) === 2);
    await Promise.all(opened);
    const before = performance.now();
    await anyApi().keys.delete({ key_id: made.id });
    expect(await mailArrives(inbox.email, "too-late")).toBe(250);
    for (const { outcome, at } of await Promise.all(ended)) {
      expect(outcome).toBe("api_key_revoked");
      // A second, and a busy machine's time to answer.
      expect(at - before).toBeLessThan(5_000);
    }
  });

  test("a mail accepted by the smtp process ends a wait in each api process at once", async () => {
    const inbox = await openInbox("ada");
    const waits = clients().map(async (client) => {
      const { data } = await client.messages.wait({ inbox_id: inbox.id, wait: WAIT_SECONDS });
      return { subject: data[0]?.subject, at: performance.now() };
    });
    await until("both waits to be there", async () => (await listeners(inbox.id)) === 2);
    expect(await mailArrives(inbox.email, "first")).toBe(250);
    const taken = performance.now();
    for (const { subject, at } of await Promise.all(waits)) {
      expect(subject).toBe("first");
      expect(at - taken).toBeLessThan(AT_ONCE_MS);
    }
  });

  test("both smtp processes accept mail, and a mail that reaches both at once is stored once", async () => {
    const inbox = await openInbox("twins");
    const ports = homes("smtp").map(({ smtp_port }) => smtp_port);
    for (const [index, port] of ports.entries())
      expect(await mailArrives(inbox.email, `by-${index}`, port)).toBe(250);
    const copies = [...ports, ...ports, ...ports].map((port) => mailArrives(inbox.email, "copies", port));
    expect(new Set(await Promise.all(copies))).toEqual(new Set([250]));
    const { data } = await anyApi().messages.list({ inbox_id: inbox.id });
    expect(data.map(({ subject }) => subject).toSorted()).toEqual(["by-0", "by-1", "copies"]);
  });

  test("a secret rotated in one api process is used by every worker, beside the old one while that is valid", async () => {
    const inbox = await openInbox("signed");
    const [here, there] = clients() as [Client, Client];
    const { id: webhook_id, secret: old } = madeWebhook(
      await here.webhooks.create({ url: receiver.url, inbox_id: inbox.id }),
    );
    /** Which of the secrets verify the delivery caused by a mail. */
    const signedBy = async (subject: string, secrets: string[]) => {
      expect(await mailArrives(inbox.email, subject)).toBe(250);
      const delivery = await until("the delivery", () =>
        receiver.delivered.find(({ body }) => body.includes(subject)),
      );
      const verified = secrets.map((secret) => verifyWebhook({ ...delivery, secret }).then(() => secret));
      return (await Promise.allSettled(verified)).flatMap((outcome) =>
        outcome.status === "fulfilled" ? [outcome.value] : [],
      );
    };
    expect(await signedBy("before", [old])).toEqual([old]);
    const { secret } = await there.webhooks.rotateSecret({ webhook_id });
    for (const subject of ["first-after", "second-after", "third-after"])
      expect(await signedBy(subject, [old, secret])).toEqual([old, secret]);
    await storage.update(
      "webhooks",
      { id: webhook_id },
      { previous_secret_expires_at: new Date().toISOString() },
    );
    expect(await signedBy("a-day-after", [old, secret])).toEqual([secret]);
  });

  test("a key has 5 waits across all processes", async () => {
    const other = await openInbox("quiet");
    const refused = Promise.withResolvers<void>();
    let left = 12 - LIMITS.concurrent_waits_per_key;
    const outcomes = race(12, (client) =>
      client.messages.wait({ inbox_id: other.id, wait: WAIT_SECONDS }).catch((error: unknown) => {
        if (--left === 0) refused.resolve();
        throw error;
      }),
    );
    // The slots are released only after all others were refused.
    await refused.promise;
    expect(await mailArrives(other.email, "enough")).toBe(250);
    expect(await outcomes).toEqual({
      done: LIMITS.concurrent_waits_per_key,
      rate_limited: 12 - LIMITS.concurrent_waits_per_key,
    });
  });

  test("an Idempotency-Key has one effect, whichever processes get the calls", async () => {
    const inbox = await openInbox("once");
    const outcomes = await race(10, (client) =>
      client.messages.send(
        { inbox_id: inbox.id, to: ["bo@example.org"], subject: "once", text: "Hello" },
        { idempotencyKey: "the-same" },
      ),
    );
    const { done = 0, idempotency_request_in_progress: early = 0, ...others } = outcomes;
    expect([done > 0, done + early, others]).toEqual([true, 10, {}]);
    expect(await sent(inbox.id, "once")).toHaveLength(1);
  });

  test("of many sends at once a key's budget lets through as many as it allows, whichever processes get them", async () => {
    const inbox = await openInbox("budgeted");
    const parent = await anyApi().keys.create({ budget: { new_recipients_per_day: 2 } });
    const budgets = createClient({ baseUrl: cluster.base_url, apiKey: parent.api_key });
    const child = await budgets.keys.create({ budget: { sends_per_day: 5 } });
    const mail = { inbox_id: inbox.id, subject: "budgeted", text: "Hello" };
    const outcomes = await race(
      20,
      (client, index) => client.messages.send({ ...mail, to: [`new-${index % 4}@example.org`] }),
      child.api_key,
    );
    expect(outcomes).toEqual({ done: 5, budget_exceeded: 15 });
    const sentTo = new Set((await sent(inbox.id, "budgeted")).flatMap(({ to }) => to));
    expect(sentTo.size).toBeLessThanOrEqual(2);
  });

  test("of many calls at once a plan lets through as many as it allows, whichever processes get them", async () => {
    const opened = await createClient({ baseUrl: cluster.base_url }).accounts.onboard({
      username: "planned",
    });
    await storage.update("accounts", { id: opened.account_id }, { plan: "tight" });
    const creating = await race(10, (client) => client.inboxes.create({}), opened.api_key);
    expect(creating).toEqual({ done: 1, plan_limit_exceeded: 9 });
    const mail = { inbox_id: opened.inbox.id, to: ["bo@example.org"], subject: "planned", text: "Hello" };
    const sending = await race(20, (client) => client.messages.send(mail), opened.api_key);
    expect(sending).toEqual({ done: 5, plan_limit_exceeded: 15 });
    const refused = createClient({ baseUrl: cluster.base_url, apiKey: opened.api_key }).messages.send(mail);
    await expect(refused).rejects.toMatchObject({
      ...{ status: 402, code: "plan_limit_exceeded", type: "plan_limit" },
      ...{ resource: "monthly_sends", limit: 5, used: 5, upgrade_url: null },
    });
  });

  test("texts at once through both processes share one thread, and as many leave as the plan allows", async () => {
    const { base_url } = cluster;
    const {
      account_id,
      api_key: key,
      inbox,
    } = await createClient({ baseUrl: base_url }).accounts.onboard({
      username: "texter",
    });
    await storage.update("accounts", { id: account_id }, { plan: "tight" });
    const client = createClient({ baseUrl: base_url, apiKey: key });
    const inbox_id = inbox.id;
    await client.phoneNumbers.create({ inbox_id, area_code: "212" });
    const text = { inbox_id, to: "+12125550199", text: "Hello" };
    const outcomes = await race(20, (api) => api.messages.sendSms(text), key);
    expect(outcomes).toEqual({ done: 5, plan_limit_exceeded: 15 });
    const { data } = await client.messages.list({ inbox_id });
    expect([data.length, new Set(data.map(({ thread_id }) => thread_id)).size]).toEqual([5, 1]);
    await expect
      .poll(async () => (await client.messages.list({ inbox_id })).data.map(({ status }) => status), PATIENCE)
      .toEqual(Array.from({ length: 5 }, () => "sent"));
  });

  test("minutes of calls, and calls a day, are counted across all processes", async () => {
    const day = () => new Date().getUTCDate();
    const called = async (plan: string | null, count: number) => {
      const base_url = cluster.base_url;
      const opened = await createClient({ baseUrl: base_url }).accounts.onboard({
        username: `caller-${randomUUID()}`,
      });
      await storage.update("accounts", { id: opened.account_id }, { plan });
      const inbox_id = opened.inbox.id;
      const client = createClient({ baseUrl: base_url, apiKey: opened.api_key });
      await client.phoneNumbers.create({ inbox_id, area_code: "415" });
      const call = { inbox_id, to: "+14155550199", say: "Hello." };
      return race(count, (api) => api.messages.call(call), opened.api_key);
    };
    expect(await called("tight", 20)).toEqual({ done: 5, plan_limit_exceeded: 15 });
    let began = -1;
    let outcomes = {};
    // Once more for another account in case a new day, and so a new count, has begun.
    while (began !== day()) {
      began = day();
      outcomes = await called(null, LIMITS.calls_per_day + 10);
    }
    expect(outcomes).toEqual({ done: LIMITS.calls_per_day, daily_call_cap: 10 });
  });

  test("an hourly limit is counted across all processes", async () => {
    const apis = homes("api");
    const signUps = (host: number) =>
      Array.from({ length: LIMITS.signups_per_ip_hour + 10 }, async (_, index) => {
        const answer = await fetch(`${apis[index % apis.length]?.base_url}/api/v1/onboard`, {
          method: "POST",
          headers: { "Content-Type": "application/json", "X-Forwarded-For": `203.0.113.${host}` },
          body: JSON.stringify({ username: `host-${host}-${index}` }),
        });
        // The body of an unexpected answer belongs to the failure.
        return [200, 429].includes(answer.status) ? answer.status : answer.text();
      });
    const hour = () => new Date().getUTCHours();
    let [began, statuses] = [-1, [] as (number | string)[]];
    // Once more from another address in case a new hour, and so a new count, has begun.
    for (let host = 1; began !== hour(); host++) {
      began = hour();
      statuses = await Promise.all(signUps(host));
    }
    const counts = new Map([...Map.groupBy(statuses, String)].map(([status, all]) => [status, all.length]));
    expect(counts).toEqual(
      new Map([
        ["200", LIMITS.signups_per_ip_hour],
        ["429", 10],
      ]),
    );
  });

  test("Redis restarts: every process is degraded, mail and waits keep working, and everything recovers", async () => {
    const { redis, members } = cluster;
    await redis.kill();
    for (const { home } of members)
      await expect
        .poll(() => readiness(home.base_url), PATIENCE)
        .toEqual({ code: 200, status: "degraded", degraded: ["redis"] });
    const inbox = await openInbox("degraded");
    const waits = clients().map((client) => client.messages.wait({ inbox_id: inbox.id, wait: WAIT_SECONDS }));
    expect(await mailArrives(inbox.email, "without-redis")).toBe(250);
    for (const { data } of await Promise.all(waits))
      expect(data.map(({ subject }) => subject)).toEqual(["without-redis"]);
    await sendTo(inbox.id, "without");
    await sent(inbox.id, "without");

    await redis.start();
    for (const { home } of members)
      await expect.poll(() => readiness(home.base_url), PATIENCE).toEqual({ code: 200, status: "ok" });
    await sendTo(inbox.id, "with");
    await sent(inbox.id, "with");
  });

  test("PostgreSQL restarts: no process is ready, mail is deferred, and everything recovers", async () => {
    const { postgres, members } = cluster;
    const inbox = await openInbox("put-off");
    await postgres.stop();
    for (const { home } of members)
      await expect
        .poll(() => readiness(home.base_url), PATIENCE)
        .toEqual({ code: 503, status: "storage_unavailable" });
    expect(await mailArrives(inbox.email, "no-storage")).toBe(451);
    await postgres.start();
    for (const { home } of members)
      await expect.poll(() => readiness(home.base_url), PATIENCE).toEqual({ code: 200, status: "ok" });
    await until(
      "the mail to be taken",
      async () => (await mailArrives(inbox.email, "storage-again")) === 250,
    );
    const { data } = await anyApi().messages.wait({ inbox_id: inbox.id, wait: 20 });
    expect(data.map(({ subject }) => subject)).toEqual(["storage-again"]);
  });

  test("PostgreSQL freezes for five seconds: every call and mail is answered or deferred, and each is stored once", async () => {
    const inbox = await openInbox("frozen");
    const thawed = freezePostgres(cluster.postgres);
    const subjects = Array.from({ length: 12 }, (_, index) => `frozen-${index}`);
    /** Retries when deferred, as the response says; returns the results. */
    const untilTaken = async (ask: () => Promise<string>) => {
      const heard: string[] = [];
      do heard.push(await ask());
      while (heard.at(-1) !== "taken");
      return heard;
    };
    const outcomeOf = (error: LetterslotApiError) => error.code;
    const sends = subjects.map((subject, index) =>
      untilTaken(() =>
        (clients()[index % 2] as Client).messages
          .send(
            { inbox_id: inbox.id, to: ["bo@example.org"], subject, text: "Hello" },
            { idempotencyKey: subject },
          )
          .then(() => "taken", outcomeOf),
      ),
    );
    const mails = subjects.map((subject) =>
      untilTaken(async () => {
        const status = await mailArrives(inbox.email, subject);
        return status === 250 ? "taken" : String(status);
      }),
    );
    const heard = new Set((await Promise.all([...sends, ...mails])).flat());
    await thawed;
    for (const word of ["taken", "451", "storage_unavailable", "idempotency_request_in_progress"])
      heard.delete(word);
    expect([...heard]).toEqual([]);
    const there: string[] = [];
    for await (const { direction, subject } of anyApi().messages.list({ inbox_id: inbox.id }))
      there.push(`${direction} ${subject}`);
    expect(there.toSorted()).toEqual(
      subjects.flatMap((subject) => [`inbound ${subject}`, `outbound ${subject}`]).toSorted(),
    );
  });

  test("a worker that is killed leaves its work to the other", async () => {
    const first = cluster.members.find(({ role }) => role === "worker");
    await first?.process.end("SIGKILL");
    const inbox = await openInbox("one-worker");
    await sendTo(inbox.id, "one worker left");
    await sent(inbox.id, "one worker left");
    await first?.restart("SIGTERM");
    expect(await readiness(first?.home.base_url ?? "")).toEqual({ code: 200, status: "ok" });
  });
});
