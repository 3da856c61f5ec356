import type { SearchDocument, SearchQuery } from "@letterslot/core/ports";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freshDatabase } from "../../test/fresh-database.ts";
import type { Statement } from "../connections/database.ts";
import { createPostgresStorage, type PostgresStorage } from "../storage/postgres-storage.ts";
import { asksIndexSql, createSearchStatements } from "./search-index.ts";

let made = 0;
let database: Awaited<ReturnType<typeof freshDatabase>>;
let storage: PostgresStorage;

beforeAll(async () => {
  database = await freshDatabase();
  storage = await createPostgresStorage({ connectionString: database.url });
}, 120_000);

afterAll(async () => {
  await storage.close();
  await database.drop();
});

function documentOf(text: string[]): SearchDocument {
  // Ids increase, as core's do.
  const fields = { subject: [], text, sender: [], recipients: [], attachments: [] };
  return {
    message_id: `msg_${String(++made).padStart(20, "0")}`,
    account_id: "acct_1",
    inbox_id: "inb_1",
    thread_id: "thr_1",
    fields,
  };
}

function queryOf(...words: string[]): SearchQuery {
  const terms = [{ words, prefix: false, field: null }];
  return { account_id: "acct_1", inbox_id: null, thread_id: null, terms, before: null, limit: 5 };
}

describe("the search index", () => {
  test("finds old messages behind a thousand newer ones, and pages through common words", async () => {
    const documents = Array.from({ length: 1_300 }, (_, index) =>
      documentOf(index < 7 ? ["common", "old", "time"] : ["common"]),
    );
    await storage.transaction(async (tx) => tx.index(documents));
    const ids = documents.map(({ message_id }) => message_id);
    expect(await storage.search(queryOf("old"))).toEqual(ids.slice(2, 7).toReversed());
    expect(await storage.search(queryOf("old", "time"))).toEqual(ids.slice(2, 7).toReversed());
    expect(await storage.search({ ...queryOf("old"), before: ids[3] as string })).toEqual(
      ids.slice(0, 3).toReversed(),
    );
    expect(await storage.search(queryOf("common"))).toEqual(ids.slice(-5).toReversed());
    const older = await storage.search({ ...queryOf("common"), before: ids[10] as string, limit: 20 });
    expect(older).toEqual(ids.slice(0, 10).toReversed());
    // So many that the few newest don't fill the page, but further ones do.
    expect(await storage.search({ ...queryOf("common"), limit: 500 })).toEqual(ids.slice(-500).toReversed());
  });

  /** Returns the plan of a statement, made for its own words or generically. */
  const planOf = (statement: Statement | undefined, cache = "force_custom_plan") =>
    storage.database.lend(async (connection) => {
      const { sql = "", parameters = [] } = statement ?? {};
      await connection.run({ sql: `set plan_cache_mode = ${cache}`, parameters: [] });
      const { rows } = await connection.run({ sql: `explain (analyze, timing off) ${sql}`, parameters });
      await connection.run({ sql: "reset plan_cache_mode", parameters: [] });
      return rows.map((row) => String(row["QUERY PLAN"])).join("\n");
    });

  test.each(["force_custom_plan", "force_generic_plan"])(
    "looks up a rare word without reading all messages, with %s",
    async (cache) => {
      const ways = createSearchStatements("letterslot").search({
        ...queryOf("nobody"),
        before: "msg_00000000000000000900",
      });
      for (const statement of [ways?.first, ways?.all]) {
        const plan = await planOf(statement, cache);
        expect(plan).toMatch(/Bitmap Index Scan on search_lexemes .*\(actual rows/);
        expect(plan).not.toMatch(/search_pkey|Seq Scan/);
      }
    },
  );

  test("compares a few of the newest messages, in a table that was never analysed too", async () => {
    const { rows } = await storage.database.run({
      sql: "select count(*)::integer as stored from letterslot.search having count(*) > 1000",
      parameters: [],
    });
    expect(rows).toHaveLength(1);
    for (const before of [null, "msg_00000000000000000900"]) {
      const ways = createSearchStatements("letterslot").search({ ...queryOf("nobody"), before });
      const plan = await planOf(ways?.first);
      const sample = plan.slice(plan.indexOf("CTE sample"), plan.indexOf("CTE next"));
      expect(sample).toContain("search_account_id_message_id");
      expect(sample).not.toMatch(/Sort|Seq Scan|Bitmap/);
      expect(sample).toContain("Rows Removed by Filter: 60");
    }
  });

  test("doesn't ask the index when they fill the page", async () => {
    const ways = createSearchStatements("letterslot").search(queryOf("common"));
    expect(await planOf(ways?.first)).toMatch(/Bitmap Index Scan on search_lexemes .*\(never executed\)/);
  });

  test.each([
    { words: "absent", found: 0, pages: 1_000_000, index: true },
    { words: "rare", found: 1, pages: 1_000, index: true },
    { words: "fairly common, in a small table", found: 6, pages: 1_000, index: true },
    { words: "fairly common, in a large table", found: 6, pages: 100_000, index: false },
    { words: "very common, in a small table", found: 20, pages: 1_000, index: false },
    { words: "on each page, in a tiny table", found: 25, pages: 1, index: false },
  ])("of words that are $words, the index is asked next: $index", async ({ found, pages, index }) => {
    const sql = `select ${asksIndexSql("$1::bigint", "$2::bigint", "$3")} as "by_index"`;
    const { rows } = await storage.database.run({ sql, parameters: [found, pages * 8_192, 25] });
    expect(rows).toEqual([{ by_index: index }]);
  });

  test("keeps few words pending, which every search would read", async () => {
    const sql = "select reloptions::text as options from pg_class where relname = 'search_lexemes'";
    const { rows } = await storage.database.run({ sql, parameters: [] });
    expect(rows).toEqual([{ options: "{gin_pending_list_limit=1024}" }]);
  });

  test("accepts a message with more words than a tsvector holds", async () => {
    const text = Array.from({ length: 40_000 }, (_, index) => `${"long".repeat(10)}${index}`);
    const document = { ...documentOf(text), fields: { ...documentOf(text).fields, subject: ["giant"] } };
    await storage.transaction(async (tx) => tx.index([document]));
    expect(await storage.search(queryOf("giant"))).toEqual([document.message_id]);
    expect(await storage.search(queryOf(text[0] as string))).toEqual([document.message_id]);
  });
});
