import { useTestStorage } from "@letterslot/core/testing";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { createPostgresStorage, type PostgresStorage } from "../src/postgres-storage.ts";
import { emptySchema, freshDatabase } from "./fresh-database.ts";

/**
 * For vitest's setupFiles: the services of a test file's tests store in PostgreSQL, each in a schema of its
 * own. Once a test has ended, what it stored in is emptied for another.
 */
let database: ReturnType<typeof freshDatabase> | undefined;
const free: PostgresStorage[] = [];
let ofTest: Promise<PostgresStorage>[] = [];
const ofFile: Promise<PostgresStorage>[] = [];
let made = 0;

useTestStorage(() => {
  const storage = takeStorage();
  (expect.getState().currentTestName === undefined ? ofFile : ofTest).push(storage);
  return storage;
});

// The first one may have to start the server, which is no test's time.
beforeAll(async () => void free.push(await takeStorage()), 120_000);

afterEach(async () => {
  const taken = await Promise.all(ofTest);
  ofTest = [];
  for (const storage of taken) await emptySchema(storage);
  free.push(...taken);
});

afterAll(async () => {
  for (const storage of [...free, ...(await Promise.all(ofFile))]) await storage.close();
  await (await database)?.drop();
});

async function takeStorage(): Promise<PostgresStorage> {
  const used = free.pop();
  if (used !== undefined) return used;
  const schema = `features_${++made}`;
  database ??= freshDatabase();
  return createPostgresStorage({ connection_string: (await database).url, schema, pool_size: 4 });
}
