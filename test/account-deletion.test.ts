import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, describe, expect, test } from "vitest";
import { createPostgresStorage } from "../packages/adapter-postgres/src/index.ts";
import { freshDatabase } from "../packages/adapter-postgres/test/fresh-database.ts";
import { createSqliteStorage } from "../packages/adapter-sqlite/src/index.ts";
import { createClient, whole } from "../packages/client/src/index.ts";
import { scanTable } from "../packages/core/src/account/transfer/scan.ts";
import { type TableName, tables } from "../packages/core/src/model/tables.ts";
import type { Storage } from "../packages/core/src/ports/storage.ts";
import { createTestService } from "../packages/core/testing/index.ts";
import { casesOf } from "./support/case-count.ts";
import { createServerHome, type ServerHome } from "./support/server-process.ts";
import { until } from "./support/until.ts";

const MAILS = 400;
const KILLS = 3;

const running: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0).toReversed()) await stop();
});

/** A server's home, and its storage as seen from beside it. */
interface World {
  home: ServerHome;
  /** Opens the storage; on SQLite only while no server runs. */
  open(): Promise<Storage>;
  /** Lets the time pass for which a killed process holds its jobs, where others may take them. */
  endLeases(): Promise<void>;
  /** Counts a table's records, also while a server runs. */
  count(table: "messages" | "accounts"): Promise<number>;
}

const worlds: Record<string, () => Promise<World>> = {
  async SQLite() {
    const home = await createServerHome({ MAIL_DOMAIN: "agents.example.org" });
    const path = join(home.data_dir, "letterslot.db");
    return {
      home,
      open: async () => createSqliteStorage({ path }),
      // No other process uses the file, so a dead process's leases are free at once.
      endLeases: async () => {},
      async count(table) {
        const database = new DatabaseSync(path, { readOnly: true, timeout: 10_000 });
        try {
          return Number(database.prepare(`select count(*) as n from ${table}`).get()?.["n"]);
        } finally {
          database.close();
        }
      },
    };
  },
  async PostgreSQL() {
    const database = await freshDatabase();
    running.push(() => database.drop());
    const open = () => createPostgresStorage({ connectionString: database.url });
    const home = await createServerHome({
      MAIL_DOMAIN: "agents.example.org",
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: randomBytes(32).toString("hex"),
    });
    const beside = await open();
    running.push(() => beside.close());
    return {
      home,
      open,
      async endLeases() {
        for (const { id, lease } of await beside.find("jobs", { where: {}, limit: 100 }))
          if (lease !== null) await beside.update("jobs", { id }, { due_at: new Date().toISOString() });
      },
      count: (table) => beside.count(table, {}, 10 * MAILS),
    };
  },
};

/** Which tables have a record that names one of these. */
async function tablesWith(storage: Storage, ids: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  for (const table of Object.keys(tables) as TableName[])
    for await (const batch of scanTable(storage, table))
      if (batch.some((record) => ids.some((id) => JSON.stringify(record).includes(id)))) found.add(table);
  return [...found];
}

describe("a server that is killed while it erases an account", () => {
  test.each(casesOf(["SQLite"], Object.keys(worlds)))(
    "ends the work when it starts again, and takes nothing of another, on %s",
    { timeout: 600_000 },
    async (name) => {
      const world = await worlds[name]?.();
      if (world === undefined) throw new Error(`no world ${name}`);
      const { home, open, count, endLeases } = world;
      const messages = () => count("messages");
      running.push(home.remove);
      let server = await home.start();
      running.push(() => server.end("SIGKILL"));
      const opened = await createClient({ baseUrl: home.base_url }).accounts.onboard({ username: "ada" });
      const other = await createClient({ baseUrl: home.base_url }).accounts.onboard({ username: "bo" });
      const client = createClient({ baseUrl: home.base_url, apiKey: opened.api_key, timeoutMs: 60_000 });
      const others = createClient({ baseUrl: home.base_url, apiKey: other.api_key, timeoutMs: 60_000 });
      const workspace = whole(await client.workspaces.create({ name: "Room", inbox_quota: 3 }));
      const inject = (by: typeof client, inbox_id: string, n: number) =>
        by.messages.inject({
          inbox_id,
          from: "mara@family.example.com",
          subject: `Mail ${n}`,
          text: `Hello ${n}.`,
        });
      for (let n = 0; n < MAILS; n += 20)
        await Promise.all(Array.from({ length: 20 }, (_, k) => inject(client, opened.inbox.id, n + k)));
      for (let n = 0; n < 5; n++) await inject(others, other.inbox.id, n);
      expect(await server.end("SIGTERM")).toBe(0);

      const storage = await open();
      await createTestService({ storage }).letterslot.operator.accounts.delete(opened.account_id);
      await storage.close();

      for (let kill = 1; kill <= KILLS; kill++) {
        const before = await messages();
        server = home.launch();
        await until("some mail to be erased", async () => (await messages()) < before, 120_000);
        expect(await server.end("SIGKILL")).toBe("SIGKILL");
        expect(await messages()).toBeGreaterThanOrEqual(5);
        await endLeases();
      }
      expect(await messages()).toBeGreaterThan(5);

      server = await home.start();
      await until("all of its mail to be erased", async () => (await messages()) === 5, 120_000);
      await until("its record to be erased", async () => (await count("accounts")) === 1, 120_000);
      expect((await others.messages.list({ inbox_id: other.inbox.id })).data).toHaveLength(5);
      expect(await server.end("SIGTERM")).toBe(0);

      const after = await open();
      running.push(() => after.close());
      const left = await tablesWith(after, [opened.account_id, workspace.account_id]);
      // The job's last look is an hour later; counts and places are soon over.
      const soon_over = ["jobs", "counters", "slots"];
      expect(left.filter((table) => !soon_over.includes(table))).toEqual(["addresses"]);
    },
  );
});
