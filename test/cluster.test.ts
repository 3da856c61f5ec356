import { type Client, createClient, LetterslotApiError } from "@letterslot/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { limits } from "../packages/core/src/limits.ts";
import { type Cluster, startCluster } from "./support/cluster.ts";
import { sendBySmtp } from "./support/smtp.ts";
import { until } from "./support/until.ts";

/** What Redis saves: a mail is seen in another process at once, not at that process's next look. */
const AT_ONCE_MS = 1_500;

let cluster: Cluster;
let api_key: string;

beforeAll(async () => {
  cluster = await startCluster({ environment: { TRUSTED_PROXIES: "127.0.0.0/8" } });
  ({ api_key } = await createClient({ base_url: cluster.base_url }).accounts.onboard({ username: "first" }));
}, 120_000);
afterAll(() => cluster?.close(), 60_000);

const homes = (role: string) => cluster.members.filter((member) => member.role === role).map(({ home }) => home);
const clients = (): Client[] => homes("api").map(({ base_url }) => createClient({ base_url, api_key, retries: 0 }));
const anyApi = () => createClient({ base_url: cluster.base_url, api_key });

/** Makes so many calls at once, each process in turn, and counts what came of them: `done`, or the error's code. */
async function race(count: number, call: (client: Client, index: number) => Promise<unknown>): Promise<Record<string, number>> {
  const apis = clients();
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
  const inbox = await anyApi().inboxes.create({ username });
  await anyApi().inboxes.update({ inbox_id: inbox.id, require_sender_auth: false });
  return inbox;
}

async function mailArrives(to: string, subject: string): Promise<number | null> {
  const raw = Buffer.from(
    `From: Bo <bo@example.org>\r\nTo: ${to}\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@example.org>\r\n\r\nHi\r\n`,
  );
  return sendBySmtp(cluster.smtp_port, { raw, from: "bo@example.org", to });
}

const sendTo = (inbox_id: string, subject: string) =>
  anyApi().messages.send({ inbox_id, to: ["bo@example.org"], subject, text: "Hello" });

/** Resolves to the outbound messages with that subject once all of them are sent. */
const sent = (inbox_id: string, subject: string, within_ms?: number) =>
  until(
    `${subject} to be sent`,
    async () => {
      const { data } = await anyApi().messages.list({ inbox_id });
      const found = data.filter((message) => message.direction === "outbound" && message.subject === subject);
      return found.length > 0 && found.every(({ status }) => status === "sent") && found;
    },
    within_ms,
  );

/** How many processes listen for news of the inbox. */
async function listeners(inbox_id: string): Promise<number> {
  const answer = await cluster.redis.command(`PUBSUB NUMSUB letterslot:signal:inbox:${inbox_id}`);
  return Number(/:(\d+)\r\n$/.exec(answer)?.[1]);
}

const readiness = async (base_url: string) => {
  const answer = await fetch(`${base_url}/readyz`);
  return { code: answer.status, ...((await answer.json()) as object) };
};

describe("two api, two worker and one smtp process", { timeout: 180_000 }, () => {
  test("every process says that it is ready, and only api processes serve the API", async () => {
    for (const { home, role } of cluster.members) {
      expect(await readiness(home.base_url)).toEqual({ code: 200, status: "ok" });
      expect((await fetch(`${home.base_url}/metrics`)).status).toBe(200);
      expect((await fetch(`${home.base_url}/openapi.json`)).status).toBe(role === "api" ? 200 : 404);
    }
  });

  test("a mail that the smtp process takes ends a wait in each api process at once", async () => {
    const inbox = await openInbox("ada");
    const waits = clients().map(async (client) => {
      const { data } = await client.messages.wait({ inbox_id: inbox.id, wait: 30 });
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

  test("a key has 5 waits over all processes", async () => {
    const other = await openInbox("quiet");
    const outcomes = await race(12, (client) => client.messages.wait({ inbox_id: other.id, wait: 3 }));
    expect(outcomes).toEqual({ done: limits.concurrent_waits_per_key, rate_limited: 12 - limits.concurrent_waits_per_key });
  });

  test("an Idempotency-Key has one effect, whichever processes are asked at once", async () => {
    const inbox = await openInbox("once");
    const outcomes = await race(10, (client) =>
      client.messages.send(
        { inbox_id: inbox.id, to: ["bo@example.org"], subject: "once", text: "Hello" },
        { idempotency_key: "the-same" },
      ),
    );
    const { done = 0, idempotency_request_in_progress: early = 0, ...others } = outcomes;
    expect([done > 0, done + early, others]).toEqual([true, 10, {}]);
    expect(await sent(inbox.id, "once")).toHaveLength(1);
  });

  test("an hourly cap is counted over all processes", async () => {
    const apis = homes("api");
    const signUps = Array.from({ length: limits.signups_per_ip_hour + 10 }, (_, index) =>
      fetch(`${apis[index % apis.length]?.base_url}/api/v1/onboard`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Forwarded-For": "203.0.113.7" },
        body: JSON.stringify({ username: `signup-${index}` }),
      }),
    );
    const statuses = (await Promise.all(signUps)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    expect(statuses.filter((status) => status === 200)).toHaveLength(limits.signups_per_ip_hour);
  });

  test("Redis restarts: every process is degraded, mail and waits go on, and all is well again afterwards", async () => {
    const { redis, members } = cluster;
    await redis.kill();
    for (const { home } of members)
      await expect
        .poll(() => readiness(home.base_url), { timeout: 10_000 })
        .toEqual({ code: 200, status: "degraded", degraded: ["redis"] });
    const inbox = await openInbox("degraded");
    const waits = clients().map((client) => client.messages.wait({ inbox_id: inbox.id, wait: 30 }));
    expect(await mailArrives(inbox.email, "without-redis")).toBe(250);
    for (const { data } of await Promise.all(waits)) expect(data.map(({ subject }) => subject)).toEqual(["without-redis"]);
    await sendTo(inbox.id, "without");
    await sent(inbox.id, "without");

    await redis.start();
    for (const { home } of members)
      await expect.poll(() => readiness(home.base_url), { timeout: 10_000 }).toEqual({ code: 200, status: "ok" });
    await sendTo(inbox.id, "with");
    await sent(inbox.id, "with", 2 * AT_ONCE_MS);
  });

  test("PostgreSQL restarts: every process says that it is not ready, mail is put off, and all is well again afterwards", async () => {
    const { postgres, members } = cluster;
    const inbox = await openInbox("put-off");
    await postgres.stop();
    for (const { home } of members)
      await expect
        .poll(() => readiness(home.base_url), { timeout: 10_000 })
        .toEqual({ code: 503, status: "storage_unavailable" });
    expect(await mailArrives(inbox.email, "no-storage")).toBe(451);
    await postgres.start();
    for (const { home } of members)
      await expect.poll(() => readiness(home.base_url), { timeout: 20_000 }).toEqual({ code: 200, status: "ok" });
    await until("the mail to be taken", async () => (await mailArrives(inbox.email, "storage-again")) === 250);
    const { data } = await anyApi().messages.wait({ inbox_id: inbox.id, wait: 20 });
    expect(data.map(({ subject }) => subject)).toEqual(["storage-again"]);
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
