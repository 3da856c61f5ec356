import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { freshDatabase } from "../../packages/adapter-postgres/test/fresh-database.ts";

test("an order and its mail are stored together or not at all", async () => {
  const database = await freshDatabase();
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, "index.ts")], {
      env: { ...process.env, DATABASE_URL: database.url },
      timeout: 100_000,
    });
    expect(stdout).toBe("rolled back: no gold in stock\norders: paper\nmails: Order: paper\n");
  } finally {
    await database.drop();
  }
});
