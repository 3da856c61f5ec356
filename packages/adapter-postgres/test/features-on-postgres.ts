import { useTestStorage } from "@letterslot/core/testing";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { createPostgresStorage, type PostgresStorage } from "../src/storage/postgres-storage.ts";
import { freeStorages, nextSchema } from "./free-storages.ts";
import { emptySchema, workerDatabase } from "./fresh-database.ts";

/** For vitest's setupFiles: test services use PostgreSQL, one schema each. Schemas are emptied and reused. */
let usedByTest: Promise<PostgresStorage>[] = [];
let usedByFile: Promise<PostgresStorage>[] = [];
/** Whether a test runs; vitest's own state has the name of the last test of the worker's file before. */
let runs = false;

useTestStorage({
  open() {
    const storage = takeStorage();
    (runs ? usedByTest : usedByFile).push(storage);
    return storage;
  },
  recycle,
});

// The first one may start the server, which should not count towards a test's time-out.
beforeAll(async () => void freeStorages.push(await takeStorage()), 120_000);

beforeEach(() => void (runs = true));

afterEach(async () => {
  runs = false;
  await recycle();
});

async function recycle(): Promise<void> {
  const taken = usedByTest;
  usedByTest = [];
  await free(taken);
}

afterAll(async () => {
  await free([...usedByTest, ...usedByFile]);
  [usedByTest, usedByFile] = [[], []];
});

async function free(taken: Promise<PostgresStorage>[]): Promise<void> {
  const storages = await Promise.all(taken);
  for (const storage of storages) await emptySchema(storage);
  freeStorages.push(...storages);
}

async function takeStorage(): Promise<PostgresStorage> {
  const used = freeStorages.pop();
  if (used !== undefined) return used;
  const schema = nextSchema();
  return createPostgresStorage({ connectionString: await workerDatabase(), schema, poolSize: 4 });
}
