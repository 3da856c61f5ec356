import { storageModelKit } from "@letterslot/core/conformance";
import { afterAll, beforeAll, test, vi } from "vitest";
import { freshDatabase } from "../test/fresh-database.ts";
import { createPostgresStorage } from "./storage/postgres-storage.ts";

let database: Awaited<ReturnType<typeof freshDatabase>>;
let made = 0;

beforeAll(async () => {
  database = await freshDatabase();
}, 120_000);

afterAll(() => database.drop());

vi.setConfig({ testTimeout: 60_000 });

storageModelKit({
  test,
  async open() {
    const storage = await createPostgresStorage({
      connectionString: database.url,
      schema: `place_${++made}`,
    });
    return { storage, close: () => storage.close() };
  },
});
