import { useTestStorage } from "@letterslot/core/testing";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { createPostgresStorage, type PostgresStorage } from "../src/postgres-storage.ts";
import { emptySchema, freshDatabase } from "./fresh-database.ts";

/** For vitest's setupFiles: test services use PostgreSQL, one schema each. Schemas are emptied and reused. */
let database: ReturnType<typeof freshDatabase> | undefined;
const free: PostgresStorage[] = [];
let usedByTest: Promise<PostgresStorage>[] = [];
const usedByFile: Promise<PostgresStorage>[] = [];
let created = 0;

useTestStorage({
  open() {
    const storage = takeStorage();
    (expect.getState().currentTestName === undefined ? usedByFile : usedByTest).push(storage);
    return storage;
  },
  recycle,
});

// The first one may start the server, which should not count towards a test's time-out.
beforeAll(async () => void free.push(await takeStorage()), 120_000);

afterEach(recycle);

async function recycle(): Promise<void> {
  const taken = await Promise.all(usedByTest);
  usedByTest = [];
  for (const storage of taken) await emptySchema(storage);
  free.push(...taken);
}

afterAll(async () => {
  for (const storage of [...free, ...(await Promise.all(usedByFile))]) await storage.close();
  await (await database)?.drop();
});

async function takeStorage(): Promise<PostgresStorage> {
  const used = free.pop();
  if (used !== undefined) return used;
  const schema = `features_${++created}`;
  database ??= freshDatabase();
  return createPostgresStorage({ connection_string: (await database).url, schema, pool_size: 4 });
}
