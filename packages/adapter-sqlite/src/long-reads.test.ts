import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Connection, openReader, openWriter } from "./connection.ts";
import { createLongReads, type LongReads } from "./long-reads.ts";

const LONG_CHARS = 300_000;
const ALL = { sql: "select id, words from texts order by id", parameters: [] as unknown[] };

let folder: string;
let connection: Connection;
let reads: LongReads;
let opened: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "letterslot-reads-"));
  const path = join(folder, "test.db");
  connection = openWriter(path, 0);
  connection.script("create table texts (id integer primary key, words text)");
  opened = 0;
  reads = createLongReads(() => {
    opened += 1;
    return openReader(path, 0);
  });
});
afterEach(() => {
  reads.close();
  connection.close();
  rmSync(folder, { recursive: true });
});

function add(count: number, words: string): void {
  for (let row = 0; row < count; row++)
    connection.run("insert into texts (words) values (?)", `${row}${words}`);
}

/** Counts the turns of the event loop until the work is done. */
async function turnsOf<T>(work: () => T | Promise<T>): Promise<{ result: T; turns: number }> {
  let turns = 0;
  let working = true;
  const count = () => {
    turns += 1;
    if (working) setImmediate(count);
  };
  setImmediate(count);
  const result = await work();
  working = false;
  return { result, turns };
}

test("short rows are read at once, on the connection that is asked", async () => {
  add(200, "short");
  const rows = reads.session(() => connection).rows(ALL, 200);
  expect(rows).toEqual(connection.rows(ALL));
  expect(opened).toBe(0);
});

test("long rows are read in several turns, and others can use the connection meanwhile", async () => {
  add(40, "x".repeat(LONG_CHARS));
  const { result, turns } = await turnsOf(async () => {
    const reading = Promise.all([
      reads.session(() => connection).rows(ALL, 200),
      reads.session(() => connection).rows(ALL, 200),
    ]);
    await new Promise((resolve) => setImmediate(resolve));
    connection.run("insert into texts (words) values ('meanwhile')");
    return reading;
  });
  const [first, second] = result;
  expect(
    first.map(({ words }) => (words as string).length).filter((length) => length > LONG_CHARS),
  ).toHaveLength(40);
  expect(second.at(-1)).toMatchObject({ words: "meanwhile" });
  expect(turns).toBeGreaterThanOrEqual((2 * 40 * LONG_CHARS) / 1_000_000 - 4);
  expect(opened).toBe(1);
});

test.each([
  [200, "message_terms", 0],
  [201, "message_terms", 1],
  [200, "messages", 1],
] as const)(
  "up to 200 rows of a table of short ones are read at once: %i of %s",
  async (limit, table, own) => {
    add(2, "x".repeat(2 * LONG_CHARS));
    const statement = { ...ALL, access: { table, does: "reads" } } as const;
    expect(await reads.session(() => connection).rows(statement, limit)).toHaveLength(2);
    expect(opened).toBe(own);
  },
);

test("a single row is read at once, however long", () => {
  add(1, "x".repeat(5 * LONG_CHARS));
  expect(reads.session(() => connection).rows(ALL, 1)).toHaveLength(1);
});
