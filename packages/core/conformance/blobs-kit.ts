import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import type { Blobs } from "../src/ports/blobs.ts";
import { type Kit, type Opened, race, withFresh } from "./kit.ts";

/** Fresh, empty blobs for one test, and how to move their clock. */
export interface OpenedBlobs extends Opened {
  blobs: Blobs;
  now(): Date;
  advance(milliseconds: number): Promise<void>;
  /** Ends the blobs as a crash would and opens what is there. Left out by blobs that keep nothing. */
  reopen?(): Promise<Blobs>;
}

const sizes = [0, 1, 4_000, 65_535, 65_536, 65_537, 3_000_000];
const longAgo = new Date(0);
const never = new Date(8.64e15);

/** Checks every promise of the blobs port. */
export function blobsKit(kit: Kit<OpenedBlobs>): void {
  const test = withFresh(kit);

  test("bytes of every size come back as they were, under their SHA-256", async ({ blobs }) => {
    for (const size of sizes) {
      const bytes = randomBytes(size);
      const hash = await blobs.put(bytes);
      assert.equal(hash, createHash("sha256").update(bytes).digest("hex"));
      const back = await blobs.get(hash);
      assert.ok(back !== undefined && Buffer.compare(bytes, back) === 0, `${size} bytes`);
    }
  });

  test("a hash of nothing, or no hash at all, answers undefined", async ({ blobs }) => {
    assert.equal(await blobs.get("0".repeat(64)), undefined);
    assert.equal(await blobs.get("../../etc/passwd"), undefined);
    assert.equal(await blobs.get(""), undefined);
  });

  test("what was handed in or out is not tied to what is stored", async ({ blobs }) => {
    const bytes = Uint8Array.from([1, 2, 3]);
    const hash = await blobs.put(bytes);
    bytes[0] = 9;
    const first = await blobs.get(hash);
    if (first !== undefined) first[1] = 9;
    assert.deepEqual([...((await blobs.get(hash)) ?? [])], [1, 2, 3]);
  });

  test("bytes put many times at once are stored once", async ({ blobs }) => {
    for (const size of [100, 200_000]) {
      const bytes = randomBytes(size);
      const hashes = await race(10, () => blobs.put(Uint8Array.from(bytes)));
      assert.equal(new Set(hashes).size, 1);
      assert.equal(await blobs.delete(hashes[0] as string, never), true);
      assert.equal(await blobs.get(hashes[0] as string), undefined);
    }
  });

  test("bytes put at or after a moment are not deleted", async ({ blobs, now, advance }) => {
    for (const size of [100, 200_000]) {
      const bytes = randomBytes(size);
      const hash = await blobs.put(bytes);
      const putAt = now();
      assert.equal(await blobs.delete(hash, putAt), false);
      assert.ok(await blobs.get(hash));
      await advance(1000);
      const moment = now();
      await blobs.put(bytes);
      assert.equal(await blobs.delete(hash, moment), false, "putting again counts as put now");
      assert.ok(await blobs.get(hash));
      await advance(1000);
      assert.equal(await blobs.delete(hash, now()), true);
      assert.equal(await blobs.get(hash), undefined);
    }
  });

  test("deleting what is gone says that it is gone", async ({ blobs }) => {
    assert.equal(await blobs.delete("0".repeat(64), longAgo), true);
  });

  test("bytes can be put again after they were deleted", async ({ blobs }) => {
    for (const size of [100, 200_000]) {
      const bytes = randomBytes(size);
      const hash = await blobs.put(bytes);
      await blobs.delete(hash, never);
      assert.equal(await blobs.put(bytes), hash);
      assert.equal((await blobs.get(hash))?.byteLength, size);
    }
  });

  test("what put answered is there after reopening", async ({ blobs, reopen }) => {
    if (reopen === undefined) return;
    const stored = await race(12, async (index) => {
      const bytes = randomBytes(index % 2 === 0 ? 500 : 150_000);
      return { bytes, hash: await blobs.put(bytes) };
    });
    const again = await reopen();
    for (const { bytes, hash } of stored) assert.equal(Buffer.compare(bytes, (await again.get(hash)) ?? Buffer.alloc(0)), 0);
  });
}
