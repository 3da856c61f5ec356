import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { type Blobs, type Clock, systemClock } from "@letterslot/core";
import { gatherStatement, type KeptBytes, packBytes, unpackBytes } from "@letterslot/sql";
import type { Answer, Statement } from "./database.ts";
import { identifier } from "./identifier.ts";
import type { PostgresStorage } from "./postgres-storage.ts";
import { outwardError } from "./postgres-trouble.ts";

/**
 * Up to this size bytes are sent without asking first whether they are there; reading brings so many in one
 * piece.
 */
const PIECE_BYTES = 1024 * 1024;

/** How many of the bytes that were staged last are remembered by their hash. */
const REMEMBERED = 1_000;
/** How long a row is waited for that somebody else is changing, and how often it is looked at. */
const LOCKED_MS = 1_000;
const LOCK_RETRY_MS = 10;

const hashForm = /^[0-9a-f]{64}$/;

/** Blobs in a table beside the storage's, stored once by their hash. */
export function createPostgresBlobs(options: { storage: PostgresStorage; clock?: Clock }): Blobs {
  const { storage, clock = systemClock } = options;
  const table = `${identifier(storage.schema)}."blobs"`;
  const putSql = `insert into ${table} as "known" ("hash", "put_at", "coding", "bytes") values ($1, $2, $3, $4)
    on conflict ("hash") do update set "put_at" = greatest("known"."put_at", excluded."put_at")`;
  const touchSql = `update ${table} set "put_at" = greatest("put_at", $2) where "hash" = $1`;
  const touchFreeSql = `update ${table} set "put_at" = greatest("put_at", $2)
    where "hash" = (select "hash" from ${table} where "hash" = $1 for update skip locked)`;
  const knownSql = `select 1 from ${table} where "hash" = $1`;
  // Another one's delete or put may come in between: then the row is seen as it was, and stays for a later
  // time.
  const deleteSql = `with "gone" as (delete from ${table} where "hash" = $1 and "put_at" < $2 returning 1)
    select exists (select from "gone") or not exists (select from ${table} where "hash" = $1) as "gone"`;
  const getSql = `select "coding", octet_length("bytes")::integer as "size", substring("bytes" from 1 for $2) as "piece" from ${table} where "hash" = $1`;
  const pieceSql = `select substring("bytes" from $3 for $2) as "piece" from ${table} where "hash" = $1`;

  const run = async (statement: Statement): Promise<Answer> => {
    try {
      return await storage.database.run(statement);
    } catch (error) {
      throw outwardError(error);
    }
  };

  const rowOf = (digest: Buffer, { coding, bytes }: KeptBytes): unknown[] => [
    digest,
    clock.now().getTime(),
    coding,
    bytes,
  ];

  const touch = async (digest: Buffer): Promise<boolean> =>
    (await run({ sql: touchSql, parameters: [digest, clock.now().getTime()] })).count > 0;

  /**
   * As `touch`, but a row that stays locked is left alone: it may be the embedder's own transaction that has
   * it, and waits for us.
   */
  const touchFree = async (digest: Buffer): Promise<boolean> => {
    const end = performance.now() + LOCKED_MS;
    for (;;) {
      if ((await run({ sql: touchFreeSql, parameters: [digest, clock.now().getTime()] })).count > 0)
        return true;
      const known = (await run({ sql: knownSql, parameters: [digest] })).rows.length > 0;
      if (!known || performance.now() > end) return false;
      await pause(LOCK_RETRY_MS);
    }
  };

  const touches = new Map<string, Promise<boolean>>();
  /** Mails that bring the same bytes at once share it, rather than to wait for each other. */
  const touchTogether = (hash: string, digest: Buffer): Promise<boolean> => {
    const touching = touches.get(hash) ?? touchFree(digest).finally(() => touches.delete(hash));
    touches.set(hash, touching);
    return touching;
  };

  const staged = new Set<string>();
  const wasStaged = (hash: string): boolean => {
    if (staged.has(hash)) return true;
    if (staged.size >= REMEMBERED) staged.clear();
    staged.add(hash);
    return false;
  };

  const put = async (bytes: Uint8Array): Promise<string> => {
    const copy = Buffer.from(bytes);
    const digest = digestOf(copy);
    const known = copy.length > PIECE_BYTES && (await touch(digest));
    if (!known) await run({ sql: putSql, parameters: rowOf(digest, await packBytes(copy)) });
    return digest.toString("hex");
  };

  return {
    put,
    async stage(bytes) {
      if (bytes.length > PIECE_BYTES) return { hash: await put(bytes), put() {} };
      const digest = digestOf(bytes);
      const hash = digest.toString("hex");
      // Transactions of mails that bring the same bytes would all change their row, and so clash.
      if (wasStaged(hash) && (await touchTogether(hash, digest))) return { hash, put() {} };
      const kept = await packBytes(bytes);
      return {
        hash,
        put: (tx) => gatherStatement(tx, { sql: putSql, parameters: rowOf(digest, kept) }, hash),
      };
    },
    async get(hash) {
      if (!hashForm.test(hash)) return undefined;
      const key = Buffer.from(hash, "hex");
      const [row] = (await run({ sql: getSql, parameters: [key, PIECE_BYTES] })).rows;
      if (row === undefined) return undefined;
      const bytes = Buffer.alloc(Number(row["size"]));
      copyPiece(row["piece"], bytes, 0);
      for (let start = PIECE_BYTES; start < bytes.length; start += PIECE_BYTES) {
        const [piece] = (await run({ sql: pieceSql, parameters: [key, PIECE_BYTES, start + 1] })).rows;
        if (piece === undefined) return undefined;
        copyPiece(piece["piece"], bytes, start);
      }
      return unpackBytes(bytes, row["coding"]);
    },
    async delete(hash, unless_put_since) {
      if (!hashForm.test(hash)) return true;
      const parameters = [Buffer.from(hash, "hex"), unless_put_since.getTime()];
      return (await run({ sql: deleteSql, parameters })).rows[0]?.["gone"] === true;
    },
  };
}

function digestOf(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest();
}

/** Bytes come as `\x` and hex, or as a buffer where an embedder's parsers are at work. */
function copyPiece(piece: unknown, target: Buffer, start: number): void {
  if (typeof piece === "string") target.write(piece.slice(2), start, "hex");
  else target.set(piece as Uint8Array, start);
}
