import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tables } from "@letterslot/core";
import { useTestStorage } from "@letterslot/core/testing";
import { afterAll, afterEach, expect } from "vitest";
import { createSqliteStorage, type SqliteStorage } from "../src/sqlite-storage.ts";

/**
 * For vitest's setupFiles: the services of a test file's tests store in SQLite, each in a file of its own.
 * Once a test has ended, what it stored in is emptied for another.
 */
const folder = mkdtempSync(join(tmpdir(), "letterslot-features-"));
const free: SqliteStorage[] = [];
const ofFile: SqliteStorage[] = [];
let ofTest: SqliteStorage[] = [];
let made = 0;

useTestStorage(async () => {
  const storage = free.pop() ?? createSqliteStorage({ path: join(folder, `${++made}.db`), exclusive: true });
  (expect.getState().currentTestName === undefined ? ofFile : ofTest).push(storage);
  return storage;
});

afterEach(async () => {
  for (const storage of ofTest) await empty(storage);
  free.push(...ofTest);
  ofTest = [];
});

afterAll(async () => {
  for (const storage of [...free, ...ofFile]) await storage.close();
  rmSync(folder, { recursive: true, force: true });
});

function empty(storage: SqliteStorage): Promise<void> {
  return storage.write((connection) => {
    for (const table of [...Object.keys(tables), "blobs", "search_rows"])
      connection.run(`delete from "${table}"`);
    connection.run(`insert into "search" ("search") values ('delete-all')`);
  });
}
