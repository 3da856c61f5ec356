import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { expect, test } from "vitest";
import { postgresUrl } from "../../test/support/postgres-server.ts";

test("an order and its mail are stored together or not at all", async () => {
  const server = await postgresUrl();
  const client = new pg.Client({ connectionString: new URL("/postgres", server).href });
  await client.connect();
  const name = `own_transaction_${process.pid}`;
  await client.query(`create database ${name}`);
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, "index.ts")], {
      env: { ...process.env, DATABASE_URL: new URL(`/${name}`, server).href },
      timeout: 100_000,
    });
    expect(stdout).toBe("rolled back: no gold in stock\norders: paper\nmails: Order: paper\n");
  } finally {
    await client.query(`drop database ${name} with (force)`);
    await client.end();
  }
});
