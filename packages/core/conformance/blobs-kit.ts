import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import type { Blobs } from "../src/ports/blobs.ts";
import type { Storage } from "../src/ports/storage.ts";
import { type Kit, type Opened, race, withFresh } from "./kit.ts";

/** Fresh, empty blobs for one test, and control of their clock. */
export interface OpenedBlobs extends Opened {
  blobs: Blobs;
  now(): Date;
  advance(milliseconds: number): Promise<void>;
  /** The storage whose transactions put staged bytes. */
  storage?: Storage;
  /** Simulates a crash and reopens the same data. Omitted by blobs that keep nothing. */
  reopen?(): Promise<Blobs>;
}

const SIZES = [0, 1, 4_000, 65_535, 65_536, 65_537, 3_000_000];
/** For each size, incompressible bytes and a text. */
const ofEverySize = () => SIZES.flatMap((size) => [randomBytes(size), Buffer.alloc(size, "Dear Ada, ")]);
const LONG_AGO = new Date(0);
const NEVER = new Date(8.64e15);

/** Pieces as a connection brings them: of several sizes. */
async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  let size = 1;
  for (let at = 0; at < bytes.length; at += size) {
    size = Math.min(2 * size + 1, 65_536);
    yield bytes.subarray(at, at + size);
  }
}

