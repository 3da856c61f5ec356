import { randomUUID } from "node:crypto";
import { type Clock, fail } from "@letterslot/core/ports";
import type { Answer, Statement } from "../connections/database.ts";

/** Bytes of one part: as much as is in memory of a blob that is being received. */
const PART_BYTES = 1024 * 1024;
/** After so long a blob is received or given up. */
const LEFT_MS = 3600_000;

interface BlobParts {
  /** Stores bytes as they come; `result` is asked for their hash once they are stored. */
  putStream(pieces: AsyncIterable<Uint8Array>, result: () => { digest: Buffer }): Promise<void>;
  /** Deletes the parts that processes left which have died. */
  sweep(): Promise<void>;
}

/**
 * Receives large blobs in parts, of which the database makes one row when all are there. The parts are in a table that
 * isn't logged: a crash of the database empties it, and what was being received then fails and is sent again.
 */
export function createBlobParts(options: {
  run(statement: Statement): Promise<Answer>;
  /** The quoted name of the schema. */
  schema: string;
  table: string;
  clock: Clock;
  /** Whether the database has these bytes already; it then keeps them as if they had been put now. */
  touch(digest: Buffer): Promise<boolean>;
}): BlobParts {
  const { run, schema, table, clock, touch } = options;
  const parts = `${schema}."blob_parts"`;
  const addSql = `insert into ${parts} ("blob", "number", "since", "bytes") values ($1, $2, $3, $4)`;
  const joinSql = `insert into ${table} as "existing" ("hash", "put_at", "coding", "bytes")
    select $1, $2, null, string_agg("bytes", ''::bytea order by "number") from ${parts} where "blob" = $3
    having count(*) = $4
    on conflict ("hash") do update set "put_at" = greatest("existing"."put_at", excluded."put_at")`;
  const dropSql = `delete from ${parts} where "blob" = $1`;
  const sweepSql = `delete from ${parts} where "since" <= $1`;

  return {
    async putStream(pieces, result) {
      const blob = randomUUID();
      try {
        let number = 0;
        for await (const bytes of inParts(pieces)) {
          await run({ sql: addSql, parameters: [blob, number, clock.now().getTime(), bytes] });
          number += 1;
        }
        const { digest } = result();
        if (await touch(digest)) return;
        const joined = await run({ sql: joinSql, parameters: [digest, clock.now().getTime(), blob, number] });
        if (joined.count === 0)
          throw fail("storage_unavailable", { cause: new Error("Parts of a blob were lost.") });
      } finally {
        // The sweep deletes them if this fails.
        await run({ sql: dropSql, parameters: [blob] }).catch(() => undefined);
      }
    },
    async sweep() {
      await run({ sql: sweepSql, parameters: [clock.now().getTime() - LEFT_MS] });
    },
  };
}

async function* inParts(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    held.push(piece);
    size += piece.byteLength;
    if (size < PART_BYTES) continue;
    yield Buffer.concat(held);
    [held, size] = [[], 0];
  }
  if (size > 0) yield Buffer.concat(held);
}
