import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { latestVersion } from "@letterslot/sql";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ADDRESS_ROWS, CANONICAL_ADDRESSES, oldAddresses } from "../../../test/support/old-addresses.ts";
import { KNOWN, WRITTEN } from "../../../test/support/old-recipients.ts";
import { temporaryFolder } from "../test/temporary-folder.ts";
import { openWriter } from "./connection.ts";
import { migrate, SQLITE_SCHEMA } from "./schema.ts";
import { createSqliteStorage } from "./sqlite-storage.ts";

/** Version 1 as it was when databases were first created with it. Frozen. */
const FIRST_TABLES = readFileSync(new URL("../test/0001-first-tables.sql", import.meta.url), "utf8");

let folder: string;
let path: string;
let remove: () => Promise<void>;

beforeEach(async () => {
  ({ folder, remove } = await temporaryFolder());
  path = join(folder, "mail.db");
});

afterEach(() => remove());

test("a migrated database has the same tables as a fresh one", () => {
  const migrated = new Database(":memory:");
  for (const sql of [FIRST_TABLES, ...SQLITE_SCHEMA.migrations.map((step) => step.sql)]) migrated.exec(sql);
  const fresh = new Database(":memory:");
  for (const sql of SQLITE_SCHEMA.create()) fresh.exec(sql);
  expect(shapeOf(migrated)).toEqual(shapeOf(fresh));
});

test("a database of the first version opens, with its data", async () => {
  const first = new Database(path);
  first.exec(FIRST_TABLES);
  first.exec('create table "migrations" ("version" integer primary key, "name" text not null) strict');
  first.exec(
    "insert into migrations values (1, '0001-first-tables'); insert into counters values ('a', 3, '')",
  );
  first.close();
  const storage = createSqliteStorage({ path });
  expect(await storage.get("counters", "a")).toEqual({ name: "a", count: 3, expires_at: "" });
  const { recorded } = (await storage.read((connection) =>
    connection.row("select count(*) as recorded from migrations"),
  )) as { recorded: number };
  expect(recorded).toBe(latestVersion(SQLITE_SCHEMA));
  await storage.close();
});

test("an older database's addresses get their canonical form", async () => {
  const first = new Database(path);
  first.exec(FIRST_TABLES);
  first.exec('create table "migrations" ("version" integer primary key, "name" text not null) strict');
  first.exec("insert into migrations values (1, '0001-first-tables')");
  first.exec(oldAddresses("1", "0"));
  first.close();
  const storage = createSqliteStorage({ path });
  const rows = await storage.read((connection) => connection.rows({ sql: ADDRESS_ROWS, parameters: [] }));
  expect(rows.map((row) => String(row["line"])).sort()).toEqual(CANONICAL_ADDRESSES);
  await storage.close();
});

test("an older database's accounts note the earliest outside owner who was verified, who alone claims them", async () => {
  const first = new Database(path);
  first.exec(FIRST_TABLES);
  first.exec('create table "migrations" ("version" integer primary key, "name" text not null) strict');
  first.exec("insert into migrations values (1, '0001-first-tables')");
  insertOld(first, "accounts", { id: "acct_1" });
  // An owner inside this service claimed it once.
  insertOld(first, "accounts", { id: "acct_2", claimed: "1" });
  insertOld(first, "inboxes", { id: "inb_1", account_id: "acct_1", domain: "mail.example" });
  const owners = [
    ["own_1", "late@example.com", "2026-01-03T00:00:00.000Z"],
    ["own_2", "agent@mail.example", "2026-01-01T00:00:00.000Z"],
    ["own_3", "agent@sub.mail.example", "2026-01-01T00:00:00.000Z"],
    ["own_4", "first@example.com", "2026-01-02T00:00:00.000Z"],
    ["own_5", "pending@example.com", null],
  ] as const;
  for (const [id, email, verified_at] of owners)
    insertOld(first, "owners", {
      ...{ id, email, verified_at, account_id: "acct_1", inbox_id: "inb_1" },
      page_hash: id,
    });
  first.close();
  const storage = createSqliteStorage({ path });
  expect(await storage.get("accounts", "acct_1")).toMatchObject({
    first_owner_email: "first@example.com",
    claimed: true,
  });
  expect(await storage.get("accounts", "acct_2")).toMatchObject({
    first_owner_email: null,
    claimed: false,
  });
  await storage.close();
});

