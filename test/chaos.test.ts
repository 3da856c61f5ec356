import { setTimeout as after } from "node:timers/promises";
import { type Client, createClient } from "@letterslot/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPostgresStorage, type PostgresStorage } from "../packages/adapter-postgres/src/index.ts";
import { LIMITS } from "../packages/core/src/catalogue/limits.ts";
import { caseCount, casesOf, PROOF_SEED, PROOF_TIMEOUT_MS } from "./support/case-count.ts";
import type { ClusterMember } from "./support/cluster.ts";
import { type ClusterWorld, startClusterWorld } from "./support/cluster-world.ts";
import { audit, waitForEffects } from "./support/crash-audit.ts";
import { type Promised, startLoad } from "./support/crash-load.ts";
import { createFaults } from "./support/faults.ts";
import { auditFeed, type FeedEvent } from "./support/feed-audit.ts";
import { onboardOwner } from "./support/onboarded-owner.ts";
import { printProgress } from "./support/progress.ts";
import { seeded } from "./support/seeded.ts";
import { until, untilNoneLeft } from "./support/until.ts";

const OWNER = "mara@family.example.com";
const rounds = Number(process.env["CHAOS_ROUNDS"] ?? caseCount(1, 12));
/** Limits the load during a fault, however long a restart takes. */
const MAX_ANSWERS_DURING_FAULT = 40;
/** Longer than any lease of a killed process. */
const TIMEOUT_MS = 90_000;

let world: ClusterWorld;
let storage: PostgresStorage;

beforeAll(async () => {
  world = await startClusterWorld();
  storage = await createPostgresStorage({ connectionString: world.cluster.database_url });
}, 180_000);

afterAll(async () => {
  await storage?.close();
  await world?.close();
});

/** Follows the feed across reconnects, and returns the events seen. */
function followFeed(client: Client): { followed: FeedEvent[]; troubles: string[]; hangUp(): Promise<void> } {
  const followed: FeedEvent[] = [];
  const troubles: string[] = [];
  const ear = new AbortController();
  const listen = async () => {
    for await (const event of client.events.follow({ after: 0, signal: ear.signal })) followed.push(event);
  };
  const listening = listen().catch((error: unknown) => {
    if (!ear.signal.aborted) troubles.push(`the follower: ${String(error)}`);
  });
  return { followed, troubles, hangUp: () => (ear.abort(), listening) };
}

async function wholeFeed(client: Client): Promise<FeedEvent[]> {
  const feed: FeedEvent[] = [];
  for (let cursor = "0"; ; ) {
    const page = await client.events.list({ after: cursor, limit: 200 });
    feed.push(...page.data);
    if (!page.has_more) return feed;
    cursor = page.next_cursor;
  }
}

