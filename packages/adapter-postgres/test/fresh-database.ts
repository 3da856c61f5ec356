import pg from "pg";
import { postgresUrl } from "../../../test/support/postgres-server.ts";
import type { PostgresStorage } from "../src/storage/postgres-storage.ts";

/** Creates a database for this test file. */
export async function freshDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const server = new URL(await postgresUrl());
  const name = `test_${process.pid}_${Math.random().toString(36).slice(2, 10)}`;
  const url = await createDatabase(server, name);
  const drop = async () => {
    await connectionsEnd(server, name);
    await onServer(server, `drop database ${name} with (force)`);
  };
  return { url, drop };
}

/** The number of polls, within one second, for the end of the connections. */
const ASKED = 40;

/** Waits a second at most: a pool says that it has ended before its connections are closed, and one that is forced fails the test. */
async function connectionsEnd(server: URL, name: string): Promise<void> {
  for (let asked = 0; asked < ASKED; asked++) {
    const open = await onServer(server, `select 1 from pg_stat_activity where datname = '${name}' limit 1`);
    if (open.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 1_000 / ASKED));
  }
}

/** The variable with the beginning of the names of the run's databases that outlast a test file. */
const PREFIX = "LETTERSLOT_TEST_DATABASES";
let ofWorker: Promise<string> | undefined;

/** The URL of a database for all test files of this worker. */
export function workerDatabase(): Promise<string> {
  ofWorker ??= postgresUrl().then((url) =>
    createDatabase(new URL(url), `${process.env[PREFIX] ?? "test"}_${process.pid}`),
  );
  return ofWorker;
}

/** Vitest's globalSetup: names the workers' databases. */
export function setup(): void {
  process.env[PREFIX] ??= `test_run_${Math.random().toString(36).slice(2, 10)}`;
}

/** Vitest's globalSetup: drops the workers' databases, unless they go with the run's own server. */
export async function teardown(): Promise<void> {
  const [prefix, given] = [process.env[PREFIX], process.env["DATABASE_URL"]];
  delete process.env[PREFIX];
  if (prefix === undefined || !given) return;
  const server = new URL(given);
  const rows = await onServer(
    server,
    `select datname from pg_database where starts_with(datname, '${prefix}')`,
  );
  for (const { datname } of rows) await onServer(server, `drop database ${String(datname)} with (force)`);
}

async function createDatabase(server: URL, name: string): Promise<string> {
  const url = new URL(server);
  url.pathname = `/${name}`;
  await onServer(server, `create database ${name} template template0 encoding 'UTF8'`);
  return url.href;
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

async function onServer(server: URL, sql: string): Promise<Record<string, unknown>[]> {
  const url = new URL(server);
  if (url.pathname.length <= 1) url.pathname = "/postgres";
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}
