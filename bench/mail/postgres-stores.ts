import { hash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { POSTGRES_SCHEMA } from "../../packages/adapter-postgres/src/schema.ts";
import { nativePostgres } from "../../test/support/postgres-programs.ts";
import { startSeparatePostgres } from "../../test/support/postgres-server.ts";
import { databaseUrl, startDurablePostgres, withClient } from "../measure/postgres-database.ts";
import { buildPostgresStore, CACHE_FOLDER, type StoreAccount } from "./store.ts";

/** Stored mail in a database of PostgreSQL. */
export interface PostgresStore extends StoreAccount {
  mails: number;
  /** The database, on the server that `openPostgresStores` started. */
  name: string;
}

/** A durable server with stores, and its first process. */
export interface PostgresStores {
  url: string;
  pid: number;
  stores: PostgresStore[];
}

/** As root, PostgreSQL runs as another user, who can't enter root's home. */
const CACHE = process.getuid?.() === 0 ? "/var/tmp/letterslot-bench" : CACHE_FOLDER;
/** Part of the folder's name: with another schema, or another PostgreSQL, stores are rebuilt. */
const VERSION = hash("sha256", JSON.stringify([POSTGRES_SCHEMA.create(), nativePostgres()])).slice(0, 8);

/**
 * Starts a durable PostgreSQL that has a store of each size. They are built once, without waiting for the disk, and
 * kept between runs; after an interruption they are built again.
 */
export async function openPostgresStores(
  sizes: readonly number[],
  { seed, log }: { seed: number; log: (line: string) => void },
  cleanups: { push(end: () => unknown): void },
): Promise<PostgresStores> {
  const folder = join(CACHE, `postgres-${VERSION}-${seed}`);
  const data = join(folder, "data");
  const noteOf = (mails: number) => join(folder, `store-${mails}.json`);
  mkdirSync(folder, { recursive: true });
  const missing = sizes.filter((mails) => !existsSync(noteOf(mails)));
  if (missing.length > 0) {
    const builder = await startSeparatePostgres({ data });
    try {
      for (const mails of missing) {
        const name = databaseOf(mails);
        await withClient(builder.url, async (client) => {
          await client.query(`drop database if exists ${name} with (force)`);
          await client.query(`create database ${name}`);
        });
        const account = await buildPostgresStore(databaseUrl(builder.url, name), mails, { seed, log });
        await withClient(databaseUrl(builder.url, name), (client) => client.query("vacuum analyze"));
        writeFileSync(noteOf(mails), JSON.stringify(account));
      }
    } finally {
      await builder.end();
    }
  }
  const server = await startDurablePostgres(data);
  cleanups.push(server.end);
  return {
    url: server.url,
    pid: Number.parseInt(readFileSync(join(data, "postmaster.pid"), "utf8"), 10),
    stores: sizes.map((mails) => {
      const account = JSON.parse(readFileSync(noteOf(mails), "utf8")) as StoreAccount;
      return { ...account, mails, name: databaseOf(mails) };
    }),
  };
}

const databaseOf = (mails: number): string => `store_${mails}`;
