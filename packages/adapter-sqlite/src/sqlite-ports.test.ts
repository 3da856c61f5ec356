import { createHash, randomBytes } from "node:crypto";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { blobsKit, queueKit, signalsKit } from "@letterslot/core/conformance";
import { createManualClock } from "@letterslot/core/testing";
import { verifiedBlob } from "@letterslot/sql";
import { describe, expect, test } from "vitest";
import { copyAsAfterCrash, temporaryFolder } from "../test/temporary-folder.ts";
import { createSqliteQueue, createSqliteSignals } from "./index.ts";
import { createSqliteBlobs } from "./sqlite-blobs.ts";
import { createSqliteStorage } from "./sqlite-storage.ts";

describe("blobs in SQLite and files", () => {
  blobsKit({
    test,
    async open() {
      const { folder, remove } = await temporaryFolder();
      const clock = createManualClock();
      const path = join(folder, "mail.db");
      const opened = [createSqliteStorage({ path })];
      const blobsOf = (index: number) =>
        createSqliteBlobs({
          storage: opened[index] as (typeof opened)[number],
          folder: join(folder, "blobs"),
          clock,
        });
      return {
        blobs: blobsOf(0),
        ...(opened[0] && { storage: opened[0] }),
        now: clock.now,
        advance: clock.advance,
        async reopen() {
          const copy = join(folder, "copy.db");
          await copyAsAfterCrash(path, copy);
          return blobsOf(opened.push(createSqliteStorage({ path: copy })) - 1);
        },
        async close() {
          for (const storage of opened) await storage.close();
          await remove();
        },
      };
    },
  });

  test("only this user can read the files, and no temporary file remains", async () => {
    const { folder, remove } = await temporaryFolder();
    const storage = createSqliteStorage({ path: join(folder, "mail.db") });
    const blobs = createSqliteBlobs({ storage, folder: join(folder, "blobs") });
    const hash = await blobs.put(Buffer.alloc(100_000, 1));
    const [sub, ...others] = await readdir(join(folder, "blobs"));
    expect([sub, others]).toEqual([hash.slice(0, 2), []]);
    expect(await readdir(join(folder, "blobs", sub as string))).toEqual([hash.slice(2)]);
    for (const path of ["mail.db", "mail.db-wal", `blobs/${sub}/${hash.slice(2)}`]) {
      expect((await stat(join(folder, path))).mode & 0o077, path).toBe(0);
    }
    await storage.close();
    await remove();
  });

  test.each([
    ["whole", ["abc", "def"], "abcdef"],
    ["whole, with an empty piece at its end", ["abc", "def", ""], "abcdef"],
    ["too short", ["abc"], undefined],
    ["too long", ["abc", "def", "g"], undefined],
    ["empty", [], undefined],
  ])("a stream that is %s is compared with its hash at its end", async (_, pieces, whole) => {
    const sha256 = createHash("sha256").update("abcdef").digest("hex");
    async function* stored() {
      for (const piece of pieces) yield Buffer.from(piece);
    }
    const read: Uint8Array[] = [];
    const reading = async () => {
      for await (const piece of verifiedBlob(sha256, { size_bytes: 6, bytes: stored() }).bytes)
        read.push(piece);
      return Buffer.concat(read).toString();
    };
    if (whole !== undefined) return expect(await reading()).toBe(whole);
    await expect(reading()).rejects.toMatchObject({ code: "storage_unavailable" });
    expect(read).toHaveLength(Math.max(pieces.length - 1, 0));
  });

  test("a stream of damaged bytes ends with an error before the last of them", async () => {
    const { folder, remove } = await temporaryFolder();
    const storage = createSqliteStorage({ path: join(folder, "mail.db") });
    const blobs = createSqliteBlobs({ storage, folder: join(folder, "blobs") });
    const [small, large] = [await blobs.put(randomBytes(1_000)), await blobs.put(randomBytes(1_000_000))];
    await storage.write((connection) =>
      connection.run(`update "blobs" set "bytes" = zeroblob(length("bytes")) where "bytes" is not null`),
    );
    const path = join(folder, "blobs", large.slice(0, 2), large.slice(2));
    const bytes = await readFile(path);
    bytes[500_000] = (bytes[500_000] ?? 0) ^ 1;
    await writeFile(path, bytes);
    for (const [hash, size] of [
      [small, 1_000],
      [large, 1_000_000],
    ] as const) {
      let read = 0;
      const reading = async () => {
        for await (const piece of (await blobs.getStream(hash))?.bytes ?? []) read += piece.length;
      };
      await expect(reading()).rejects.toMatchObject({ code: "storage_unavailable" });
      expect(read).toBeLessThan(size);
    }
    await storage.close();
    await remove();
  });

  test("mail is stored compressed", async () => {
    const { folder, remove } = await temporaryFolder();
    const storage = createSqliteStorage({ path: join(folder, "mail.db") });
    const blobs = createSqliteBlobs({ storage, folder: join(folder, "blobs") });
    const mail = Buffer.from("Received: from mx.sender.example by mx.example.org with ESMTPS\r\n".repeat(50));
    const staged = await blobs.stage?.(mail);
    await storage.transaction(async (tx) => staged?.put(tx));
    const row = await storage.read((connection) =>
      connection.row(`select "coding", length("bytes") as "size" from "blobs"`),
    );
    expect(row).toMatchObject({ coding: "zstd" });
    expect(row?.["size"]).toBeLessThan(mail.length / 4);
    expect(Buffer.compare((await blobs.get(staged?.hash ?? "")) ?? Buffer.alloc(0), mail)).toBe(0);
    await storage.close();
    await remove();
  });

  test("a file that cannot be written is storage_unavailable", async () => {
    const { folder, remove } = await temporaryFolder();
    const storage = createSqliteStorage({ path: join(folder, "mail.db") });
    const blobs = createSqliteBlobs({ storage, folder: join(folder, "mail.db", "no-folder") });
    await expect(blobs.put(Buffer.alloc(100_000))).rejects.toMatchObject({ code: "storage_unavailable" });
    await storage.close();
    await remove();
  });
});

describe("the queue of one process", () => {
  const open = async () => {
    const clock = createManualClock();
    const queue = createSqliteQueue({ clock });
    return { queue, now: clock.now, advance: clock.advance, close: () => queue.close() };
  };
  queueKit({ test, open });

  test("a sweep wakes the worker without a wake-up", async () => {
    const { queue, advance, close } = await open();
    let calls = 0;
    queue.work(async () => void calls++);
    await advance(29_000);
    expect(calls).toBe(1);
    await advance(91_000);
    expect(calls).toBe(5);
    await close();
  });
});

describe("signals of one process", () => {
  signalsKit({
    test,
    async open() {
      const signals = createSqliteSignals();
      return { members: [signals], async settle() {}, close: () => signals.close() };
    },
  });
});