describe("two api and two worker processes", { timeout: 180_000 }, () => {
  test("a call with an Idempotency-Key on two api processes at once has one effect, which both return", async () => {
    const { cluster, replicas } = world;
    const opened = await createClient({ baseUrl: cluster.base_url }).accounts.onboard({ username: "bo" });
    const { account_id, api_key, inbox } = opened;
    const [here, there] = replicas(api_key) as [Client, Client];
    const draft = (client: Client, text: string) =>
      client.drafts.create({ inbox_id: inbox.id, to: [OWNER], text }, { idempotencyKey: "the-same" });

    // A transaction that is rolled back later holds the key, so both calls start and neither can finish.
    const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<never>()];
    const record = {
      account_id,
      key: "the-same",
      fingerprint: "f",
      response: {},
      expires_at: "2100-01-01T00:00:00.000Z",
    };
    const holding = storage.transaction(async (tx) => {
      await tx.insert("idempotency", record);
      held.resolve();
      return release.promise;
    });
    const ended = holding.catch((error: Error) => error.message);
    await held.promise;
    const answers = Promise.all([draft(here, "Hello."), draft(there, "Hello.")]);
    // The transactions of an account take turns: the first one waits for the key, the other for its turn.
    const countOf = (query: string) => `count(*) filter (where query like '%${query}%')::int`;
    const sql = `select ${countOf("idempotency")} as at_key, ${countOf("pg_advisory_lock")} as for_turn
      from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    const waiting = async () => (await storage.database.run({ sql, parameters: [] })).rows[0];
    await until("one call to come to its key, and the other to wait behind it", async () => {
      const { at_key, for_turn } = (await waiting()) ?? {};
      return at_key === 1 && for_turn === 1;
    });
    release.reject(new Error("rolled back"));
    expect(await ended).toBe("rolled back");
    const [one, other] = await answers;
    expect(other.id).toBe(one.id);
    expect(new Set([one.idempotent, other.idempotent])).toEqual(new Set([false, true]));
    expect((await here.drafts.list({ inbox_id: inbox.id })).data.map(({ id }) => id)).toEqual([one.id]);
    await expect(draft(there, "Goodbye.")).rejects.toMatchObject({ code: "idempotency_key_conflict" });
  });

  test("an owner's digest at 13:00 UTC is one letter, whichever worker is first", async () => {
    const { cluster, sink } = world;
    const people = ["grace", "alan", "emmy"];
    const jobs = await Promise.all(
      people.map(async (username) => {
        const email = `${username}@family.example.com`;
        const { client, inbox_id } = await onboardOwner(cluster.base_url, sink.arrived, {
          username,
          owner: email,
        });
        const owner_id = (await client.owners.list({ inbox_id })).data[0]?.id ?? "";
        await client.owners.update({ inbox_id, owner_id, digest: "daily" });
        await client.updates.create({ inbox_id, kind: "done", text: `Booked the train of ${username}.` });
        const found = await storage.find("jobs", { where: { subject_id: owner_id }, limit: 10 });
        expect(found).toMatchObject([
          { kind: "digest.send", due_at: expect.stringContaining("T13:00:00.000Z") },
        ]);
        return found[0]?.id ?? "";
      }),
    );
    await storage.update("jobs", { id: { in: jobs } }, { due_at: new Date().toISOString() });
    const left = () => storage.count("jobs", { id: { in: jobs } }, 1);
    const digests = () =>
      sink.arrived.filter(({ text }) => text.includes("Booked the train")).map(({ to }) => to.join());
    await until("the digests", async () => (await left()) === 0 && digests().length >= people.length, 60_000);
    expect(digests().toSorted()).toEqual(
      people.map((username) => `${username}@family.example.com`).toSorted(),
    );
  });

  test("a mail whose worker was killed is sent by the other one with the same Message-ID, and is marked as possibly repeated", async () => {
    const { cluster, sink, replicas } = world;
    const workers = cluster.members.filter(({ role }) => role === "worker");
    const [first, second] = workers as [ClusterMember, ClusterMember];
    const { api_key, inbox } = await createClient({ baseUrl: cluster.base_url }).accounts.onboard({
      username: "cy",
    });
    const client = replicas(api_key)[0] as Client;
    await second.process.end("SIGTERM");
    sink.silent = true;
    const { id } = await client.messages.send({
      inbox_id: inbox.id,
      to: [OWNER],
      subject: "Over",
      text: "Taken over.",
    });
    const arrived = () => sink.arrived.filter(({ text }) => text.includes("Taken over."));
    await until("the mail to arrive", () => arrived().length === 1);
    await first.process.end("SIGKILL");
    sink.silent = false;
    await second.restart("SIGTERM");
    const message = await until(
      "the mail to be sent",
      async () => {
        const found = await client.messages.get({ inbox_id: inbox.id, message_id: id });
        return found.status === "sent" && found;
      },
      2 * LIMITS.job_lease_ms,
    );
    expect(message.delivery_events).toMatchObject([{ type: "possibly_repeated" }, { type: "sent" }]);
    expect(arrived().map(({ message_id }) => message_id)).toEqual([message.message_id, message.message_id]);
    await first.restart("SIGTERM");
  });
});

// In the gate crash.test.ts proves the same of one process, and cluster.test.ts that each part may fail.
describe.runIf(casesOf(false, true))("a cluster in which everything fails in turn", () => {
  test("loses, duplicates and tears nothing that it acknowledged", {
    timeout: PROOF_TIMEOUT_MS,
  }, async () => {
    const { cluster, domain, sink, receiver, replicas } = world;
    const { base_url, smtp_port } = cluster;
    const random = seeded(PROOF_SEED);
    const { client, reader, inbox_id, api_key } = await onboardOwner(base_url, sink.arrived, {
      username: "ada",
      owner: OWNER,
    });
    await client.webhooks.create({ url: receiver.url });
    const address = "ada@agents.example.org";
    let budget = 0;
    const isEnough = ({ mails, replies }: Promised) => mails.size + replies.size >= budget;
    const target = {
      client,
      isEnough,
      replicas: replicas(api_key),
      inbox_id,
      address,
      smtp_port,
      owner: OWNER,
      domain,
      random,
    };
    const { promised, answered, untilAnswered, stop, hangUp } = startLoad(target, { mailers: 6, agents: 4 });
    const follower = followFeed(createClient({ baseUrl: base_url, apiKey: api_key }));

    const more = async (count: number, when: string) => {
      const enough = answered() + count;
      budget = enough + MAX_ANSWERS_DURING_FAULT;
      await untilAnswered(enough).catch((error: Error) => {
        const troubles = cluster.members.map(({ name, process }) => `${name}:\n${process.troubles()}`);
        throw new Error(`${error.message} ${when}; the processes' troubles:\n${troubles.join("\n")}`);
      });
    };
    const faults = Array.from({ length: rounds }, () => createFaults(cluster, random)).flat();
    for (const [index, fault] of faults.entries()) {
      printProgress(`  ${index + 1}/${faults.length}: ${fault.name}, after ${answered()} answers`);
      await more(15 + Math.floor(random() * 30), `before ${fault.name}`);
      await after(random() * 40);
      await fault.strike(() => more(10, `during ${fault.name}`));
    }
    await more(20, "after it all");
    await stop();
    expect(promised.refused).toEqual([]);

    const outside = { promised, arrived: sink.arrived, delivered: receiver.delivered };
    const found = await waitForEffects({ client: reader, inbox_id, ...outside, within_ms: TIMEOUT_MS });
    const soon = new Date(Date.now() + TIMEOUT_MS).toISOString();
    // Due or leased; the job of the weekly notes always exists, far in the future.
    const undone = () => storage.find("jobs", { where: { due_at: { lte: soon } }, limit: 100 });
    // Remaining jobs are listed by name below, which says more than a timeout.
    await untilNoneLeft("jobs", async () => (await undone()).length, TIMEOUT_MS).catch(() => undefined);
    const left = await undone();
    const feed = await wholeFeed(reader);
    await untilNoneLeft(
      "events to be followed",
      () => feed.length - follower.followed.length,
      TIMEOUT_MS,
    ).catch((error: unknown) => follower.troubles.push(String(error)));
    await Promise.all([hangUp(), follower.hangUp()]);
    const report = audit({ ...outside, ...found });
    const feeds = auditFeed({ followed: follower.followed, feed, delivered: receiver.delivered });
    const [lost, torn] = [
      [...report.lost, ...feeds.lost],
      [...report.torn, ...feeds.torn],
    ];
    console.log(
      `  seed ${PROOF_SEED}, ${faults.length} faults: ${promised.mails.size} mails and ${promised.replies.size} replies ` +
        `acknowledged, ${lost.length} lost, ${report.doubled.length} doubled, ${torn.length} torn ` +
        `(${report.twice} replies arrived twice, ${report.marked} are marked as possibly repeated)`,
    );
    expect({
      lost,
      torn,
      doubled: report.doubled,
      missed: found.missed,
      left,
      troubles: follower.troubles,
    }).toEqual({
      left: [],
      lost: [],
      torn: [],
      doubled: [],
      missed: [],
      troubles: [],
    });
  });
});
