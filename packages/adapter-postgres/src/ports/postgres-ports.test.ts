import { randomBytes } from "node:crypto";
import { blobsKit, queueKit, signalsKit } from "@letterslot/core/conformance";
import { createManualClock } from "@letterslot/core/testing";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { emptySchema, freshDatabase } from "../../test/fresh-database.ts";
import { createPostgresBlobs } from "../blobs/postgres-blobs.ts";
import { createPostgresStorage } from "../storage/postgres-storage.ts";
import { createPostgresQueue } from "./postgres-queue.ts";
import { createPostgresSignals } from "./postgres-signals.ts";

/** Time limit for a notification on a busy machine. */
const TIMEOUT_MS = 20_000;

let database: Awaited<ReturnType<typeof freshDatabase>>;

beforeAll(async () => {
  database = await freshDatabase();
});

afterAll(() => database.drop());

const openStorage = () => createPostgresStorage({ connectionString: database.url });

describe("blobs in PostgreSQL", () => {
  blobsKit({
    test,
    async open() {
      const clock = createManualClock();
      const opened = [await openStorage()];
      await emptySchema(opened[0] as (typeof opened)[number]);
      const blobsOf = (index: number) =>
        createPostgresBlobs({ storage: opened[index] as (typeof opened)[number], clock });
      return {
        blobs: blobsOf(0),
        ...(opened[0] && { storage: opened[0] }),
        now: clock.now,
        advance: clock.advance,
        reopen: async () => blobsOf(opened.push(await openStorage()) - 1),
        async close() {
          for (const storage of opened) await storage.close();
        },
      };
    },
  });

  test("40 MB come back unchanged, in chunks", async () => {
    const storage = await openStorage();
    const blobs = createPostgresBlobs({ storage });
    const bytes = randomBytes(40 * 1024 * 1024 + 1);
    const hash = await blobs.put(bytes);
    expect(Buffer.compare(bytes, (await blobs.get(hash)) ?? Buffer.alloc(0))).toBe(0);
    await storage.close();
  });
});

describe("a stream of damaged bytes", () => {
  test.each([1_000, 3_000_000])("ends with an error before the last of %i", async (size) => {
    const storage = await openStorage();
    const blobs = createPostgresBlobs({ storage });
    const hash = await blobs.put(randomBytes(size));
    await storage.database.run({
      sql: `update "${storage.schema}"."blobs" set "bytes" = set_byte("bytes", 500, 255 - get_byte("bytes", 500)) where "hash" = $1`,
      parameters: [Buffer.from(hash, "hex")],
    });
    let read = 0;
    const reading = async () => {
      for await (const piece of (await blobs.getStream(hash))?.bytes ?? []) read += piece.length;
    };
    await expect(reading()).rejects.toMatchObject({ code: "storage_unavailable" });
    expect(read).toBeLessThan(size);
    await storage.close();
  });
});

describe("a queue between processes", () => {
  const open = async () => {
    const clock = createManualClock();
    const storage = await openStorage();
    const queue = createPostgresQueue({ storage, clock });
    const close = async () => {
      await queue.close();
      await storage.close();
    };
    return { queue, now: clock.now, advance: clock.advance, close };
  };
  queueKit({ test, open });

  test("a wake-up reaches the workers of another process", async () => {
    const [sender, worker] = [await open(), await open()];
    let calls = 0;
    worker.queue.work(async () => void calls++);
    // Until the worker listens, it misses wake-ups.
    await vi.waitFor(async () => {
      await sender.queue.send(sender.now());
      expect(calls).toBeGreaterThan(2);
    }, TIMEOUT_MS);
    for (const each of [sender, worker]) await each.close();
  });

  test("a sweep wakes the worker without a wake-up", async () => {
    const { queue, advance, close } = await open();
    let calls = 0;
    queue.work(async () => void calls++);
    await advance(14_000);
    expect(calls).toBe(1);
    await advance(61_000);
    expect(calls).toBe(6);
    await close();
  });
});

describe("signals between processes", () => {
  const open = async () => {
    const storages = [await openStorage(), await openStorage(), await openStorage()];
    const members = storages.map((storage) => createPostgresSignals({ storage }));
    return {
      members,
      /** Notifications arrive in the order of their commits: once the last one has, all have. */
      async settle() {
        for (const sender of members) {
          const received = new Set<number>();
          const stops = await Promise.all(
            members.map((member, index) => member.subscribe("settle", () => received.add(index))),
          );
          await sender.publish(["settle"]);
          await vi.waitFor(() => expect(received.size).toBe(members.length), {
            timeout: TIMEOUT_MS,
            interval: 2,
          });
          for (const stop of stops) stop();
        }
      },
      async close() {
        for (const signals of members) await signals.close();
        for (const storage of storages) await storage.close();
      },
    };
  };
  signalsKit({ test, open });

  test("more channels than fit into one notification are all signalled", async () => {
    const { members, settle, close } = await open();
    const channels = Array.from({ length: 300 }, (_, index) => `channel ${index} ${"ü".repeat(40)}`);
    const received = new Set<string>();
    for (const channel of channels) await members[0]?.subscribe(channel, () => received.add(channel));
    await members[1]?.publish(channels);
    await settle();
    expect(received.size).toBe(channels.length);
    await close();
  });
});
