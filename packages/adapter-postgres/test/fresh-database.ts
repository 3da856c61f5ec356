import pg from "pg";
import { postgresUrl } from "../../../test/support/postgres-server.ts";
import type { PostgresStorage } from "../src/postgres-storage.ts";

/** Creates a database for this test file. */
export async function freshDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const server = new URL(await postgresUrl());
  const name = `test_${process.pid}_${Math.random().toString(36).slice(2, 10)}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  await onServer(server, `create database ${name} template template0 encoding 'UTF8'`);
  return { url: url.href, drop: () => onServer(server, `drop database ${name} with (force)`) };
}

/** Empties a storage's tables, which is quicker than creating them again. */
export async function emptySchema({ database, schema }: PostgresStorage): Promise<void> {
  const sql =
    "select quote_ident(tablename) as name from pg_tables where schemaname = $1 and tablename <> 'migrations'";
  const { rows } = await database.run({ sql, parameters: [schema] });
  await database.run({
    sql: rows.map(({ name }) => `delete from ${schema}.${String(name)}`).join(";"),
    parameters: [],
  });
}

async function onServer(server: URL, sql: string): Promise<void> {
  const url = new URL(server);
  if (url.pathname.length <= 1) url.pathname = "/postgres";
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