test("an older database's accounts count the bytes that they store", async () => {
  const first = new Database(path);
  first.exec(FIRST_TABLES);
  first.exec('create table "migrations" ("version" integer primary key, "name" text not null) strict');
  first.exec("insert into migrations values (1, '0001-first-tables')");
  for (const id of ["acct_1", "acct_2"]) insertOld(first, "accounts", { id });
  const [account_id, inbox_id] = ["acct_1", "inb_1"];
  for (const [id, size_bytes] of [
    ["msg_1", 100],
    ["msg_2", 23],
  ] as const)
    insertOld(first, "messages", {
      id,
      account_id,
      inbox_id,
      thread_id: "thr_1",
      dedupe_key: id,
      size_bytes,
    });
  const attachments = JSON.stringify([{ size_bytes: 1000 }, { size_bytes: 200 }]);
  insertOld(first, "drafts", { id: "dft_1", account_id, inbox_id, attachments });
  first.close();
  const storage = createSqliteStorage({ path });
  expect((await storage.get("accounts", "acct_1"))?.storage_bytes).toBe(1323);
  expect((await storage.get("accounts", "acct_2"))?.storage_bytes).toBe(0);
  await storage.close();
});

test("an older database's accounts know whom they have written to, but for the service's letters", async () => {
  const first = new Database(path);
  first.exec(FIRST_TABLES);
  first.exec('create table "migrations" ("version" integer primary key, "name" text not null) strict');
  first.exec("insert into migrations values (1, '0001-first-tables')");
  for (const message of WRITTEN) insertOld(first, "messages", message);
  first.close();
  const storage = createSqliteStorage({ path });
  expect(await storage.find("recipients", { where: { account_id: "acct_1" }, limit: 9 })).toEqual(KNOWN);
  await storage.close();
});

test("an older database's participants without a name have null", async () => {
  const first = new Database(path);
  first.exec(FIRST_TABLES);
  first.exec('create table "migrations" ("version" integer primary key, "name" text not null) strict');
  first.exec("insert into migrations values (1, '0001-first-tables')");
  const [ada, bo] = [
    { address: "ada@example.com", name: 'Ada "A" Lovelace' },
    { address: "bo@example.com", name: "" },
  ];
  insertOld(first, "threads", { id: "thr_1", labels: "[]", participants: JSON.stringify([bo, ada, bo]) });
  insertOld(first, "threads", { id: "thr_2", labels: "[]", participants: "[]" });
  first.close();
  const storage = createSqliteStorage({ path });
  const unnamed = { ...bo, name: null };
  expect((await storage.get("threads", "thr_1"))?.participants).toEqual([unnamed, ada, unnamed]);
  expect((await storage.get("threads", "thr_2"))?.participants).toEqual([]);
  await storage.close();
});

test("an older database's results of tasks become JSON", async () => {
  const first = new Database(path);
  first.exec(FIRST_TABLES);
  first.exec('create table "migrations" ("version" integer primary key, "name" text not null) strict');
  first.exec("insert into migrations values (1, '0001-first-tables')");
  for (const [id, result] of [
    ["tsk_1", 'Said "done"'],
    ["tsk_2", null],
    ["tsk_3", "1"],
  ] as const)
    insertOld(first, "tasks", { id, message_id: id, result });
  first.close();
  const storage = createSqliteStorage({ path });
  const results = ["tsk_1", "tsk_2", "tsk_3"].map(async (id) => (await storage.get("tasks", id))?.result);
  expect(await Promise.all(results)).toEqual(['"Said \\"done\\""', null, '"1"']);
  await storage.close();
});

