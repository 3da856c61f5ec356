import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { type Blobs, type Clock, fail, type Objects, systemClock } from "@letterslot/core/ports";
import {
  bufferStatement,
  type Combine,
  compressBytes,
  decompressBytes,
  MAX_COMPRESSIBLE_BYTES,
  readStart,
  type StoredBytes,
  verifiedBlob,
} from "@letterslot/sql";
import type { Answer, Statement } from "../connections/database.ts";
import { quoteName } from "../schema.ts";
import { columnsAs, unnestSql } from "../statements/record-columns.ts";
import { toPublicError } from "../storage/postgres-errors.ts";
import type { PostgresStorage } from "../storage/postgres-storage.ts";
import { createBlobObjects, OBJECT_CODING } from "./blob-objects.ts";
import { createBlobParts } from "./blob-parts.ts";

/** Blobs are read in chunks of this size. Larger ones are sent only if the database doesn't have them. */
const CHUNK_BYTES = 1024 * 1024;

/** The maximum number of cached hashes of recently staged blobs. */
const MAX_STAGED = 1_000;
/** The time limit and polling interval for a locked row. */
const LOCK_WAIT_MS = 1_000;
const LOCK_RETRY_MS = 10;

/** The parameter types of a blob's row. */
const PUT_TYPES = ["bytea", "bigint", "text", "bytea"] as const;

const HASH_FORM = /^[0-9a-f]{64}$/;

/** Dependencies of blobs in PostgreSQL. */
export interface PostgresBlobsOptions {
  storage: PostgresStorage;
  clock?: Clock;
  /**
   * The store for blobs beyond 64 KiB; without it everything is in the database. It stays needed to read what it holds.
   */
  objects?: Objects;
}

