import { readFileSync } from "node:fs";
import { latestVersion } from "@letterslot/sql";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { ADDRESS_ROWS, CANONICAL_ADDRESSES, oldAddresses } from "../../../test/support/old-addresses.ts";
import { type OpenOlder, testOlderDatabases } from "../../../test/support/old-databases.ts";
import { freshDatabase } from "../test/fresh-database.ts";
import { databaseOfPool } from "./connections/pool-database.ts";
import { migrate, POSTGRES_SCHEMA } from "./schema.ts";
import { createPostgresStorage } from "./storage/postgres-storage.ts";

/** Version 1 as it was when databases were first created with it. Frozen. */
const FIRST_TABLES = readFileSync(new URL("../test/0001-first-tables.sql", import.meta.url), "utf8");

let database: Awaited<ReturnType<typeof freshDatabase>>;
let pool: pg.Pool;
let made = 0;

beforeAll(async () => {
  database = await freshDatabase();
  pool = new pg.Pool({ connectionString: database.url });
});

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const storage of opened.splice(0)) await storage.close();
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

describe("migrations", () => {
  test("a database of the first version opens with its data, and gets the same tables as a fresh one", async () => {
    const schema = await olderSchema((insert) => insert("counters", { name: "a", count: 3, expires_at: "" }));
    const storage = await createPostgresStorage({ connectionString: database.url, schema });
    expect(await storage.get("counters", "a")).toEqual({ name: "a", count: 3, expires_at: "" });
    await storage.close();
    expect(await shapeOf(schema)).toEqual(await shapeOf(await createSchema()));
    const { rows } = await pool.query(`select count(*)::integer as recorded from ${schema}.migrations`);
    expect(rows).toEqual([{ recorded: latestVersion(POSTGRES_SCHEMA) }]);
  });

  test("an older database's addresses get their canonical form", async () => {
    const schema = await olderSchema(() => undefined);
    await pool.query(`set search_path to ${schema}; ${oldAddresses("true", "false")}; reset search_path`);
    const storage = await createPostgresStorage({ connectionString: database.url, schema });
    await storage.close();
    const client = await pool.connect();
    await client.query(`set search_path to ${schema}`);
    const { rows } = await client.query<{ line: string }>(ADDRESS_ROWS);
    await client.query("reset search_path");
    client.release();
    expect(rows.map(({ line }) => line).sort()).toEqual(CANONICAL_ADDRESSES);
  });

  /** Makes a schema of an older version and fills it. Answers with its name. */
  async function olderSchema(fill: Parameters<OpenOlder>[0], before?: string): Promise<string> {
    const schema = `place_${++made}`;
    await pool.query(
      `create schema ${schema}; set search_path to ${schema}; ${FIRST_TABLES}
       create table migrations (version integer primary key, name text not null, at timestamptz not null default now());
       insert into migrations values (1, '0001-first-tables'); reset search_path`,
    );
    const { migrations } = POSTGRES_SCHEMA;
    const done = migrations.slice(
      0,
      migrations.findIndex(({ name }) => name === before),
    );
    const over = databaseOfPool(pool, { own: false, prepare: true });
    if (before !== undefined) await migrate(over, schema, { ...POSTGRES_SCHEMA, migrations: done });
    await fill((table, row) => insertOld(schema, table, row));
    return schema;
  }

  testOlderDatabases(async (fill, { before } = {}) => {
    const schema = await olderSchema(fill, before);
    const storage = await createPostgresStorage({ connectionString: database.url, schema });
    opened.push(storage);
    return storage;
  });

  /** Inserts a row of which only these columns matter. */
  async function insertOld(
    schema: string,
    table: string,
    row: Record<string, string | number | null>,
  ): Promise<void> {
    const { rows } = await pool.query<{ name: string; type: string; nullable: "YES" | "NO" }>(
      `select column_name as name, data_type as type, is_nullable as nullable
       from information_schema.columns where table_schema = $1 and table_name = $2`,
      [schema, table],
    );
    const DEFAULTS: Record<string, string | number | boolean> = { bigint: 0, boolean: false, json: "[]" };
    const given = rows.filter(({ name, nullable }) => name in row || nullable === "NO");
    const values = given.map(({ name, type }) => (name in row ? row[name] : (DEFAULTS[type] ?? "")));
    const columns = given.map(({ name }) => `"${name}"`).join(", ");
    const marks = given.map((_, index) => `$${index + 1}`).join(", ");
    await pool.query(`insert into ${schema}."${table}" (${columns}) values (${marks})`, values);
  }

  test("text sorts by its bytes in every column that is compared", async () => {
    const schema = await createSchema();
    const sql = `select table_name, column_name from information_schema.columns
      where table_schema = $1 and data_type = 'text' and collation_name is distinct from 'C' order by 1, 2`;
    expect((await pool.query(sql, [schema])).rows).toEqual([
      { table_name: "migrations", column_name: "name" },
      { table_name: "search", column_name: "words" },
    ]);
  });

  test("opening again changes nothing", async () => {
    const schema = await createSchema();
    const before = await shapeOf(schema);
    const storage = await createPostgresStorage({ connectionString: database.url, schema });
    await storage.close();
    expect(await shapeOf(schema)).toEqual(before);
  });

  test("a schema from a newer version is refused with a clear error", async () => {
    const schema = await createSchema();
    await pool.query(`insert into ${schema}.migrations (version, name) values ($1, 'from the future')`, [
      latestVersion(POSTGRES_SCHEMA) + 1,
    ]);
    const opening = createPostgresStorage({ connectionString: database.url, schema });
    await expect(opening).rejects.toThrow(/schema version \d+, but this program knows versions up to \d+/);
  });

  test("a migration that fails leaves the schema as it was", async () => {
    const schema = await createSchema();
    const before = await shapeOf(schema);
    const over = databaseOfPool(pool, { own: false, prepare: true });
    const bad = withMigration("create table extra (id bigint); create table accounts (id bigint)");
    await expect(migrate(over, schema, bad)).rejects.toThrow("accounts");
    expect(await shapeOf(schema)).toEqual(before);
    const good = withMigration("create table extra (id bigint)");
    await migrate(over, schema, good);
    const { rows } = await pool.query(`select max(version) as version from ${schema}.migrations`);
    expect(rows).toEqual([{ version: latestVersion(good) }]);
  });

  test("processes that start at the same time all open the same schema", async () => {
    const schema = `place_${++made}`;
    const open = () => createPostgresStorage({ connectionString: database.url, schema, poolSize: 1 });
    const storages = await Promise.all(Array.from({ length: 6 }, open));
    for (const [index, storage] of storages.entries()) {
      await storage.insert("counters", { name: `c${index}`, count: 1, expires_at: "" });
    }
    expect(await storages[0]?.count("counters", {}, 9)).toBe(6);
    for (const storage of storages) await storage.close();
    const { rows } = await pool.query(`select version from ${schema}.migrations order by 1`);
    expect(rows).toEqual(
      Array.from({ length: latestVersion(POSTGRES_SCHEMA) }, (_, index) => ({ version: index + 1 })),
    );
  });

  test("a running process keeps working while a newer one migrates", async () => {
    const schema = await createSchema();
    const older = await createPostgresStorage({ connectionString: database.url, schema });
    let failed = 0;
    let done = false;
    const atWork = (async () => {
      for (let number = 0; !done; number++) {
        const counter = { name: `c${number}`, count: 1, expires_at: "" };
        await older.insert("counters", counter).catch(() => failed++);
      }
    })();
    const sql = "alter table counters add column note text; create index counters_note on counters (note)";
    await migrate(databaseOfPool(pool, { own: false, prepare: true }), schema, withMigration(sql));
    await older.insert("counters", { name: "after", count: 1, expires_at: "" });
    done = true;
    await atWork;
    expect(failed).toBe(0);
    expect(await older.get("counters", "after")).toEqual({ name: "after", count: 1, expires_at: "" });
    await older.close();
  });

  test("a schema name that PostgreSQL would change is refused", async () => {
    for (const schema of ["Mail", "", 'a"; drop schema public; --', "x".repeat(60)]) {
      await expect(createPostgresStorage({ connectionString: database.url, schema }), schema).rejects.toThrow(
        "schema",
      );
    }
  });
});

function withMigration(sql: string) {
  return { ...POSTGRES_SCHEMA, migrations: [...POSTGRES_SCHEMA.migrations, { name: "next", sql }] };
}

async function createSchema(): Promise<string> {
  const schema = `place_${++made}`;
  const storage = await createPostgresStorage({ connectionString: database.url, schema });
  await storage.close();
  return schema;
}

/** Returns everything that a query could notice of a schema: columns by name, keys, indexes, fill factor. */
async function shapeOf(schema: string): Promise<{ table: string }[]> {
  const { rows } = await pool.query<{ table: string }>(
    `select c.relname as "table", c.reloptions as options,
       (select json_agg(json_build_array(attname, format_type(atttypid, atttypmod), attnotnull, attcollation) order by attname)
         from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped) as columns,
       (select json_agg(replace(pg_get_indexdef(indexrelid), $1 || '.', '') order by 1) from (
         select indexrelid from pg_index where indrelid = c.oid order by pg_get_indexdef(indexrelid)) as i) as indexes
     from pg_class as c where c.relnamespace = to_regnamespace($1) and c.relkind = 'r' order by 1`,
    [schema],
  );
  return rows;
}
