import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshDatabase } from "../test/fresh-database.ts";
import { createPostgresStorage } from "./storage/postgres-storage.ts";

let database: Awaited<ReturnType<typeof freshDatabase>>;

beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());

const withSetting = (setting: string) =>
  new pg.Pool({ connectionString: database.url, options: `-c synchronous_commit=${setting}` });

test("a database that acknowledges commits before they are on disk is refused, with what to do", async () => {
  const pool = withSetting("off");
  await expect(createPostgresStorage({ pool })).rejects.toThrow(/synchronous_commit = on/);
  await pool.end();
});

test.each(["on", "local"])("synchronous_commit = %s is accepted", async (setting) => {
  const pool = withSetting(setting);
  const storage = await createPostgresStorage({ pool });
  await expect(storage.ping()).resolves.toBeUndefined();
  await storage.close();
  await pool.end();
});
