import assert from "node:assert/strict";
import { hash as hashOf, randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { blobsKit } from "@letterslot/core/conformance";
import { createManualClock, createMemoryObjects } from "@letterslot/core/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { emptySchema, freshDatabase } from "../../test/fresh-database.ts";
import { createPostgresStorage, type PostgresStorage } from "../storage/postgres-storage.ts";
import { createPostgresBlobs } from "./postgres-blobs.ts";

const HOUR_MS = 3600_000;
const NEVER = new Date(8.64e15);

let database: Awaited<ReturnType<typeof freshDatabase>>;
let storage: PostgresStorage;
let clock: ReturnType<typeof createManualClock>;
let objects: ReturnType<typeof createMemoryObjects>;

beforeAll(async () => {
  database = await freshDatabase();
  storage = await createPostgresStorage({ connectionString: database.url });
});

afterAll(async () => {
  await storage.close();
  await database.drop();
});

beforeEach(async () => {
  await emptySchema(storage);
  clock = createManualClock();
  objects = createMemoryObjects();
});

const open = () => createPostgresBlobs({ storage, clock, objects });
const gate = () => Promise.withResolvers<void>();
const large = () => randomBytes(100_000);
const unlinked = async () => {
  const sql = `select "name", "doomed" from ${storage.schema}."unlinked_objects"`;
  return (await storage.database.run({ sql, parameters: [] })).rows;
};

describe("blobs with objects for the large ones", () => {
  blobsKit({
    test,
    async open() {
      return {
        blobs: open(),
        storage,
        now: clock.now,
        advance: clock.advance,
        reopen: async () => open(),
        async close() {
          // Every object is either named by a blob, or recorded as unlinked.
          const sql = `select split_part(convert_from("bytes", 'UTF8'), ' ', 2) as "name" from ${storage.schema}."blobs" where "coding" = 'object'`;
          const { rows } = await storage.database.run({ sql, parameters: [] });
          const known = [...rows, ...(await unlinked())].map(({ name }) => name);
          assert.deepEqual(
            [...objects.stored.keys()].filter((name) => !known.includes(name)),
            [],
          );
        },
      };
    },
  });

  test("beyond 64 KiB are an object, which only its blob names", async () => {
    const blobs = open();
    await blobs.put(randomBytes(65_536));
    expect(objects.stored.size).toBe(0);
    const hash = await blobs.put(randomBytes(65_537));
    expect([...objects.stored.keys()]).toEqual([
      expect.stringMatching(new RegExp(`^${hash.slice(0, 2)}/${hash}-[0-9a-f-]{36}$`)),
    ]);
    expect(await unlinked()).toEqual([]);
  });

  test("that are put again upload nothing", async () => {
    const [blobs, bytes] = [open(), large()];
    await blobs.put(bytes);
    objects.before = () => expect.unreachable();
    await blobs.put(bytes);
    await blobs.stage?.(bytes);
  });

  test("that were stored before are read from the database as ever", async () => {
    const bytes = randomBytes(2_000_000);
    const hash = await createPostgresBlobs({ storage, clock }).put(bytes);
    expect(Buffer.compare((await open().get(hash)) ?? Buffer.alloc(0), bytes)).toBe(0);
    expect(await open().delete(hash, NEVER)).toBe(true);
  });

  test("that lie in objects are no answer without the store, and never missing", async () => {
    const hash = await open().put(large());
    const without = createPostgresBlobs({ storage, clock });
    await expect(without.get(hash)).rejects.toMatchObject({
      code: "storage_unavailable",
      cause: { message: "The blob is in an object store, and none is configured." },
    });
  });

  test("whose object was lost fail, and are never missing", async () => {
    const hash = await open().put(large());
    objects.stored.clear();
    await expect(open().get(hash)).rejects.toMatchObject({ code: "storage_unavailable" });
  });

  test("don't exist until the upload has ended", async () => {
    const [blobs, bytes, upload] = [open(), large(), gate()];
    const started = gate();
    objects.before = async (verb) => {
      if (verb !== "put") return;
      started.resolve();
      await upload.promise;
    };
    const putting = blobs.put(bytes);
    await started.promise;
    const other = createPostgresBlobs({ storage, clock });
    const expected = hashOf("sha256", bytes, "hex");
    expect([...(await other.has([expected]))]).toEqual([]);
    expect(await other.get(expected)).toBeUndefined();
    expect(await unlinked()).toMatchObject([{ doomed: false }]);
    upload.resolve();
    const hash = await putting;
    expect([hash, ...(await other.has([expected]))]).toEqual([expected, expected]);
  });

  test("uploaded twice at once leave one object", async () => {
    const bytes = large();
    const both = [gate(), gate()];
    let started = 0;
    objects.before = async (verb) => {
      if (verb !== "put") return;
      both[started++]?.resolve();
      await Promise.all(both.map(({ promise }) => promise));
    };
    const [hash] = await Promise.all([open().put(bytes), open().put(bytes)]);
    expect(objects.stored.size).toBe(1);
    expect(await unlinked()).toEqual([]);
    expect((await open().get(hash))?.length).toBe(bytes.length);
  });

  test("put while they are deleted stay: a deletion never meets a later upload", async () => {
    const [blobs, bytes] = [open(), large()];
    const hash = await blobs.put(bytes);
    const [deleting, uploaded] = [gate(), gate()];
    objects.before = async (verb) => {
      if (verb !== "delete") return;
      deleting.resolve();
      await uploaded.promise;
    };
    const gone = blobs.delete(hash, NEVER);
    await deleting.promise;
    await open().put(bytes);
    uploaded.resolve();
    expect(await gone).toBe(true);
    expect((await blobs.get(hash))?.length).toBe(bytes.length);
    expect(objects.stored.size).toBe(1);
  });

  test("read while they are deleted and put again are read anew", async () => {
    const [blobs, bytes] = [open(), large()];
    const hash = await blobs.put(bytes);
    let reads = 0;
    objects.before = async (verb) => {
      if (verb !== "get" || reads++ > 0) return;
      await blobs.delete(hash, NEVER);
      await blobs.put(bytes);
    };
    expect((await blobs.get(hash))?.length).toBe(bytes.length);
    expect(reads).toBe(2);
  });

  test("whose upload failed are swept after an hour, not before", async () => {
    const blobs = open();
    objects.before = (verb) => {
      if (verb === "put") throw new Error("no answer");
    };
    await expect(blobs.put(large())).rejects.toMatchObject({ code: "storage_unavailable" });
    objects.before = () => undefined;
    const [{ name } = {}] = await unlinked();
    // The store had taken it, although it didn't say so.
    objects.stored.set(String(name), large());
    await clock.advance(HOUR_MS - 1);
    await blobs.sweep?.();
    expect(objects.stored.size).toBe(1);
    await clock.advance(1);
    await blobs.sweep?.();
    expect(objects.stored.size).toBe(0);
    expect(await unlinked()).toEqual([]);
  });

  test("whose object couldn't be deleted are gone, and the object is swept", async () => {
    const blobs = open();
    const hash = await blobs.put(large());
    objects.before = (verb) => {
      if (verb === "delete") throw new Error("no answer");
    };
    expect(await blobs.delete(hash, NEVER)).toBe(true);
    expect(await blobs.get(hash)).toBeUndefined();
    expect(objects.stored.size).toBe(1);
    await clock.advance(HOUR_MS);
    await expect(blobs.sweep?.()).rejects.toMatchObject({ code: "storage_unavailable" });
    objects.before = () => undefined;
    await clock.advance(HOUR_MS);
    await blobs.sweep?.();
    expect(objects.stored.size).toBe(0);
    expect(await unlinked()).toEqual([]);
  });

  test("whose upload was swept meanwhile fail, and leave nothing behind", async () => {
    const [blobs, bytes] = [open(), large()];
    objects.before = async (verb) => {
      if (verb !== "put") return;
      await clock.advance(HOUR_MS);
      objects.before = (inner) => {
        if (inner === "delete") throw new Error("no answer");
      };
      await expect(open().sweep?.()).rejects.toMatchObject({ code: "storage_unavailable" });
    };
    await expect(blobs.put(bytes)).rejects.toMatchObject({ code: "storage_unavailable" });
    expect(
      await storage.database.run({ sql: `select from ${storage.schema}."blobs"`, parameters: [] }),
    ).toMatchObject({
      rows: [],
    });
    objects.before = () => undefined;
    await clock.advance(HOUR_MS);
    await blobs.sweep?.();
    expect(objects.stored.size).toBe(0);
  });

  test("are swept by one process, however many sweep", async () => {
    const blobs = open();
    const hashes = await Promise.all(Array.from({ length: 8 }, () => blobs.put(large())));
    objects.before = (verb) => {
      if (verb === "delete") throw new Error("no answer");
    };
    for (const hash of hashes) await blobs.delete(hash, NEVER);
    const deleted: string[] = [];
    objects.before = (verb, name) => void (verb === "delete" && deleted.push(name));
    await clock.advance(HOUR_MS);
    await Promise.all([open().sweep?.(), open().sweep?.(), open().sweep?.()]);
    expect(deleted.length).toBe(8);
    expect(new Set(deleted).size).toBe(8);
  });

  test("that a process was receiving when it died lose what had come, without a store too", async () => {
    const blobs = createPostgresBlobs({ storage, clock });
    const never = gate();
    async function* stuck() {
      yield randomBytes(3_000_000);
      await never.promise;
      throw new Error("gone");
    }
    const parts = async () => {
      const sql = `select "number" from ${storage.schema}."blob_parts"`;
      return (await storage.database.run({ sql, parameters: [] })).rows.length;
    };
    const receiving = blobs.putStream(stuck());
    await expect.poll(parts).toBe(1);
    await blobs.sweep?.();
    expect(await parts()).toBe(1);
    await clock.advance(HOUR_MS);
    await blobs.sweep?.();
    expect(await parts()).toBe(0);
    never.resolve();
    await expect(receiving).rejects.toThrow("gone");
  });

  test("whose first parts a crash of the database took aren't stored, and may be sent again", async () => {
    const blobs = createPostgresBlobs({ storage, clock });
    const halves = [randomBytes(1_500_000), randomBytes(1_500_000)] as const;
    const hash = hashOf("sha256", Buffer.concat(halves), "hex");
    async function* interrupted() {
      yield halves[0];
      const sql = `truncate ${storage.schema}."blob_parts"`;
      await storage.database.run({ sql, parameters: [] });
      yield halves[1];
    }
    await expect(blobs.putStream(interrupted())).rejects.toMatchObject({ code: "storage_unavailable" });
    expect([...(await blobs.has([hash]))]).toEqual([]);
    expect(await blobs.putStream(Readable.from(halves))).toEqual({ hash, size_bytes: 3_000_000 });
    expect(Buffer.compare((await blobs.get(hash)) ?? Buffer.alloc(0), Buffer.concat(halves))).toBe(0);
  });

  test("that the database has already aren't joined again: their parts may be gone", async () => {
    const blobs = createPostgresBlobs({ storage, clock });
    const halves = [randomBytes(1_500_000), randomBytes(1_500_000)] as const;
    const hash = await blobs.put(Buffer.concat(halves));
    async function* interrupted() {
      yield halves[0];
      const sql = `truncate ${storage.schema}."blob_parts"`;
      await storage.database.run({ sql, parameters: [] });
      yield halves[1];
    }
    const put = clock.now();
    await clock.advance(HOUR_MS);
    expect(await blobs.putStream(interrupted())).toEqual({ hash, size_bytes: 3_000_000 });
    // Put anew: what was put before that doesn't go.
    expect(await blobs.delete(hash, new Date(put.getTime() + 1))).toBe(false);
    expect((await blobs.get(hash))?.length).toBe(3_000_000);
  });
});
