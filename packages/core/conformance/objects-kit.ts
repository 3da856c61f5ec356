import assert from "node:assert/strict";
import { hash, randomBytes, randomUUID } from "node:crypto";
import { LetterslotError } from "../src/catalogue/errors.ts";
import type { ObjectIdentity, Objects } from "../src/ports/objects.ts";
import { type Kit, type Opened, race, withFresh } from "./kit.ts";

/** A fresh, empty store for one test. */
export interface OpenedObjects extends Opened {
  objects: Objects;
  /** Replaces the bytes that are stored under a name, as a failing disk or a stranger does. */
  damage(name: string, bytes: Uint8Array): Promise<void>;
  /** The same store as seen with credentials that nobody gave out; omitted by stores without any. */
  stranger?: Objects;
  /** A store that doesn't exist; omitted where that can't be. */
  elsewhere?: Objects;
  /** Strings that no message may contain. */
  secrets: readonly string[];
}

const SIZES = [0, 1, 65_536, 3_000_000];
const NAMES_THAT_LEAD_AWAY = [
  "",
  "/",
  "..",
  "../secret",
  "a/../b",
  "a//b",
  "/a",
  "a/",
  "a b",
  "a?b",
  "a#b",
  "a%2fb",
  "ä",
];

/** Checks every promise of the objects port. */
export function objectsKit(kit: Kit<OpenedObjects>): void {
  const test = withFresh(kit);

  test("objects of every size are returned unchanged", async ({ objects }) => {
    for (const size of SIZES) {
      const { object, bytes } = made(size);
      await objects.put(object, bytes);
      assert.ok(Buffer.compare(bytes, (await objects.get(object)) ?? Buffer.alloc(1)) === 0, `${size} bytes`);
    }
  });

  test("objects that come in pieces are returned unchanged", async ({ objects }) => {
    for (const size of [...SIZES, 5 * 1024 * 1024, 11_000_000]) {
      const { object, bytes } = made(size);
      await objects.putStream(object.name, inPieces(bytes));
      assert.ok(Buffer.compare(bytes, (await objects.get(object)) ?? Buffer.alloc(1)) === 0, `${size} bytes`);
    }
  });

  test("objects are read as a stream unchanged, and never with other bytes", async ({ objects, damage }) => {
    for (const size of [...SIZES, 5 * 1024 * 1024, 11_000_000]) {
      const { object, bytes } = made(size);
      assert.equal(await objects.getStream(object), undefined);
      await objects.put(object, bytes);
      const read = await readAll(objects, object);
      assert.ok(Buffer.compare(bytes, read) === 0, `${size} bytes`);
      if (size === 0) continue;
      await damage(object.name, flipped(bytes, size - 1));
      await unavailable(readAll(objects, object));
      await damage(object.name, bytes.subarray(0, -1));
      await unavailable(readAll(objects, object));
    }
  });

  test("an object whose bytes break off isn't there", async ({ objects }) => {
    for (const size of [100, 6_000_000]) {
      const { object, bytes } = made(size);
      async function* broken() {
        yield* inPieces(bytes);
        throw new Error("gone");
      }
      await assert.rejects(objects.putStream(object.name, broken()), { message: "gone" });
      assert.equal(await objects.get(object), undefined);
    }
  });

  test("an object that isn't there is undefined, and deleting it does no harm", async ({ objects }) => {
    const { object } = made(10);
    assert.equal(await objects.get(object), undefined);
    await objects.delete(object.name);
  });

  test("an object that is put again and deleted is gone", async ({ objects }) => {
    const { object, bytes } = made(70_000);
    await objects.put(object, bytes);
    await objects.put(object, bytes);
    await objects.delete(object.name);
    assert.equal(await objects.get(object), undefined);
  });

  test("many objects at once are kept apart", async ({ objects }) => {
    const all = await race(20, async (index) => {
      const one = made(70_000 + index);
      await objects.put(one.object, one.bytes);
      return one;
    });
    await objects.delete(all[0]?.object.name ?? "");
    for (const { object, bytes } of all.slice(1))
      assert.ok(Buffer.compare(bytes, (await objects.get(object)) ?? Buffer.alloc(0)) === 0);
  });

  test("bytes of another hash or size are never returned", async ({ objects, damage }) => {
    const { object, bytes } = made(70_000);
    await objects.put(object, bytes);
    for (const other of [
      flipped(bytes, 1_000),
      bytes.subarray(0, -1),
      Buffer.concat([bytes, bytes]),
      Buffer.alloc(0),
    ]) {
      await damage(object.name, other);
      await unavailable(objects.get(object));
    }
    await damage(object.name, bytes);
    assert.ok(await objects.get(object));
  });

  test("a name can't lead elsewhere", async ({ objects }) => {
    const { object, bytes } = made(10);
    for (const name of [...NAMES_THAT_LEAD_AWAY, "a".repeat(201)]) {
      await assert.rejects(async () => objects.put({ ...object, name }, bytes), Error, name);
      await assert.rejects(async () => objects.get({ ...object, name }), Error, name);
      await assert.rejects(async () => objects.delete(name), Error, name);
    }
  });

  test("strangers can't put, get or delete, and failures keep the secrets", async (opened) => {
    const { objects, stranger, elsewhere, secrets } = opened;
    const { object, bytes } = made(70_000);
    await objects.put(object, bytes);
    for (const other of [stranger, elsewhere]) {
      if (other === undefined) continue;
      const calls = [
        () => other.put(object, Buffer.from(bytes)),
        () => other.get(object),
        () => other.delete(object.name),
      ];
      for (const call of calls) {
        const said = await unavailable(call());
        for (const secret of secrets) assert.ok(!said.includes(secret), "a secret is in a message");
      }
    }
    assert.ok(await objects.get(object));
  });
}

function made(size_bytes: number): { object: ObjectIdentity; bytes: Buffer } {
  const bytes = randomBytes(size_bytes);
  return { object: { name: `ab/${randomUUID()}`, sha256: hash("sha256", bytes, "hex"), size_bytes }, bytes };
}

/** A copy in which one bit of a byte is another. */
function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(at) ^ 1, at);
  return copy;
}

async function readAll(objects: Objects, object: ObjectIdentity): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of (await objects.getStream(object)) ?? []) {
    assert.ok(piece.byteLength <= 6 * 1024 * 1024);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

async function* inPieces(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 60_000) yield bytes.subarray(at, at + 60_000);
}

/** All that a failure says, with its causes. */
async function unavailable(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => assert.fail("it succeeded"),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof LetterslotError, String(error));
  assert.equal(error.code, "storage_unavailable");
  let said = "";
  for (let at: unknown = error; at instanceof Error; at = at.cause)
    said += `${at.name} ${at.message} ${at.stack}\n`;
  return said;
}
