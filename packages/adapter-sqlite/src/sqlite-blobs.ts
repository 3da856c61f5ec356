import { createHash, hash as hashAtOnce } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { type Blobs, type Clock, type ReceivedBlob, systemClock } from "@letterslot/core/ports";
import {
  bufferStatement,
  compressBytes,
  createRecordLocks,
  decompressBytes,
  readStart,
  type StoredBytes,
  verifiedBlob,
} from "@letterslot/sql";
import { createBlobFiles } from "./blob-files.ts";
import type { Connection } from "./connection.ts";
import type { SqliteStorage } from "./sqlite-storage.ts";

/** Smaller blobs lie in the database and share its commits; larger ones would be copied twice. */
const SMALL_BYTES = 64 * 1024;

/** Bytes that are hashed in one turn of the event loop: a few milliseconds' work. */
const HASHED_AT_ONCE_BYTES = 1024 * 1024;

/** The row of a blob whose bytes lie in a file. */
const IN_FILE = { coding: null, bytes: null };

const HASH_FORM = /^[0-9a-f]{64}$/;

const PUT_SQL = `insert into "blobs" ("hash", "put_at", "coding", "bytes") values (?, ?, ?, ?)
  on conflict ("hash") do update set "put_at" = max("put_at", excluded."put_at")`;
const TOUCH_SQL = `update "blobs" set "put_at" = max("put_at", ?) where "hash" = ?`;
const DELETE_SQL = `delete from "blobs" where "hash" = ? and "put_at" < ?`;
const HAS_SQL = `select lower(hex("hash")) as "hash", "bytes" is null as "in_file" from "blobs"
  where "hash" in (select unhex("value") from json_each(?))`;
const GET_SQL = `select "coding", "bytes" from "blobs" where "hash" = ?`;

