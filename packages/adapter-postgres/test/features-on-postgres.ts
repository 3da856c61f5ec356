import type { Storage } from "@letterslot/core";
import { useTestStorage } from "@letterslot/core/testing";
import { afterAll, afterEach, expect } from "vitest";
import { createPostgresStorage, type PostgresStorage } from "../src/postgres-storage.ts";
import { emptySchema, freshDatabase } from "./fresh-database.ts";

/** A schema that a service stores in; once its test has ended, it is emptied for another. */
interface Place {
  schema: string;
  storage: PostgresStorage;
}

/** For vitest's setupFiles: the services of a test file's tests store in PostgreSQL, each in a schema of its own. */
let database: ReturnType<typeof freshDatabase> | undefined;
const free: Place[] = [];
let ofTest: Promise<Place>[] = [];
const ofFile: Promise<Place>[] = [];
let made = 0;

useTestStorage(() => {
  const place = takePlace();
  place.catch(() => undefined);
  (expect.getState().currentTestName === undefined ? ofFile : ofTest).push(place);
  return opening(place.then(({ storage }) => storage));
});

afterEach(async () => {
  const taken = await Promise.all(ofTest);
  ofTest = [];
  const { url = "" } = (await database) ?? {};
  for (const place of taken) await emptySchema(url, place.schema);
  free.push(...taken);
});

afterAll(async () => {
  for (const { storage } of [...free, ...(await Promise.all(ofFile))]) await storage.close();
  await (await database)?.drop();
});

async function takePlace(): Promise<Place> {
  const used = free.pop();
  if (used !== undefined) return used;
  const schema = `place_${++made}`;
  database ??= freshDatabase();
  return { schema, storage: await createPostgresStorage({ connection_string: (await database).url, schema, pool_size: 4 }) };
}

/** A storage that can be used while it is being opened. */
function opening(opened: Promise<Storage>): Storage {
  return {
    get: async (...given) => (await opened).get(...given),
    find: async (...given) => (await opened).find(...given),
    count: async (...given) => (await opened).count(...given),
    search: async (...given) => (await opened).search(...given),
    insert: async (...given) => (await opened).insert(...given),
    update: async (...given) => (await opened).update(...given),
    delete: async (...given) => (await opened).delete(...given),
    transaction: async (run) => (await opened).transaction(run),
    ping: async () => (await opened).ping(),
    close: async () => (await opened).close(),
  };
}
