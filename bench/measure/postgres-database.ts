import { randomBytes } from "node:crypto";
import pg from "pg";
import { type SeparatePostgres, startSeparatePostgres } from "../../test/support/postgres-server.ts";

/** PostgreSQL's default durability settings, required for any published figure. Tests turn them off. */
const DURABLE = { fsync: "on", full_page_writes: "on", synchronous_commit: "on" };

/** Starts a PostgreSQL that loses nothing in a power cut, with its data in a folder of its own or the given one. */
export async function startDurablePostgres(data?: string): Promise<SeparatePostgres> {
  const settings = Object.entries(DURABLE).map(([name, value]) => `${name}=${value}`);
  const server = await startSeparatePostgres({ settings, ...(data !== undefined && { data }) });
  for (const [name, value] of Object.entries(DURABLE)) {
    const { rows } = await withClient(server.url, (client) => client.query(`show ${name}`));
    const found = (rows[0] as Record<string, string>)[name];
    if (found !== value) throw new Error(`PostgreSQL runs with ${name} ${found}`);
  }
  return server;
}

/** Creates a database on a PostgreSQL server, as a copy of `template` if one is named, and returns its URL. */
export async function createDatabase(url: string, template?: string): Promise<string> {
  const name = `bench_${randomBytes(6).toString("hex")}`;
  const like = template === undefined ? "" : ` template ${template}`;
  await withClient(url, (client) => client.query(`create database ${name}${like}`));
  return databaseUrl(url, name);
}

/** The URL of a database of a server. */
export const databaseUrl = (url: string, name: string): string =>
  Object.assign(new URL(url), { pathname: `/${name}` }).href;

/** Removes a database that `createDatabase` made. */
export const dropDatabase = (url: string): Promise<unknown> =>
  withClient(databaseUrl(url, "postgres"), (client) =>
    client.query(`drop database ${new URL(url).pathname.slice(1)} with (force)`),
  );

/** Calls `run` with a connection, and closes it afterwards. */
export async function withClient<T>(url: string, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}