/** Blobs for one process: small ones in the database, larger ones as files in `folder`. */
export function createSqliteBlobs(options: { storage: SqliteStorage; folder: string; clock?: Clock }): Blobs {
  const { storage, folder, clock = systemClock } = options;
  const files = createBlobFiles(folder);
  const locks = createRecordLocks();
  const rowOf = (connection: Connection, hash: string) => connection.row(GET_SQL, Buffer.from(hash, "hex"));

  const putParameters = (hash: string, { coding, bytes }: StoredBytes | typeof IN_FILE): unknown[] => [
    Buffer.from(hash, "hex"),
    clock.now().getTime(),
    coding,
    bytes,
  ];
  const putRow = (hash: string, stored: StoredBytes | typeof IN_FILE) =>
    storage.write((connection) => connection.run(PUT_SQL, ...putParameters(hash, stored)));

  const touchExisting = async (hash: string): Promise<boolean> => {
    const existing = await storage.read((connection) => rowOf(connection, hash));
    if (existing === undefined) return false;
    const now = clock.now().getTime();
    return (
      (await storage.write((connection) => connection.run(TOUCH_SQL, now, Buffer.from(hash, "hex")))) > 0
    );
  };

  /** Whether these bytes are there, in the database or in a file; they then count as put now. */
  const isKept = async (hash: string, size_bytes: number): Promise<boolean> =>
    (await touchExisting(hash)) && (size_bytes < SMALL_BYTES || (await files.has(hash)));

  const putLarge = async (bytes: Uint8Array): Promise<string> => {
    const hash = await hashInSlices(bytes);
    await locks.hold(hash, async () => {
      if (await isKept(hash, bytes.length)) return;
      await files.write(hash, bytes);
      await putRow(hash, IN_FILE);
    });
    return hash;
  };

  const put = async (bytes: Uint8Array): Promise<string> => {
    const copy = Buffer.from(bytes);
    if (copy.length >= SMALL_BYTES) return putLarge(copy);
    const hash = hashOf(copy);
    await putRow(hash, await compressBytes(copy));
    return hash;
  };

  const putFile = async (pieces: AsyncIterable<Uint8Array>): Promise<ReceivedBlob> => {
    const file = await files.receive();
    try {
      const counted = createHash("sha256");
      let size_bytes = 0;
      for await (const piece of pieces) {
        counted.update(piece);
        size_bytes += piece.byteLength;
        await file.write(piece);
      }
      const hash = counted.digest("hex");
      await locks.hold(hash, async () => {
        if (await isKept(hash, size_bytes)) return;
        await file.keep(hash);
        await putRow(hash, IN_FILE);
      });
      return { hash, size_bytes };
    } finally {
      await file.discard();
    }
  };

  return {
    put,
    async putStream(source, known) {
      const isHere = async ({ hash, size_bytes }: ReceivedBlob) =>
        locks.hold(hash, () => isKept(hash, size_bytes));
      if (known !== undefined && (await isHere(known))) return known;
      const { whole, pieces } = await readStart(source, SMALL_BYTES);
      if (whole === undefined) return putFile(pieces);
      return { hash: await put(whole), size_bytes: whole.length };
    },
    async stage(bytes) {
      if (bytes.length >= SMALL_BYTES) return { hash: await putLarge(bytes), put() {} };
      const hash = hashOf(bytes);
      const stored = await compressBytes(bytes);
      return {
        hash,
        put: (tx) => bufferStatement(tx, { sql: PUT_SQL, parameters: putParameters(hash, stored) }, hash),
      };
    },
    async get(hash) {
      if (!HASH_FORM.test(hash)) return undefined;
      const row = await storage.read((connection) => rowOf(connection, hash));
      if (row === undefined) return undefined;
      if (row["bytes"] === null) return files.read(hash);
      return decompressBytes(row["bytes"] as Uint8Array, row["coding"]);
    },
    async getStream(hash) {
      if (!HASH_FORM.test(hash)) return undefined;
      const row = await storage.read((connection) => rowOf(connection, hash));
      if (row === undefined) return undefined;
      if (row["bytes"] === null) {
        const file = await files.stream(hash);
        return file && verifiedBlob(hash, file);
      }
      const bytes = decompressBytes(row["bytes"] as Uint8Array, row["coding"]);
      return verifiedBlob(hash, { size_bytes: bytes.length, bytes: atOnce(bytes) });
    },
    async has(hashes) {
      const parameters = [JSON.stringify(hashes.filter((hash) => HASH_FORM.test(hash)))];
      const rows = await storage.read((connection) => connection.rows({ sql: HAS_SQL, parameters }));
      const found = rows.map(async ({ hash, in_file }) =>
        in_file === 0 || (await files.has(String(hash))) ? String(hash) : undefined,
      );
      return new Set((await Promise.all(found)).filter((hash) => hash !== undefined));
    },
    delete(hash, unless_put_since) {
      if (!HASH_FORM.test(hash)) return Promise.resolve(true);
      return locks.hold(hash, async () => {
        const { gone, large } = await storage.write((connection) => {
          const row = rowOf(connection, hash);
          const deleted = connection.run(DELETE_SQL, Buffer.from(hash, "hex"), unless_put_since.getTime());
          return {
            gone: row === undefined || deleted > 0,
            large: row !== undefined && row["bytes"] === null,
          };
        });
        if (gone && large) await files.remove(hash);
        return gone;
      });
    },
    sweep: files.clear,
  };
}

async function* atOnce(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function hashOf(bytes: Uint8Array): string {
  return hashAtOnce("sha256", bytes, "hex");
}

/** In slices, because a large blob would hold the event loop; Web Crypto, in a thread, would copy it first. */
async function hashInSlices(bytes: Uint8Array): Promise<string> {
  const hash = createHash("sha256");
  for (let at = 0; at < bytes.length; at += HASHED_AT_ONCE_BYTES) {
    if (at > 0) await setImmediate();
    hash.update(bytes.subarray(at, at + HASHED_AT_ONCE_BYTES));
  }
  return hash.digest("hex");
}
