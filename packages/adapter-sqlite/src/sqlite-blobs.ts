import { createHash } from "node:crypto";
import { type Blobs, type Clock, systemClock } from "@letterslot/core";
import { gatherStatement } from "@letterslot/sql";
import { createBlobFiles } from "./blob-files.ts";
import type { Connection } from "./connection.ts";
import type { SqliteStorage } from "./sqlite-storage.ts";

/** Smaller blobs lie in the database and share its commits; larger ones would only be copied twice. */
const SMALL_BYTES = 64 * 1024;

const hashForm = /^[0-9a-f]{64}$/;

const putSql = `insert into "blobs" ("hash", "put_at", "bytes") values (?, ?, ?)
  on conflict ("hash") do update set "put_at" = max("put_at", excluded."put_at")`;
const touchSql = `update "blobs" set "put_at" = max("put_at", ?) where "hash" = ?`;
const deleteSql = `delete from "blobs" where "hash" = ? and "put_at" < ?`;
const getSql = `select "bytes" from "blobs" where "hash" = ?`;

/** Blobs beside a storage: small ones in its file, larger ones as files of their own in `folder`. One process at a time. */
export function createSqliteBlobs(options: { storage: SqliteStorage; folder: string; clock?: Clock }): Blobs {
  const { storage, folder, clock = systemClock } = options;
  const files = createBlobFiles(folder);
  const stored = (connection: Connection, hash: string) => connection.row(getSql, Buffer.from(hash, "hex"));

  const rowOf = (hash: string, bytes: Uint8Array | null): unknown[] => [Buffer.from(hash, "hex"), clock.now().getTime(), bytes];
  const putRow = (hash: string, bytes: Uint8Array | null) =>
    storage.write((connection) => connection.run(putSql, ...rowOf(hash, bytes)));

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
      await putRow(hash, null);
    });

  const put = async (bytes: Uint8Array): Promise<string> => {
    const copy = Buffer.from(bytes);
    const hash = hashOf(copy);
    await (copy.length < SMALL_BYTES ? putRow(hash, copy) : putLarge(hash, copy));
    return hash;
  };

  return {
    put,
    async stage(bytes) {
      if (bytes.length >= SMALL_BYTES) return { hash: await put(bytes), put() {} };
      const hash = hashOf(bytes);
      return { hash, put: (tx) => gatherStatement(tx, { sql: putSql, parameters: rowOf(hash, bytes) }, hash) };
    },
    async get(hash) {
      if (!hashForm.test(hash)) return undefined;
      const row = await storage.read((connection) => stored(connection, hash));
      if (row === undefined) return undefined;
      if (row["bytes"] !== null) return row["bytes"] as Uint8Array;
      return files.read(hash);
    },
    delete(hash, unless_put_since) {
      if (!hashForm.test(hash)) return Promise.resolve(true);
      return files.alone(hash, async () => {
        const { gone, large } = await storage.write((connection) => {
          const row = stored(connection, hash);
          const deleted = connection.run(deleteSql, Buffer.from(hash, "hex"), unless_put_since.getTime());
          return { gone: row === undefined || deleted > 0, large: row !== undefined && row["bytes"] === null };
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
