import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { latestVersion } from "@letterslot/sql";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ADDRESS_ROWS, CANONICAL_ADDRESSES, oldAddresses } from "../../../test/support/old-addresses.ts";
import { type OpenOlder, testOlderDatabases } from "../../../test/support/old-databases.ts";
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

afterEach(async () => {
  for (const storage of opened.splice(0)) await storage.close();
  await remove();
});

test("a migrated database has the same tables as a fresh one", () => {
  const migrated = new Database(":memory:");
  for (const sql of [FIRST_TABLES, ...SQLITE_SCHEMA.migrations.map((step) => step.sql)]) migrated.exec(sql);
  const fresh = new Database(":memory:");
  for (const sql of SQLITE_SCHEMA.create()) fresh.exec(sql);
  expect(shapeOf(migrated)).toEqual(shapeOf(fresh));
});

test("a database of the first version opens, with its data", async () => {
  const storage = await openOlder((insert) => insert("counters", { name: "a", count: 3, expires_at: "" }));
  expect(await storage.get("counters", "a")).toEqual({ name: "a", count: 3, expires_at: "" });
  const { recorded } = (await storage.read((connection) =>
    connection.row("select count(*) as recorded from migrations"),
  )) as { recorded: number };
  expect(recorded).toBe(latestVersion(SQLITE_SCHEMA));
  await storage.close();
});

test("an older database's addresses get their canonical form", async () => {
  const storage = await openOlder(() => {
    const old = new Database(path);
    old.exec(oldAddresses("1", "0"));
    old.close();
  });
  const rows = await storage.read((connection) => connection.rows({ sql: ADDRESS_ROWS, parameters: [] }));
  expect(rows.map((row) => String(row["line"])).sort()).toEqual(CANONICAL_ADDRESSES);
  await storage.close();
});

const opened: { close(): Promise<void> }[] = [];

/** Makes a database of an older version, fills it, and opens it. */
const openOlder = async (...[fill, { before } = {}]: Parameters<OpenOlder>) => {
  const connection = openWriter(path, 0);
  connection.script(`${FIRST_TABLES};
    create table "migrations" ("version" integer primary key, "name" text not null) strict;
    insert into migrations values (1, '0001-first-tables')`);
  const { migrations } = SQLITE_SCHEMA;
  const done = migrations.slice(
    0,
    migrations.findIndex(({ name }) => name === before),
  );
  if (before !== undefined) migrate(connection, { ...SQLITE_SCHEMA, migrations: done });
  connection.close();
  const old = new Database(path);
  await fill((table, row) => insertOld(old, table, row));
  old.close();
  const storage = createSqliteStorage({ path });
  opened.push(storage);
  return storage;
};

testOlderDatabases(openOlder);

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
