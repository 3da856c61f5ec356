import { createHash } from "node:crypto";
import { type Blobs, type Clock, systemClock } from "@letterslot/core";
import { gatherStatement, type KeptBytes, packBytes, unpackBytes } from "@letterslot/sql";
import { createBlobFiles } from "./blob-files.ts";
import type { Connection } from "./connection.ts";
import type { SqliteStorage } from "./sqlite-storage.ts";

/**
 * Smaller blobs lie in the database, packed, and share its commits; larger ones would only be copied twice.
 */
const SMALL_BYTES = 64 * 1024;

/** A row for bytes that lie in a file. */
const inFile = { coding: null, bytes: null };

const hashForm = /^[0-9a-f]{64}$/;

const putSql = `insert into "blobs" ("hash", "put_at", "coding", "bytes") values (?, ?, ?, ?)
  on conflict ("hash") do update set "put_at" = max("put_at", excluded."put_at")`;
const touchSql = `update "blobs" set "put_at" = max("put_at", ?) where "hash" = ?`;
const deleteSql = `delete from "blobs" where "hash" = ? and "put_at" < ?`;
const getSql = `select "coding", "bytes" from "blobs" where "hash" = ?`;

/**
 * Blobs beside a storage: small ones in its file, larger ones as files of their own in `folder`. One process
 * at a time.
 */
export function createSqliteBlobs(options: { storage: SqliteStorage; folder: string; clock?: Clock }): Blobs {
  const { storage, folder, clock = systemClock } = options;
  const files = createBlobFiles(folder);
  const stored = (connection: Connection, hash: string) => connection.row(getSql, Buffer.from(hash, "hex"));

  const rowOf = (hash: string, { coding, bytes }: KeptBytes | typeof inFile): unknown[] => [
    Buffer.from(hash, "hex"),
    clock.now().getTime(),
    coding,
    bytes,
  ];
  const putRow = (hash: string, kept: KeptBytes | typeof inFile) =>
    storage.write((connection) => connection.run(putSql, ...rowOf(hash, kept)));

  const touchKnown = async (hash: string): Promise<boolean> => {
    const known = await storage.read((connection) => stored(connection, hash));
    if (known === undefined) return false;
    const now = clock.now().getTime();
    return (await storage.write((connection) => connection.run(touchSql, now, Buffer.from(hash, "hex")))) > 0;
  };

  const putLarge = (hash: string, bytes: Uint8Array) =>
    files.alone(hash, async () => {
      if ((await touchKnown(hash)) && (await files.has(hash))) return;
      await files.write(hash, bytes);
      await putRow(hash, inFile);
    });

  const put = async (bytes: Uint8Array): Promise<string> => {
    const copy = Buffer.from(bytes);
    const hash = hashOf(copy);
    await (copy.length < SMALL_BYTES ? putRow(hash, await packBytes(copy)) : putLarge(hash, copy));
    return hash;
  };

  return {
    put,
    async stage(bytes) {
      if (bytes.length >= SMALL_BYTES) return { hash: await put(bytes), put() {} };
      const hash = hashOf(bytes);
      const kept = await packBytes(bytes);
      return { hash, put: (tx) => gatherStatement(tx, { sql: putSql, parameters: rowOf(hash, kept) }, hash) };
    },
    async get(hash) {
      if (!hashForm.test(hash)) return undefined;
      const row = await storage.read((connection) => stored(connection, hash));
      if (row === undefined) return undefined;
      if (row["bytes"] === null) return files.read(hash);
      return unpackBytes(row["bytes"] as Uint8Array, row["coding"]);
    },
    delete(hash, unless_put_since) {
      if (!hashForm.test(hash)) return Promise.resolve(true);
      return files.alone(hash, async () => {
        const { gone, large } = await storage.write((connection) => {
          const row = stored(connection, hash);
          const deleted = connection.run(deleteSql, Buffer.from(hash, "hex"), unless_put_since.getTime());
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
