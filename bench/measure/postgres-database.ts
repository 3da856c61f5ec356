import { randomBytes } from "node:crypto";
import pg from "pg";

/** Creates a database on a PostgreSQL server and returns its URL. */
export async function createDatabase(url: string): Promise<string> {
  const name = `bench_${randomBytes(6).toString("hex")}`;
  await withClient(url, (client) => client.query(`create database ${name}`));
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}

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
