import { createHash } from "node:crypto";
import { type Blobs, type Clock, systemClock } from "@letterslot/core";
import {
  bufferStatement,
  compressBytes,
  createRecordLocks,
  decompressBytes,
  type StoredBytes,
} from "@letterslot/sql";
import { createBlobFiles } from "./blob-files.ts";
import type { Connection } from "./connection.ts";
import type { SqliteStorage } from "./sqlite-storage.ts";

/** Smaller blobs lie in the database and share its commits; larger ones would be copied twice. */
const SMALL_BYTES = 64 * 1024;

/** The row of a blob whose bytes lie in a file. */
const IN_FILE = { coding: null, bytes: null };

const HASH_FORM = /^[0-9a-f]{64}$/;

const PUT_SQL = `insert into "blobs" ("hash", "put_at", "coding", "bytes") values (?, ?, ?, ?)
  on conflict ("hash") do update set "put_at" = max("put_at", excluded."put_at")`;
const TOUCH_SQL = `update "blobs" set "put_at" = max("put_at", ?) where "hash" = ?`;
const DELETE_SQL = `delete from "blobs" where "hash" = ? and "put_at" < ?`;
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

  const putLarge = (hash: string, bytes: Uint8Array) =>
    locks.hold(hash, async () => {
      if ((await touchExisting(hash)) && (await files.has(hash))) return;
      await files.write(hash, bytes);
      await putRow(hash, IN_FILE);
    });

  const put = async (bytes: Uint8Array): Promise<string> => {
    const copy = Buffer.from(bytes);
    const hash = copy.length < SMALL_BYTES ? hashOf(copy) : await hashInThread(copy);
    await (copy.length < SMALL_BYTES ? putRow(hash, await compressBytes(copy)) : putLarge(hash, copy));
    return hash;
  };

  return {
    put,
    async stage(bytes) {
      if (bytes.length >= SMALL_BYTES) return { hash: await put(bytes), put() {} };
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
  };
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Hashing a large blob here would hold the event loop. */
async function hashInThread(bytes: Buffer<ArrayBuffer>): Promise<string> {
  return Buffer.from(await crypto.subtle.digest("SHA-256", bytes)).toString("hex");
}
