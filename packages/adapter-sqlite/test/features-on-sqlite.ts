import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tables } from "@letterslot/core/ports";
import { useTestStorage } from "@letterslot/core/testing";
import { afterAll, afterEach, beforeEach } from "vitest";
import { createSqliteStorage, type SqliteStorage } from "../src/sqlite-storage.ts";

/** For vitest's setupFiles: test services use SQLite, one file each. Files are emptied and reused. */
const folder = mkdtempSync(join(tmpdir(), "letterslot-features-"));
const free: SqliteStorage[] = [];
const usedByFile: SqliteStorage[] = [];
let usedByTest: SqliteStorage[] = [];
let created = 0;
/** Whether a test runs; vitest's own state has the name of the last test of the worker's file before. */
let runs = false;

useTestStorage({
  async open() {
    const storage =
      free.pop() ?? createSqliteStorage({ path: join(folder, `${++created}.db`), exclusive: true });
    (runs ? usedByTest : usedByFile).push(storage);
    return storage;
  },
  recycle,
});

beforeEach(() => void (runs = true));

afterEach(async () => {
  runs = false;
  await recycle();
});

async function recycle(): Promise<void> {
  for (const storage of usedByTest) await empty(storage);
  free.push(...usedByTest);
  usedByTest = [];
}

afterAll(async () => {
  for (const storage of [...free, ...usedByFile]) await storage.close();
  rmSync(folder, { recursive: true, force: true });
});

function empty(storage: SqliteStorage): Promise<void> {
  return storage.write((connection) => {
    for (const table of [...Object.keys(tables), "blobs", "search_rows"])
      connection.run(`delete from "${table}"`);
    connection.run(`insert into "search" ("search") values ('delete-all')`);
  });
}
