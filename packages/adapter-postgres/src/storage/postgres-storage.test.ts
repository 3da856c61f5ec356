import { storageKit } from "@letterslot/core/conformance";
import { createVerbs } from "@letterslot/sql";
import pg from "pg";
import { afterAll, beforeAll, test, vi } from "vitest";
import { emptySchema, freshDatabase } from "../../test/fresh-database.ts";
import { createPostgresDialect } from "./postgres-dialect.ts";
import { createPostgresStorage, type PostgresStorage } from "./postgres-storage.ts";

vi.setConfig({ testTimeout: 120_000 });

const verbs = createVerbs(createPostgresDialect("letterslot"));
let database: Awaited<ReturnType<typeof freshDatabase>>;

beforeAll(async () => {
  database = await freshDatabase();
});

afterAll(() => database.drop());

storageKit({
  test,
  async open() {
    const opened: PostgresStorage[] = [];
    const open = async () => {
      const storage = await createPostgresStorage({ connectionString: database.url });
      opened.push(storage);
      return storage;
    };
    const storage = await open();
    await emptySchema(storage);
    return {
      storage,
      reopen: open,
      async plan(table, query) {
        const { sql, parameters } = verbs.findStatement(table, query);
        const client = new pg.Client({ connectionString: database.url });
        await client.connect();
        // On an empty table every plan is cheap, so those that scan or sort are only a last resort.
        await client.query("set enable_seqscan = off; set enable_sort = off; set enable_bitmapscan = off");
        const { rows } = await client.query<{ "QUERY PLAN": string }>(`explain ${sql}`, parameters);
        await client.end();
        const detail = rows.map((row) => row["QUERY PLAN"].trim()).join("; ");
        return { scans: detail.includes("Seq Scan"), sorts: /\bSort\b/.test(detail), detail };
      },
      async close() {
        for (const each of opened) await each.close();
      },
    };
  },
});
