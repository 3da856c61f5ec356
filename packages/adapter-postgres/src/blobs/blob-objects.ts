import { randomUUID } from "node:crypto";
import {
  type Clock,
  fail,
  type ObjectIdentity,
  type Objects,
  type StreamedBlob,
} from "@letterslot/core/ports";
import type { Answer, Statement } from "../connections/database.ts";

/** The coding of a blob whose bytes are in an object: its row has the object's size and name. */
export const OBJECT_CODING = "object";

/** After so long an upload has ended, one way or the other, and a deletion that failed is tried again. */
const UNLINKED_MS = 3600_000;
/** The maximum number of objects that one sweep deletes. */
const SWEPT_OBJECTS = 100;

interface BlobObjects {
  put(digest: Buffer, bytes: Buffer): Promise<void>;
  /** Stores bytes as they come; `digest` is asked for their hash, and how many they were, once they are stored. */
  putStream(
    pieces: AsyncIterable<Uint8Array>,
    digest: () => { digest: Buffer; size_bytes: number },
  ): Promise<void>;
  /** The bytes of the object that the blob's row names; undefined if the row is gone. */
  get(digest: Buffer, hash: string): Promise<Uint8Array | undefined>;
  /** The same bytes as they are read. */
  getStream(digest: Buffer, hash: string): Promise<StreamedBlob | undefined>;
  /** Deletes an object that is doomed. */
  remove(name: string): Promise<void>;
  sweep(): Promise<void>;
}

/**
 * Stores blobs as objects outside the database. A name is used for one upload only, so that deleting a blob never
 * affects a later upload. Objects that no blob names, yet or any more, are in `unlinked`, from where the sweep removes
 * the remains of interrupted work.
 */
export function createBlobObjects(options: {
  run(statement: Statement): Promise<Answer>;
  table: string;
  unlinked: string;
  clock: Clock;
  objects: Objects | undefined;
}): BlobObjects {
  const { run, table, unlinked, clock } = options;
  const beginSql = `insert into ${unlinked} ("name", "since", "doomed") values ($1, $2, false)`;
  // An upload that was swept meanwhile is linked to nothing; where another one was sooner, its object stays.
  const linkSql = `with "upload" as (
      select from ${unlinked} where "name" = $4 and not "doomed" for update
    ), "stored" as (
      insert into ${table} as "existing" ("hash", "put_at", "coding", "bytes")
      select $1, $2, '${OBJECT_CODING}', convert_to($3 || ' ' || $4, 'UTF8') from "upload"
      on conflict ("hash") do update set "put_at" = greatest("existing"."put_at", excluded."put_at")
      returning "bytes" = convert_to($3 || ' ' || $4, 'UTF8') as "ours"
    ), "linked" as (
      delete from ${unlinked} where "name" = $4 and exists (select from "stored" where "ours")
    )
    select "ours" from "stored"`;
  const nameSql = `select convert_from("bytes", 'UTF8') as "object" from ${table} where "hash" = $1 and "coding" = '${OBJECT_CODING}'`;
  const forgetSql = `delete from ${unlinked} where "name" = $1`;
  // Taken for a while: other processes sweep too, and an upload that is only slow must not be linked any more.
  const doomSql = `update ${unlinked} set "doomed" = true, "since" = $1 where "name" in (
      select "name" from ${unlinked} where "since" <= $2 order by "since" limit ${SWEPT_OBJECTS} for update skip locked
    ) returning "name"`;

  const store = (): Objects => {
    if (options.objects !== undefined) return options.objects;
    const cause = new Error("The blob is in an object store, and none is configured.");
    throw fail("storage_unavailable", { cause });
  };
  const deleteObject = async (name: string) => {
    await store().delete(name);
    await run({ sql: forgetSql, parameters: [name] });
  };
  const objectOf = async (digest: Buffer): Promise<string | undefined> => {
    const [row] = (await run({ sql: nameSql, parameters: [digest] })).rows;
    return row && String(row["object"]);
  };
  /** The sweep deletes it if this fails. */
  const remove = (name: string) => deleteObject(name).catch(() => undefined);

  const begin = (name: string) => run({ sql: beginSql, parameters: [name, clock.now().getTime()] });
  const link = async (name: string, digest: Buffer, size_bytes: number) => {
    const parameters = [digest, clock.now().getTime(), String(size_bytes), name];
    const [stored] = (await run({ sql: linkSql, parameters })).rows;
    if (stored === undefined)
      throw fail("storage_unavailable", { cause: new Error("The upload of a blob took too long.") });
    if (stored["ours"] !== true) await remove(name);
  };

  /** What is read of a blob's object; undefined if the row is gone. */
  const found = async <T>(
    digest: Buffer,
    sha256: string,
    read: (object: ObjectIdentity) => Promise<T | undefined>,
  ): Promise<T | undefined> => {
    let missing: string | undefined;
    for (;;) {
      const object = await objectOf(digest);
      if (object === undefined) return undefined;
      if (object === missing)
        throw fail("storage_unavailable", { cause: new Error(`The object ${object} of a blob is missing.`) });
      const [size = "", name = ""] = object.split(" ");
      const content = await read({ name, sha256, size_bytes: Number(size) });
      if (content !== undefined) return content;
      // Deleted since its name was read, perhaps put again under another.
      missing = object;
    }
  };

  return {
    async put(digest, bytes) {
      const sha256 = digest.toString("hex");
      const name = `${sha256.slice(0, 2)}/${sha256}-${randomUUID()}`;
      await begin(name);
      await store().put({ name, sha256, size_bytes: bytes.length }, bytes);
      await link(name, digest, bytes.length);
    },
    async putStream(pieces, digestOf) {
      const id = randomUUID();
      const name = `${id.slice(0, 2)}/${id}`;
      await begin(name);
      try {
        await store().putStream(name, pieces);
      } catch (error) {
        await remove(name);
        throw error;
      }
      const { digest, size_bytes } = digestOf();
      await link(name, digest, size_bytes);
    },
    get: (digest, hash) => found(digest, hash, (object) => store().get(object)),
    getStream: (digest, hash) =>
      found(digest, hash, async (object) => {
        const bytes = await store().getStream(object);
        return bytes && { size_bytes: object.size_bytes, bytes };
      }),
    remove,
    async sweep() {
      const now = clock.now().getTime();
      const { rows } = await run({ sql: doomSql, parameters: [now, now - UNLINKED_MS] });
      for (const { name } of rows) await deleteObject(String(name));
    },
  };
}