/** Blobs in a table beside the storage's, large ones as `objects` where given; equal bytes are stored once. */
export function createPostgresBlobs(options: PostgresBlobsOptions): Blobs {
  const { storage, clock = systemClock, objects } = options;
  const table = `${quoteName(storage.schema)}."blobs"`;
  const insertSql = (
    rows: string,
  ) => `insert into ${table} as "existing" ("hash", "put_at", "coding", "bytes") ${rows}
    on conflict ("hash") do update set "put_at" = greatest("existing"."put_at", excluded."put_at")`;
  const putSql = insertSql("values ($1, $2, $3, $4)");
  const putManySql = insertSql(`select * from ${unnestSql(PUT_TYPES)}`);
  const touchSql = `update ${table} set "put_at" = greatest("put_at", $2) where "hash" = $1`;
  const touchUnlockedSql = `update ${table} set "put_at" = greatest("put_at", $2)
    where "hash" = (select "hash" from ${table} where "hash" = $1 for update skip locked)`;
  const existsSql = `select 1 from ${table} where "hash" = $1`;
  const unlinked = `${quoteName(storage.schema)}."unlinked_objects"`;
  // With a concurrent put or delete this sees the row as it was before; the next collection deletes it.
  const deleteSql = `with "gone" as (
      delete from ${table} where "hash" = $1 and "put_at" < $2 returning "coding", "bytes"
    ), "doomed" as (
      insert into ${unlinked} ("name", "since", "doomed")
      select split_part(convert_from("bytes", 'UTF8'), ' ', 2), $3, true from "gone" where "coding" = '${OBJECT_CODING}'
      returning "name"
    )
    select exists (select from "gone") or not exists (select from ${table} where "hash" = $1) as "gone",
      (select "name" from "doomed") as "object"`;
  const hasSql = `select encode("hash", 'hex') as "hash" from ${table}
    where "hash" in (select decode("name", 'hex') from unnest($1::text[]) as "name")`;
  const getSql = `select "coding", octet_length("bytes")::integer as "size", substring("bytes" from 1 for $2) as "chunk" from ${table} where "hash" = $1`;
  const chunkSql = `select substring("bytes" from $3 for $2) as "chunk" from ${table} where "hash" = $1 and "coding" is null`;

  const run = async (statement: Statement): Promise<Answer> => {
    try {
      return await storage.database.run(statement);
    } catch (error) {
      throw toPublicError(error);
    }
  };

  const blobObjects = createBlobObjects({ run, table, unlinked, clock, objects });

  const putParameters = (digest: Buffer, { coding, bytes }: StoredBytes): unknown[] => [
    digest,
    clock.now().getTime(),
    coding,
    bytes,
  ];

  const touch = async (digest: Buffer): Promise<boolean> =>
    (await run({ sql: touchSql, parameters: [digest, clock.now().getTime()] })).count > 0;

  /** Like `touch`, but gives up on a locked row: the embedder's transaction may be waiting for us. */
  const touchUnlocked = async (digest: Buffer): Promise<boolean> => {
    const end = performance.now() + LOCK_WAIT_MS;
    for (;;) {
      if ((await run({ sql: touchUnlockedSql, parameters: [digest, clock.now().getTime()] })).count > 0)
        return true;
      const exists = (await run({ sql: existsSql, parameters: [digest] })).rows.length > 0;
      if (!exists || performance.now() > end) return false;
      await pause(LOCK_RETRY_MS);
    }
  };

  /** A large blob, chunk by chunk. */
  async function* chunksOf(key: Buffer, first: Uint8Array, size_bytes: number): AsyncGenerator<Uint8Array> {
    yield first;
    for (let start = CHUNK_BYTES; start < size_bytes; start += CHUNK_BYTES) {
      const [row] = (await run({ sql: chunkSql, parameters: [key, CHUNK_BYTES, start + 1] })).rows;
      if (row === undefined)
        throw fail("storage_unavailable", { cause: new Error("A blob was deleted while it was read.") });
      const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, size_bytes - start));
      copyChunk(row["chunk"], chunk, 0);
      yield chunk;
    }
  }

  const putMany: Combine = (rows) => ({ sql: putManySql, parameters: columnsAs(PUT_TYPES, rows) });

  const touches = new Map<string, Promise<boolean>>();
  /** Concurrent mails with the same bytes share one touch, so that they don't wait for each other. */
  const touchOnce = (hash: string, digest: Buffer): Promise<boolean> => {
    const touching = touches.get(hash) ?? touchUnlocked(digest).finally(() => touches.delete(hash));
    touches.set(hash, touching);
    return touching;
  };

  const staged = new Set<string>();
  const wasStaged = (hash: string): boolean => {
    if (staged.has(hash)) return true;
    if (staged.size >= MAX_STAGED) staged.clear();
    staged.add(hash);
    return false;
  };

  const parts = createBlobParts({ run, schema: quoteName(storage.schema), table, clock, touch });

  const largeBytes = objects === undefined ? CHUNK_BYTES : MAX_COMPRESSIBLE_BYTES;
  const put = async (bytes: Uint8Array): Promise<string> => {
    const copy = Buffer.from(bytes);
    const digest = digestOf(copy);
    const isLarge = copy.length > largeBytes;
    if (isLarge && (await touch(digest))) return digest.toString("hex");
    if (isLarge && objects !== undefined) await blobObjects.put(digest, copy);
    else await run({ sql: putSql, parameters: putParameters(digest, await compressBytes(copy)) });
    return digest.toString("hex");
  };

  return {
    put,
    async putStream(source, known) {
      if (known !== undefined && (await touch(Buffer.from(known.hash, "hex")))) return known;
      const { whole, pieces } = await readStart(source, largeBytes + 1);
      if (whole !== undefined) return { hash: await put(whole), size_bytes: whole.length };
      const counted = countBytes(pieces);
      if (objects !== undefined) await blobObjects.putStream(counted.pieces, counted.result);
      else await parts.putStream(counted.pieces, counted.result);
      const { digest, size_bytes } = counted.result();
      return { hash: digest.toString("hex"), size_bytes };
    },
    async stage(bytes) {
      if (bytes.length > largeBytes) return { hash: await put(bytes), put() {} };
      const digest = digestOf(bytes);
      const hash = digest.toString("hex");
      // Outside the transaction: transactions of mails with the same bytes would clash on the blob's row.
      if (wasStaged(hash) && (await touchOnce(hash, digest))) return { hash, put() {} };
      const stored = await compressBytes(bytes);
      return {
        hash,
        put: (tx) =>
          bufferStatement(tx, { sql: putSql, parameters: putParameters(digest, stored) }, hash, putMany),
      };
    },
    async get(hash) {
      if (!HASH_FORM.test(hash)) return undefined;
      const key = Buffer.from(hash, "hex");
      const [row] = (await run({ sql: getSql, parameters: [key, CHUNK_BYTES] })).rows;
      if (row === undefined) return undefined;
      if (row["coding"] === OBJECT_CODING) return blobObjects.get(key, hash);
      const bytes = Buffer.alloc(Number(row["size"]));
      copyChunk(row["chunk"], bytes, 0);
      for (let start = CHUNK_BYTES; start < bytes.length; start += CHUNK_BYTES) {
        const [chunk] = (await run({ sql: chunkSql, parameters: [key, CHUNK_BYTES, start + 1] })).rows;
        if (chunk === undefined) return undefined;
        copyChunk(chunk["chunk"], bytes, start);
      }
      return decompressBytes(bytes, row["coding"]);
    },
    async getStream(hash) {
      if (!HASH_FORM.test(hash)) return undefined;
      const key = Buffer.from(hash, "hex");
      const [row] = (await run({ sql: getSql, parameters: [key, CHUNK_BYTES] })).rows;
      if (row === undefined) return undefined;
      if (row["coding"] === OBJECT_CODING) return blobObjects.getStream(key, hash);
      const stored_bytes = Number(row["size"]);
      const first = Buffer.alloc(Math.min(CHUNK_BYTES, stored_bytes));
      copyChunk(row["chunk"], first, 0);
      // Only what fits into one chunk is compressed.
      const begin = decompressBytes(first, row["coding"]);
      const size_bytes = row["coding"] === null ? stored_bytes : begin.length;
      return verifiedBlob(hash, { size_bytes, bytes: chunksOf(key, begin, size_bytes) });
    },
    async has(hashes) {
      const names = hashes.filter((hash) => HASH_FORM.test(hash));
      const { rows } = await run({ sql: hasSql, parameters: [names] });
      return new Set(rows.map(({ hash }) => String(hash)));
    },
    async delete(hash, unless_put_since) {
      if (!HASH_FORM.test(hash)) return true;
      const parameters = [Buffer.from(hash, "hex"), unless_put_since.getTime(), clock.now().getTime()];
      const [row] = (await run({ sql: deleteSql, parameters })).rows;
      if (typeof row?.["object"] === "string") await blobObjects.remove(row["object"]);
      return row?.["gone"] === true;
    },
    async sweep() {
      await parts.sweep();
      if (objects !== undefined) await blobObjects.sweep();
    },
  };
}

/** The same pieces, and the hash and number of their bytes once all were read. */
function countBytes(source: AsyncIterable<Uint8Array>) {
  const counted = createHash("sha256");
  let size_bytes = 0;
  let digest: Buffer | undefined;
  async function* pieces() {
    for await (const piece of source) {
      counted.update(piece);
      size_bytes += piece.byteLength;
      yield piece;
    }
  }
  const result = () => {
    digest ??= counted.digest();
    return { digest, size_bytes };
  };
  return { pieces: pieces(), result };
}

function digestOf(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest();
}

/** Bytes arrive as `\x` and hex, or as a buffer from an embedder's parsers. */
function copyChunk(chunk: unknown, target: Buffer, start: number): void {
  if (typeof chunk === "string") target.write(chunk.slice(2), start, "hex");
  else target.set(chunk as Uint8Array, start);
}
