import { createHash } from "node:crypto";
import { type Blobs, type Clock, systemClock } from "@letterslot/core";
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

  const putSmall = (hash: string, bytes: Uint8Array) =>
    storage.write((connection) => connection.run(putSql, Buffer.from(hash, "hex"), clock.now().getTime(), bytes));

  const putLarge = (hash: string, bytes: Uint8Array) =>
    files.alone(hash, async () => {
      const key = Buffer.from(hash, "hex");
      const known = await storage.write((connection) => connection.run(touchSql, clock.now().getTime(), key));
      if (known > 0 && (await files.has(hash))) return;
      await files.write(hash, bytes);
      await storage.write((connection) => connection.run(putSql, key, clock.now().getTime(), null));
    });

  return {
    async put(bytes) {
      const copy = Buffer.from(bytes);
      const hash = createHash("sha256").update(copy).digest("hex");
      await (copy.length < SMALL_BYTES ? putSmall(hash, copy) : putLarge(hash, copy));
      return hash;
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
