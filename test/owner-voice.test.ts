import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { createPostgresStorage } from "../packages/adapter-postgres/src/index.ts";
import { freshDatabase } from "../packages/adapter-postgres/test/fresh-database.ts";
import { createSqliteStorage } from "../packages/adapter-sqlite/src/index.ts";
import type { Storage } from "../packages/core/src/ports/storage.ts";
import { createTestService } from "../packages/core/testing/index.ts";
import { serve } from "../packages/server/testing/serve.ts";
import { startRacer } from "./support/racers.ts";
import { signInOverWire } from "./support/sign-in-over-wire.ts";

const GRACE = "grace@example.com";
const RACED = 30;

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

test("over the wire a person's session writes to its agent, and nobody else's does", async () => {
  const served = await serve();
  undo.push(() => served.close());
  const account = await served.signUp("ada");
  await served.addOwner(account, GRACE);
  const inbox_id = account.inbox.id;
  const url = `${served.base_url}/api/v1/inboxes/${inbox_id}/owner-messages`;
  const write = async (headers: Record<string, string>, body: object = { text: "Order paper." }) => {
    const response = await served.fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as { message?: { id: string } } };
  };
  const session = await signInOverWire(served, GRACE);
  const { status, body } = await write(session, { text: "Order paper.", client_id: "one" });
  expect([status, body]).toMatchObject([
    200,
    { object: "owner_message", message: { channel: "console", from: GRACE }, task: { trusted: true } },
  ]);
  expect(await write(session, { text: "Order paper.", client_id: "one" })).toMatchObject({
    body: { idempotent: true, message: { id: body.message?.id } },
  });
  // The agent gets it as any task, with the typed client.
  const agent = served.client(account.api_key);
  const { task } = await agent.tasks.claim({});
  expect(task).toMatchObject({ text: "Order paper.", sender: GRACE, trusted: true });
  const message_id = task?.message_id ?? "";
  await expect(agent.messages.raw({ inbox_id, message_id })).rejects.toMatchObject({ code: "not_a_mail" });

  const key = { authorization: `Bearer ${account.api_key}` };
  expect(await write(key)).toMatchObject({ status: 403, body: { error: { code: "owner_only" } } });
  expect(await write({})).toMatchObject({ status: 401, body: { error: { code: "session_required" } } });
  const elsewhere = { ...session, origin: "https://evil.example", "sec-fetch-site": "cross-site" };
  expect(await write(elsewhere)).toMatchObject({
    ...{ status: 403, body: { error: { code: "cross_site_request" } } },
  });
  const other = await served.signUp("other");
  await served.addOwner(other, "mallory@example.net");
  const stranger = await signInOverWire(served, "mallory@example.net");
  expect(await write(stranger)).toMatchObject({ status: 404, body: { error: { code: "inbox_not_found" } } });
  const counted = await Promise.all(
    (["pending", "in_progress"] as const).map((each) => agent.tasks.list({ status: each })),
  );
  expect(counted.map(({ data }) => data.length)).toEqual([0, 1]);
}, 60_000);

async function sqlite(): Promise<Storage> {
  const folder = mkdtempSync(join(tmpdir(), "letterslot-voice-"));
  const storage = createSqliteStorage({ path: join(folder, "letterslot.db") });
  undo.push(async () => {
    await storage.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return storage;
}

async function postgres(): Promise<Storage> {
  const { url, drop } = await freshDatabase();
  const storage = await createPostgresStorage({ connectionString: url });
  undo.push(drop, () => storage.close());
  return storage;
}

test.each([
  ["SQLite", sqlite],
  ["PostgreSQL", postgres],
])(
  "on %s a conversation is one thread, found by its words, and moves with the account",
  async (_, open) => {
    const service = createTestService({ storage: await open() });
    const account = await service.signUp("ada");
    await service.addOwner(account, GRACE);
    const { as, inbox, account_id } = account;
    const inbox_id = inbox.id;
    const person = service.letterslot.asOwner({ email: GRACE, account_id });
    const { message, task } = await person.ownerMessages.create({ inbox_id, text: "Order paper." });
    const report = { inbox_id, kind: "progress" as const, text: "Half of it is done.", task_id: task.id };
    const { deliveries } = await as.updates.create(report);
    await service.work();
    const more = await person.ownerMessages.create({ inbox_id, text: "Blue, please.", task_id: task.id });
    const { messages } = await as.threads.get({ inbox_id, thread_id: message.thread_id });
    expect(messages.map(({ id }) => id)).toEqual([message.id, deliveries[0]?.message_id, more.message.id]);
    expect((await as.search.messages({ q: "blue" })).data).toHaveLength(1);
    expect(more.task).toMatchObject({ task_id: task.id, trusted: true });
    expect((await as.messages.list({ inbox_id, label: ["owner", "received"] })).data).toHaveLength(2);
  },
  60_000,
);

test("of two posts with one client_id in two processes at once, one makes the message and the other answers it", async () => {
  const { url, drop } = await freshDatabase();
  const storage = await createPostgresStorage({ connectionString: url });
  undo.push(drop, () => storage.close());
  const service = createTestService({ storage });
  const account = await service.signUp("ada");
  await service.addOwner(account, GRACE);
  const inbox_id = account.inbox.id;
  const program = new URL("support/voice-racer.ts", import.meta.url);
  const racers = await Promise.all([1, 2].map(() => startRacer(program, [url, inbox_id, GRACE])));
  undo.push(...racers.map(({ stop }) => stop));
  await Promise.all(
    Array.from({ length: RACED }, async (_, at) => {
      const order = at % 2 === 0 ? racers : racers.toReversed();
      const said = await Promise.all(order.map(({ ask }) => ask(`id-${at}`, `id-${at}`)));
      const [again, made] = said.toSorted().map((each) => each.split(":"));
      expect([again?.[0], made?.[0]]).toEqual(["again", "made"]);
      expect(again?.[1]).toBe(made?.[1]);
    }),
  );
  const { data } = await account.as.tasks.list({ limit: 200 });
  expect(data).toHaveLength(RACED);
  const threads = await storage.find("threads", { where: { inbox_id }, limit: 200 });
  expect(threads.filter(({ message_count }) => message_count !== 1)).toEqual([]);
}, 120_000);
