import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tables } from "@letterslot/core";
import { useTestStorage } from "@letterslot/core/testing";
import { afterAll, afterEach, expect } from "vitest";
import { createSqliteStorage, type SqliteStorage } from "../src/sqlite-storage.ts";

/** For vitest's setupFiles: test services use SQLite, one file each. Files are emptied and reused. */
const folder = mkdtempSync(join(tmpdir(), "letterslot-features-"));
const free: SqliteStorage[] = [];
const usedByFile: SqliteStorage[] = [];
let usedByTest: SqliteStorage[] = [];
let created = 0;

useTestStorage({
  async open() {
    const storage =
      free.pop() ?? createSqliteStorage({ path: join(folder, `${++created}.db`), exclusive: true });
    (expect.getState().currentTestName === undefined ? usedByFile : usedByTest).push(storage);
    return storage;
  },
  recycle,
});

afterEach(recycle);

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
