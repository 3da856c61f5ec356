import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createPostgresBlobs, createPostgresStorage } from "@letterslot/adapter-postgres";
import { createSqliteBlobs, createSqliteStorage } from "@letterslot/adapter-sqlite";
import { createTestService, type TestAccount } from "@letterslot/core/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BARE_ENVIRONMENT, builtServer } from "../../../../../test/support/built-programs.ts";
import { postgresUrl } from "../../../../../test/support/postgres-server.ts";

const main = await builtServer();
let folder: string;
let database: { url: string; drop(): Promise<void> };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "letterslot-up-"));
  database = await freshDatabase();
}, 120_000);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await database.drop();
});

/** Creates a database for this file; connections to the shared database create and drop it. */
async function freshDatabase(): Promise<typeof database> {
  const name = `test_move_${process.pid}`;
  const server = new URL(await postgresUrl());
  if (server.pathname.length <= 1) server.pathname = "/postgres";
  const url = new URL(server);
  url.pathname = `/${name}`;
  const run = async (...statements: string[]) => {
    const storage = await createPostgresStorage({ connectionString: server.href, schema: name });
    for (const sql of statements) await storage.database.run({ sql, parameters: [] });
    await storage.close();
  };
  await run(
    `drop database if exists ${name} with (force)`,
    `create database ${name} template template0 encoding 'UTF8'`,
  );
  return {
    url: url.href,
    drop: () => run(`drop database ${name} with (force)`, `drop schema ${name} cascade`),
  };
}

/** The storage of a service in a folder. */
function folderStore(name: string) {
  mkdirSync(join(folder, name), { recursive: true });
  const storage = createSqliteStorage({ path: join(folder, name, "letterslot.db") });
  return { storage, blobs: createSqliteBlobs({ storage, folder: join(folder, name, "blobs") }) };
}

const migrate = async (from: string, to: string) =>
  promisify(execFile)(process.execPath, [main, "migrate-storage", "--from", from, "--to", to], {
    cwd: folder,
    env: BARE_ENVIRONMENT,
  });

/** Everything that an account's key can read. */
async function readAll(store: ReturnType<typeof folderStore>, account: TestAccount) {
  const { letterslot } = createTestService(store);
  const as = letterslot.as(await letterslot.authenticate(account.api_key, null));
  const inbox_id = account.inbox.id;
  const { data } = await as.messages.list({ inbox_id, limit: 200 });
  const raws = await Promise.all(data.map(({ id: message_id }) => as.messages.raw({ inbox_id, message_id })));
  const searches = await Promise.all(
    ["rechnung", "grüße 15", "subject:zahl", "請求", '"rechnung 3"'].map((q) => as.search.messages({ q })),
  );
  return {
    data,
    raws: raws.map(({ bytes }) => Buffer.from(bytes).toString("base64")),
    found: searches.map((page) => page.data.map(({ message }) => message.id)),
    events: await as.events.list({ after: "0", limit: 200 }),
    webhooks: await as.webhooks.list({}),
  };
}

test("a service copied from SQLite to PostgreSQL and back shows the same data everywhere", {
  timeout: 180_000,
}, async () => {
  const store = folderStore("first");
  const service = createTestService(store);
  const account = await service.signUp("ada");
  await account.as.webhooks.create({ url: "https://receiver.example.com/", headers: { "X-Team": "mail" } });
  for (let number = 0; number < 20; number++) {
    const text =
      number % 5 === 0
        ? `Grüße ${number} 請求書 😀`
        : `Die Rechnung ${number} liegt bei. ${"lang ".repeat(number * 500)}`;
    await service.receive({
      from: "eve@sender.example",
      to: account.inbox.email,
      subject: `Zahl ${number}`,
      text,
    });
  }
  await service.work();
  const before = await readAll(store, account);
  await store.storage.close();

  const up = await migrate("sqlite:first", database.url);
  expect(up.stdout).toContain("are identical in both storages.\n");
  const storage = await createPostgresStorage({ connectionString: database.url });
  expect(
    await readAll({ storage: storage as never, blobs: createPostgresBlobs({ storage }) }, account),
  ).toEqual(before);
  await storage.close();

  const back = await migrate(database.url, "sqlite:second");
  expect(back.stdout).toContain("are identical in both storages.\n");
  expect(back.stdout).not.toContain(new URL(database.url).password || "no password");
  const second = folderStore("second");
  expect(await readAll(second, account)).toEqual(before);
  await second.storage.close();
  expect(before.found.map((ids) => ids.length)).not.toContain(0);
});
