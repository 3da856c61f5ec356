import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { schemaOfTables } from "../test/schema-of-tables.ts";
import { temporaryFolder } from "../test/temporary-folder.ts";
import { openWriter } from "./connection.ts";
import { migrate } from "./migrate.ts";
import { migrations } from "./migrations.ts";
import { createSqliteStorage } from "./sqlite-storage.ts";

let folder: string;
let path: string;
let remove: () => Promise<void>;

beforeEach(async () => {
  ({ folder, remove } = await temporaryFolder());
  path = join(folder, "mail.db");
});

afterEach(() => remove());

test("the migrated schema is the one that core's tables ask for", () => {
  const migrated = new Database(":memory:");
  for (const { sql } of migrations) migrated.exec(sql);
  const wanted = new Database(":memory:");
  wanted.exec(schemaOfTables().join(";\n"));
  const own = new Set(["blobs", "search_rows"]);
  const found = shapeOf(migrated).filter(({ table }) => !own.has(table) && !table.startsWith("search"));
  expect(found).toEqual(shapeOf(wanted));
});

test("opening again changes nothing", async () => {
  await createSqliteStorage({ path }).close();
  const before = readSchema();
  await createSqliteStorage({ path }).close();
  expect(readSchema()).toEqual(before);
});

test("a database of a newer version is refused with a sentence that says so", async () => {
  await createSqliteStorage({ path }).close();
  const database = new Database(path);
  database
    .prepare("insert into migrations (version, name) values (?, 'from the future')")
    .run(migrations.length + 1);
  database.close();
  expect(() => createSqliteStorage({ path })).toThrow(
    /schema version \d+, this program knows versions up to \d+/,
  );
});

test("a step that fails leaves the schema as it was", () => {
  const connection = openWriter(path, 0);
  migrate(connection);
  const before = readSchema();
  const bad = [
    ...migrations,
    { name: "bad", sql: "create table extra (id integer) strict; create table accounts (id integer)" },
  ];
  expect(() => migrate(connection, bad)).toThrow("accounts");
  expect(readSchema()).toEqual(before);
  const good = [...migrations, { name: "good", sql: "create table extra (id integer) strict" }];
  migrate(connection, good);
  expect(connection.row("select max(version) as version from migrations")).toEqual({ version: good.length });
  connection.close();
});

test("processes that start at once all open the same schema", async () => {
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

function readSchema(): unknown[] {
  const database = new Database(path, { readonly: true });
  const schema = database.prepare("select * from sqlite_schema order by name").all();
  database.close();
  return schema;
}

/** Everything about the tables that a query could notice: columns in their order, keys, indexes. */
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
      .prepare('select name, type, "notnull", pk from pragma_table_info(?) order by cid')
      .all(name),
    indexes: database
      .prepare(
        `select list.name, list."unique", list.partial, (select group_concat(name) from pragma_index_info(list.name)) as columns, schema.sql
         from pragma_index_list(?) as list left join sqlite_schema as schema on schema.name = list.name order by list.name`,
      )
      .all(name),
  }));
}