/** Checks every promise of the blobs port. */
export function blobsKit(kit: Kit<OpenedBlobs>): void {
  const test = withFresh(kit);

  test("bytes of every size are returned unchanged under their SHA-256", async ({ blobs }) => {
    for (const bytes of ofEverySize()) {
      const hash = await blobs.put(bytes);
      assert.equal(hash, createHash("sha256").update(bytes).digest("hex"));
      const back = await blobs.get(hash);
      assert.ok(back !== undefined && Buffer.compare(bytes, back) === 0, `${bytes.length} bytes`);
    }
  });

  test("bytes are read as a stream unchanged, a few at a time", async ({ blobs, advance }) => {
    for (const bytes of [...ofEverySize(), randomBytes(7_000_000)]) {
      const opened = await blobs.getStream(await blobs.put(bytes));
      assert.ok(opened !== undefined && opened.size_bytes === bytes.length, `${bytes.length} bytes`);
      const pieces: Uint8Array[] = [];
      for await (const piece of opened.bytes) {
        assert.ok(piece.byteLength <= 5 * 1024 * 1024);
        pieces.push(piece);
      }
      assert.equal(Buffer.compare(bytes, Buffer.concat(pieces)), 0, `${bytes.length} bytes`);
    }
    for (const hash of ["0".repeat(64), "../../etc/passwd", ""])
      assert.equal(await blobs.getStream(hash), undefined);
    const [hash, begun] = [await blobs.put(randomBytes(7_000_000)), await blobs.put(randomBytes(8_000_000))];
    for (const each of [hash, begun]) {
      const opened = await blobs.getStream(each);
      if (each === begun) await opened?.bytes.next();
      await opened?.bytes.return(undefined);
    }
    await advance(1000);
    assert.deepEqual([await blobs.delete(hash, NEVER), await blobs.delete(begun, NEVER)], [true, true]);
  });

  test("a stream of bytes that are deleted meanwhile gives them all, or breaks off", async ({ blobs }) => {
    const bytes = randomBytes(7_000_000);
    const hash = await blobs.put(bytes);
    const opened = await blobs.getStream(hash);
    assert.ok(opened !== undefined);
    const pieces = [(await opened.bytes.next()).value as Uint8Array];
    await blobs.delete(hash, NEVER);
    const read = async () => {
      for await (const piece of opened.bytes) pieces.push(piece);
    };
    const whole = await read().then(
      () => true,
      () => false,
    );
    assert.equal(Buffer.compare(Buffer.concat(pieces), bytes) === 0, whole);
  });

  test("bytes that come in pieces are stored as the same bytes at once", async ({ blobs, now }) => {
    for (const bytes of [...ofEverySize(), randomBytes(7_000_000)]) {
      const sent = await blobs.putStream(inPieces(bytes));
      const hash = createHash("sha256").update(bytes).digest("hex");
      assert.deepEqual(sent, { hash, size_bytes: bytes.length });
      const back = await blobs.get(hash);
      assert.ok(back !== undefined && Buffer.compare(bytes, back) === 0, `${bytes.length} bytes`);
      assert.equal(await blobs.delete(hash, now()), false, "they count as put then");
    }
  });

  test("bytes that are known, and stored, are not read again, and count as put then", async (opened) => {
    const { blobs, now, advance } = opened;
    for (const size of [100, 200_000, 3_000_000]) {
      const bytes = randomBytes(size);
      const known = { hash: createHash("sha256").update(bytes).digest("hex"), size_bytes: size };
      let read = 0;
      async function* counted() {
        for await (const piece of inPieces(bytes)) {
          read += piece.length;
          yield piece;
        }
      }
      for (let round = 1; round < 3; round++) {
        assert.deepEqual(await blobs.putStream(counted(), known), known);
        assert.equal(read, round * size, `${size} bytes are read where they aren't stored`);
        await advance(1000);
        const moment = now();
        assert.deepEqual(await blobs.putStream(counted(), known), known);
        assert.equal(read, round * size, `${size} bytes are not read where they are`);
        assert.equal(await blobs.delete(known.hash, moment), false);
        assert.equal(Buffer.compare(bytes, (await blobs.get(known.hash)) ?? Buffer.alloc(0)), 0);
        await advance(1000);
        assert.equal(await blobs.delete(known.hash, now()), true);
      }
    }
  });

  test("bytes that are freed once they were put stay as they were", async ({ blobs }) => {
    const free = ({ buffer }: Uint8Array) => void (buffer as ArrayBuffer).transfer(0);
    for (const size of SIZES) {
      for (const inStream of [false, true]) {
        const bytes = Buffer.allocUnsafeSlow(size).fill(randomBytes(size));
        const copy = Buffer.from(bytes);
        const hash = inStream ? (await blobs.putStream(inPieces(bytes))).hash : await blobs.put(bytes);
        free(bytes);
        const back = await blobs.get(hash);
        assert.ok(back !== undefined && Buffer.compare(copy, back) === 0, `${size} bytes`);
      }
    }
  });

  test("a stream that breaks off stores nothing, and says why", async ({ blobs }) => {
    for (const size of [100, 100_000, 7_000_000]) {
      const bytes = randomBytes(size);
      async function* broken() {
        yield* inPieces(bytes);
        throw new Error("gone");
      }
      await assert.rejects(blobs.putStream(broken()), { message: "gone" });
      assert.equal(await blobs.get(createHash("sha256").update(bytes).digest("hex")), undefined);
    }
  });

  test("the same bytes in several streams at once are stored once", async ({ blobs }) => {
    const bytes = randomBytes(3_000_000);
    const sent = await race(6, () => blobs.putStream(inPieces(bytes)));
    const [first] = sent;
    assert.ok(first !== undefined && sent.every(({ hash }) => hash === first.hash));
    assert.equal((await blobs.get(first.hash))?.byteLength, bytes.length);
    assert.equal(await blobs.delete(first.hash, NEVER), true);
    assert.equal(await blobs.get(first.hash), undefined);
  });

  test("of several hashes those are told that have bytes", async ({ blobs }) => {
    const stored = await Promise.all(ofEverySize().map((bytes) => blobs.put(bytes)));
    const gone = await blobs.put(Buffer.from("deleted"));
    await blobs.delete(gone, NEVER);
    const strange = ["0".repeat(64), "../../etc/passwd", "", "%", gone];
    assert.deepEqual([...(await blobs.has([...strange, ...stored]))].sort(), [...new Set(stored)].sort());
    assert.deepEqual([...(await blobs.has([]))], []);
  });

  test("an unknown or malformed hash returns undefined", async ({ blobs }) => {
    assert.equal(await blobs.get("0".repeat(64)), undefined);
    assert.equal(await blobs.get("../../etc/passwd"), undefined);
    assert.equal(await blobs.get(""), undefined);
  });

  test("changing bytes passed in or out does not change what is stored", async ({ blobs }) => {
    const bytes = Uint8Array.from([1, 2, 3]);
    const hash = await blobs.put(bytes);
    bytes[0] = 9;
    const first = await blobs.get(hash);
    if (first !== undefined) first[1] = 9;
    assert.deepEqual([...((await blobs.get(hash)) ?? [])], [1, 2, 3]);
  });

  test("bytes put concurrently many times are stored once", async ({ blobs }) => {
    for (const size of [100, 200_000]) {
      const bytes = randomBytes(size);
      const hashes = await race(10, () => blobs.put(Uint8Array.from(bytes)));
      assert.equal(new Set(hashes).size, 1);
      assert.equal(await blobs.delete(hashes[0] as string, NEVER), true);
      assert.equal(await blobs.get(hashes[0] as string), undefined);
    }
  });

  test("bytes put at or after a given time are not deleted", async ({ blobs, now, advance }) => {
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

  test("deleting missing bytes returns that they are gone", async ({ blobs }) => {
    assert.equal(await blobs.delete("0".repeat(64), LONG_AGO), true);
  });

  test("bytes can be put again after they are deleted", async ({ blobs }) => {
    for (const size of [100, 200_000]) {
      const bytes = randomBytes(size);
      const hash = await blobs.put(bytes);
      await blobs.delete(hash, NEVER);
      assert.equal(await blobs.put(bytes), hash);
      assert.equal((await blobs.get(hash))?.byteLength, size);
    }
  });

  test("bytes are still there after reopening", async ({ blobs, reopen }) => {
    if (reopen === undefined) return;
    const stored = await race(12, async (index) => {
      const bytes = randomBytes(index % 2 === 0 ? 500 : 150_000);
      return { bytes, hash: await blobs.put(bytes) };
    });
    const again = await reopen();
    for (const { bytes, hash } of stored)
      assert.equal(Buffer.compare(bytes, (await again.get(hash)) ?? Buffer.alloc(0)), 0);
  });

  test("staged bytes of every size exist once their transaction commits", async ({ blobs, storage, now }) => {
    if (storage === undefined || blobs.stage === undefined) return;
    for (const bytes of ofEverySize()) {
      const staged = await blobs.stage(bytes);
      assert.equal(staged.hash, createHash("sha256").update(bytes).digest("hex"));
      await storage.transaction(async (tx) => staged.put(tx));
      assert.equal(
        Buffer.compare(bytes, (await blobs.get(staged.hash)) ?? Buffer.alloc(1)),
        0,
        `${bytes.length} bytes`,
      );
      assert.equal(await blobs.delete(staged.hash, now()), false, "they count as put then");
    }
  });

  test("small staged bytes are rolled back with their transaction", async ({ blobs, storage }) => {
    if (storage === undefined || blobs.stage === undefined) return;
    const [kept, lost] = [await blobs.stage(randomBytes(3_000)), await blobs.stage(randomBytes(3_000))];
    const failing = storage.transaction(async (tx) => {
      lost.put(tx);
      kept.put(tx);
      throw new Error("no");
    });
    await assert.rejects(failing, { message: "no" });
    await storage.transaction(async (tx) => kept.put(tx));
    assert.equal((await blobs.get(kept.hash))?.byteLength, 3_000);
    assert.equal(await blobs.get(lost.hash), undefined);
  });

  test("the same bytes can be staged more than once for a transaction", async ({ blobs, storage }) => {
    if (storage === undefined || blobs.stage === undefined) return;
    const bytes = randomBytes(3_000);
    const { stage } = blobs;
    for (let round = 0; round < 2; round++) {
      const [first, second] = [await stage(bytes), await stage(Uint8Array.from(bytes))];
      await storage.transaction(async (tx) => {
        first.put(tx);
        second.put(tx);
      });
      assert.equal(Buffer.compare(bytes, (await blobs.get(first.hash)) ?? Buffer.alloc(0)), 0);
    }
  });

  test("the same bytes staged concurrently are stored once", async ({ blobs, storage }) => {
    const { stage } = blobs;
    if (storage === undefined || stage === undefined) return;
    const bytes = randomBytes(3_000);
    const hashes = await race(6, async () => {
      const staged = await stage(Uint8Array.from(bytes));
      await storage.transaction(async (tx) => staged.put(tx));
      return staged.hash;
    });
    assert.equal(new Set(hashes).size, 1);
    assert.equal(await blobs.delete(hashes[0] as string, NEVER), true);
    assert.equal(await blobs.get(hashes[0] as string), undefined);
  });

  test("a transaction of another storage stores nothing", async ({ blobs, storage }) => {
    if (storage === undefined || blobs.stage === undefined) return;
    const staged = await blobs.stage(randomBytes(10));
    assert.throws(() => staged.put({} as never));
  });
}
