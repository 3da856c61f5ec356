import pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { freshDatabase } from "../../test/fresh-database.ts";
import type { Statement } from "../connections/database.ts";
import { createPostgresStorage, type PostgresStorage } from "../storage/postgres-storage.ts";
import { createMergeReads, isMergeable } from "./merge-reads.ts";

const AT = "2026-01-01T00:00:00.000Z";
const HARD = 'Zo\u00eb \ud83d\ude80 "quoted" \\ back\nline\u0001 $1';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let storage: PostgresStorage;

beforeAll(async () => {
  database = await freshDatabase();
  storage = await createPostgresStorage({ connectionString: database.url });
  for (let number = 0; number < 20; number++) {
    await storage.insert("counters", { name: `c${number}`, count: number, expires_at: AT });
    await storage.insert("slots", { name: `s${number}`, holder: HARD, expires_at: AT });
  }
  await storage.insert("jobs", {
    ...{
      id: "job_1",
      kind: "webhook.deliver",
      due_at: AT,
      subject_id: "x",
      payload: { text: HARD, deep: [{ n: 1.5 }] },
    },
    ...{ attempts: 2 ** 53 - 1, lease: null, created_at: AT },
  });
}, 120_000);

afterAll(async () => {
  await storage.close();
  await database.drop();
});

/** Runs a batch of reads until it is common, and returns its answers and its number of statements. */
async function statementsOf<T>(batch: () => Promise<T>): Promise<{ answers: T; statements: number }> {
  for (let times = 0; times < 5; times++) await batch();
  const query = vi.spyOn(pg.Client.prototype, "query");
  try {
    const answers = await batch();
    return { answers, statements: query.mock.calls.length };
  } finally {
    query.mockRestore();
  }
}

describe("reads that often come together", () => {
  test.each([
    ["one of each", ["c1"]],
    ["several of each", ["c3", "c1", "none", "c3"]],
  ])("are one statement, %s, and each gets its rows as if it were alone", async (_, names) => {
    const order = { by: "name", direction: "desc" } as const;
    const { answers, statements } = await statementsOf(() =>
      Promise.all([
        ...names.map((name) => storage.get("counters", name)),
        storage.find("counters", { where: { name: { in: ["c5", "c4", "c9"] } }, order, limit: 2 }),
        storage.get("jobs", "job_1"),
        storage.find("slots", {
          where: { expires_at: { lte: AT } },
          order: { by: "expires_at", direction: "asc" },
          limit: 3,
        }),
        storage.count("slots", { name: "s1" }, 1),
      ]),
    );
    expect(statements).toBe(1);
    const counterOf = (name: string) => ({ name, count: Number(name.slice(1)), expires_at: AT });
    expect(answers.slice(0, names.length)).toEqual(
      names.map((name) => (name === "none" ? undefined : counterOf(name))),
    );
    const [found, job, slots, count] = answers.slice(names.length);
    expect(found).toEqual([counterOf("c9"), counterOf("c5")]);
    expect(job).toEqual(await storage.get("jobs", "job_1"));
    expect(job).toMatchObject({
      payload: { text: HARD, deep: [{ n: 1.5 }] },
      attempts: 2 ** 53 - 1,
      lease: null,
    });
    expect(slots).toHaveLength(3);
    expect(slots).toMatchObject([{ holder: HARD }, { holder: HARD }, { holder: HARD }]);
    expect(count).toBe(1);
  });

  test("don't fail with one of them that does", async () => {
    const read = (sql: string, ...parameters: unknown[]) =>
      storage.database.read({ sql, parameters, max_rows: 1 });
    const batch = (divisor: number) =>
      Promise.allSettled([
        read('select 10 / $1::bigint as "quotient" limit $2', divisor, 1),
        read('select "name" from letterslot."slots" where "name" = $1 limit $2', "s1", 1),
      ]);
    const { statements } = await statementsOf(() => batch(5));
    expect(statements).toBe(1);
    const [failed, found] = await batch(0);
    expect(failed).toMatchObject({ status: "rejected", reason: { code: "22012" } });
    expect(found).toMatchObject({ status: "fulfilled", value: { rows: [{ name: "s1" }] } });
  });

  test.each([
    ["of few rows", "select 1", ["a", 1, true, null], 50, true],
    ["of many rows", "select 1", ["a"], 51, false],
    ["of unknown rows", "select 1", ["a"], undefined, false],
    ["that locks", "select 1 limit 1 for update skip locked", [], 1, false],
    ["with a list", "select 1 where $1 = any($2)", ["a", ["a", "b"]], 1, false],
    ["that writes", "update x", ["a"], 1, false],
  ])("a read %s: %s", (_, sql, parameters, max_rows, mergeable) => {
    const read: Statement = { sql, parameters, ...(max_rows === undefined ? {} : { max_rows }) };
    expect(isMergeable(read)).toBe(mergeable);
  });

  test("are several statements where they are very many", async () => {
    const { answers, statements } = await statementsOf(() =>
      Promise.all(Array.from({ length: 130 }, (_, index) => storage.get("counters", `c${index % 20}`))),
    );
    expect(answers.map((counter) => counter?.count)).toEqual(
      Array.from({ length: 130 }, (_, index) => index % 20),
    );
    expect(statements).toBe(3);
  });

  test("that are rare are sent one by one, and there is an end to what stays prepared", () => {
    const merge = createMergeReads();
    const pair = (name: string) =>
      ["a", "b"].map((each) => ({ sql: `select ${each}${name}`, parameters: [] }));
    const merged = (name: string) => merge(pair(name)) !== undefined;
    expect(Array.from({ length: 5 }, () => merged("x"))).toEqual([false, false, false, true, true]);
    const kinds = Array.from({ length: 100 }, (_, index) => `y${index}`);
    for (let times = 0; times < 3; times++) for (const kind of kinds) merged(kind);
    expect(kinds.filter(merged)).toHaveLength(63);
    expect(merged("x")).toBe(true);
  });
});
