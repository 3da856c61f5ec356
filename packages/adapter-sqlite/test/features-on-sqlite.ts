import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Storage } from "@letterslot/core";
import { useTestStorage } from "@letterslot/core/testing";
import { afterAll, afterEach, expect } from "vitest";
import { createSqliteStorage } from "../src/sqlite-storage.ts";

/** For vitest's setupFiles: the services of a test file's tests store in SQLite, each in a file of its own. */
const folder = mkdtempSync(join(tmpdir(), "letterslot-features-"));
let ofTest: Storage[] = [];
const ofFile: Storage[] = [];
let made = 0;

useTestStorage(async () => {
  const storage = createSqliteStorage({ path: join(folder, `${++made}.db`) });
  (expect.getState().currentTestName === undefined ? ofFile : ofTest).push(storage);
  return storage;
});

afterEach(async () => {
  for (const storage of ofTest) await storage.close();
  ofTest = [];
});

afterAll(async () => {
  for (const storage of ofFile) await storage.close();
  rmSync(folder, { recursive: true, force: true });
});