/** Inserts a row of which only these columns matter. */
function insertOld(
  database: Database.Database,
  table: string,
  row: Record<string, string | number | null>,
): void {
  const columns = database.pragma(`table_info("${table}")`) as {
    name: string;
    type: string;
    notnull: 0 | 1;
  }[];
  const values = columns.map(({ name, type, notnull }) =>
    name in row ? row[name] : notnull === 0 ? null : /int/i.test(type) ? 0 : "{}",
  );
  const marks = columns.map(() => "?").join(", ");
  database.prepare(`insert into "${table}" values (${marks})`).run(...values);
}

test("opening again changes nothing", async () => {
  await createSqliteStorage({ path }).close();
  const before = readSchema();
  await createSqliteStorage({ path }).close();
  expect(readSchema()).toEqual(before);
});

test("a database from a newer version is refused with a clear error", async () => {
  await createSqliteStorage({ path }).close();
  const database = new Database(path);
  database
    .prepare("insert into migrations (version, name) values (?, 'from the future')")
    .run(latestVersion(SQLITE_SCHEMA) + 1);
  database.close();
  expect(() => createSqliteStorage({ path })).toThrow(
    /schema version \d+, but this program knows versions up to \d+/,
  );
});

test("a migration that fails leaves the schema as it was", () => {
  const connection = openWriter(path, 0);
  migrate(connection);
  const before = readSchema();
  const bad = withMigration("create table extra (id integer) strict; create table accounts (id integer)");
  expect(() => migrate(connection, bad)).toThrow("accounts");
  expect(readSchema()).toEqual(before);
  const good = withMigration("create table extra (id integer) strict");
  migrate(connection, good);
  expect(connection.row("select max(version) as version from migrations")).toEqual({
    version: latestVersion(good),
  });
  connection.close();
});

test("processes that start at the same time all open the same schema", async () => {
  const module = new URL("./sqlite-storage.ts", import.meta.url).href;
  const script = `const { createSqliteStorage } = await import(${JSON.stringify(module)});
    const storage = createSqliteStorage({ path: ${JSON.stringify(path)} });
    await storage.insert("counters", { name: String(process.pid), count: 1, expires_at: "" });
    await storage.close();`;
  const run = promisify(execFile);
  await Promise.all(
    Array.from({ length: 3 }, () => run(process.execPath, ["--input-type=module", "-e", script])),
  );
  const storage = createSqliteStorage({ path });
  expect(await storage.count("counters", {}, 9)).toBe(3);
  await storage.close();
});

function withMigration(sql: string) {
  return { ...SQLITE_SCHEMA, migrations: [...SQLITE_SCHEMA.migrations, { name: "next", sql }] };
}

function readSchema(): unknown[] {
  const database = new Database(path, { readonly: true });
  const schema = database.prepare("select * from sqlite_schema order by name").all();
  database.close();
  return schema;
}

/** All about the tables that a query could notice: columns by name, keys, indexes. */
function shapeOf(database: Database.Database): { table: string; columns: unknown[]; indexes: unknown[] }[] {
  const tables = database
    .prepare(
      "select name, sql like '%without rowid' as clustered from sqlite_schema where type = 'table' order by name",
    )
    .all();
  return (tables as { name: string; clustered: number }[]).map(({ name, clustered }) => ({
    table: name,
    clustered,
    columns: database
      .prepare('select name, type, "notnull", pk from pragma_table_info(?) order by name')
      .all(name),
    indexes: database
      .prepare(
        `select list.name, list."unique", list.partial, (select group_concat(name) from pragma_index_info(list.name)) as columns, schema.sql
         from pragma_index_list(?) as list left join sqlite_schema as schema on schema.name = list.name order by list.name`,
      )
      .all(name),
  }));
}
