import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freshDatabase } from "../test/fresh-database.ts";
import { schemaOfTables } from "../test/schema-of-tables.ts";
import { migrate } from "./migrate.ts";
import { migrations } from "./migrations.ts";
import { databaseOfPool } from "./pool-database.ts";
import { createPostgresStorage } from "./postgres-storage.ts";

let database: Awaited<ReturnType<typeof freshDatabase>>;
let pool: pg.Pool;
let made = 0;

beforeAll(async () => {
  database = await freshDatabase();
  pool = new pg.Pool({ connectionString: database.url });
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

describe("migrations", () => {
  test("the migrated schema is the one that core's tables ask for", async () => {
    const migrated = await migratedSchema();
    const wanted = `wanted_${++made}`;
    await pool.query(
      `create schema ${wanted}; set search_path to ${wanted}; ${schemaOfTables().join(";\n")}; reset search_path`,
    );
    const own = new Set(["blobs", "search", "migrations"]);
    const found = (await shapeOf(migrated)).filter(({ table }) => !own.has(table));
    expect(found).toEqual(await shapeOf(wanted));
  });

  test("text is ordered by its bytes in every column that is compared", async () => {
    const schema = await migratedSchema();
    const sql = `select table_name, column_name from information_schema.columns
      where table_schema = $1 and data_type = 'text' and collation_name is distinct from 'C' order by 1, 2`;
    expect((await pool.query(sql, [schema])).rows).toEqual([
      { table_name: "migrations", column_name: "name" },
      { table_name: "search", column_name: "words" },
    ]);
  });

  test("opening again changes nothing", async () => {
    const schema = await migratedSchema();
    const before = await shapeOf(schema);
    const storage = await createPostgresStorage({ connection_string: database.url, schema });
    await storage.close();
    expect(await shapeOf(schema)).toEqual(before);
  });

  test("a schema of a newer version is refused with a sentence that says so", async () => {
    const schema = await migratedSchema();
    await pool.query(`insert into ${schema}.migrations (version, name) values ($1, 'from the future')`, [
      migrations.length + 1,
    ]);
    const opening = createPostgresStorage({ connection_string: database.url, schema });
    await expect(opening).rejects.toThrow(/schema version \d+, this program knows versions up to \d+/);
  });

  test("a step that fails leaves the schema as it was", async () => {
    const schema = await migratedSchema();
    const before = await shapeOf(schema);
    const over = databaseOfPool(pool, { own: false, prepare: true });
    const bad = [
      ...migrations,
      { name: "bad", sql: "create table extra (id bigint); create table accounts (id bigint)" },
    ];
    await expect(migrate(over, schema, bad)).rejects.toThrow("accounts");
    expect(await shapeOf(schema)).toEqual(before);
    const good = [...migrations, { name: "good", sql: "create table extra (id bigint)" }];
    await migrate(over, schema, good);
    const { rows } = await pool.query(`select max(version) as version from ${schema}.migrations`);
    expect(rows).toEqual([{ version: good.length }]);
  });

  test("processes that start at once all open the same schema", async () => {
    const schema = `place_${++made}`;
    const open = () => createPostgresStorage({ connection_string: database.url, schema, pool_size: 1 });
    const storages = await Promise.all(Array.from({ length: 6 }, open));
    for (const [index, storage] of storages.entries()) {
      await storage.insert("counters", { name: `c${index}`, count: 1, expires_at: "" });
    }
    expect(await storages[0]?.count("counters", {}, 9)).toBe(6);
    for (const storage of storages) await storage.close();
    const { rows } = await pool.query(`select version from ${schema}.migrations order by 1`);
    expect(rows).toEqual(migrations.map((_, index) => ({ version: index + 1 })));
  });

  test("a process that is at work goes on while a newer one migrates", async () => {
    const schema = await migratedSchema();
    const older = await createPostgresStorage({ connection_string: database.url, schema });
    let failed = 0;
    let done = false;
    const atWork = (async () => {
      for (let number = 0; !done; number++) {
        const counter = { name: `c${number}`, count: 1, expires_at: "" };
        await older.insert("counters", counter).catch(() => failed++);
      }
    })();
    const sql = "alter table counters add column note text; create index counters_note on counters (note)";
    await migrate(databaseOfPool(pool, { own: false, prepare: true }), schema, [
      ...migrations,
      { name: "newer", sql },
    ]);
    await older.insert("counters", { name: "after", count: 1, expires_at: "" });
    done = true;
    await atWork;
    expect(failed).toBe(0);
    expect(await older.get("counters", "after")).toEqual({ name: "after", count: 1, expires_at: "" });
    await older.close();
  });

  test("a schema name that PostgreSQL would change is refused", async () => {
    for (const schema of ["Mail", "", 'a"; drop schema public; --', "x".repeat(60)]) {
      await expect(
        createPostgresStorage({ connection_string: database.url, schema }),
        schema,
      ).rejects.toThrow("schema");
    }
  });
});

async function migratedSchema(): Promise<string> {
  const schema = `place_${++made}`;
  const storage = await createPostgresStorage({ connection_string: database.url, schema });
  await storage.close();
  return schema;
}

/**
 * Everything about the tables of a schema that a query could notice: columns in their order, keys, indexes,
 * room left on pages.
 */
async function shapeOf(schema: string): Promise<{ table: string }[]> {
  const { rows } = await pool.query<{ table: string }>(
    `select c.relname as "table", c.reloptions as options,
       (select json_agg(json_build_array(attname, format_type(atttypid, atttypmod), attnotnull, attcollation) order by attnum)
         from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped) as columns,
       (select json_agg(replace(pg_get_indexdef(indexrelid), $1 || '.', '') order by 1) from (
         select indexrelid from pg_index where indrelid = c.oid order by pg_get_indexdef(indexrelid)) as i) as indexes
     from pg_class as c where c.relnamespace = to_regnamespace($1) and c.relkind = 'r' order by 1`,
    [schema],
  );
  return rows;
}
