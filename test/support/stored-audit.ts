import { createHash } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
  createPostgresBlobs,
  createPostgresStorage,
  type PostgresStorage,
} from "../../packages/adapter-postgres/src/index.ts";
import { createSqliteBlobs, createSqliteStorage } from "../../packages/adapter-sqlite/src/index.ts";
import { scanTable } from "../../packages/core/src/account/transfer/scan.ts";
import type { RecordOf, TableName } from "../../packages/core/src/model/tables.ts";
import type { Blobs } from "../../packages/core/src/ports/blobs.ts";
import type { Storage } from "../../packages/core/src/ports/storage.ts";

/** The problems with stored data, one line each. */
export interface StoredAudit {
  lost: string[];
  doubled: string[];
  torn: string[];
}

/**
 * Opens a server's folder as its next start would, and looks for everything `acknowledged`: mail from a
 * verified owner by Message-ID, outbound mail by id. Everything stored must be there once and complete.
 */
export async function auditFolder(data_dir: string, acknowledged: readonly string[]): Promise<StoredAudit> {
  mkdirSync(data_dir, { recursive: true });
  const storage = createSqliteStorage({ path: join(data_dir, "letterslot.db") });
  try {
    const found = await auditStored(
      storage,
      createSqliteBlobs({ storage, folder: join(data_dir, "blobs") }),
      acknowledged,
    );
    return { ...found, torn: [...found.torn, ...findDamage(data_dir)] };
  } finally {
    await storage.close();
  }
}

/** The same for a PostgreSQL database. */
export async function auditDatabase(url: string, acknowledged: readonly string[]): Promise<StoredAudit> {
  const storage = await createPostgresStorage({ connectionString: url });
  try {
    const found = await auditStored(storage, createPostgresBlobs({ storage }), acknowledged);
    return { ...found, torn: [...found.torn, ...(await findDatabaseDamage(storage))] };
  } finally {
    await storage.close();
  }
}

/** Lists the damage that PostgreSQL finds in its tables and indexes. */
export async function findDatabaseDamage({ database }: PostgresStorage): Promise<string[]> {
  const queryRows = async (sql: string) =>
    (await database.run({ sql, parameters: [] })).rows as Record<string, string>[];
  await queryRows("create extension if not exists amcheck");
  const checks = `select c.oid::regclass::text as name, case am.amname
      when 'heap' then format('select msg from verify_heapam(%s)', c.oid)
      when 'btree' then format('select bt_index_check(%s, true)::text as msg', c.oid)
      else format('select gin_index_check(%s)::text as msg', c.oid) end as check
    from pg_class c join pg_am am on am.oid = c.relam where am.amname in ('heap', 'btree', 'gin') and c.relkind in ('r', 't', 'i')`;
  const lines: string[] = [];
  for (const { name, check = "" } of await queryRows(checks)) {
    const found = await queryRows(check).catch((error: Error) => [{ msg: error.message }]);
    lines.push(...found.filter(({ msg }) => msg !== "").map(({ msg }) => `${name}: ${msg}`));
  }
  return lines;
}

/** Lists the damage that SQLite finds in a server's database, if there is one. */
export function findDamage(data_dir: string): string[] {
  const path = join(data_dir, "letterslot.db");
  if (!existsSync(path)) return [];
  const database = new DatabaseSync(path);
  try {
    const lines = database.prepare("PRAGMA integrity_check").all() as { integrity_check: string }[];
    return lines.map(({ integrity_check }) => integrity_check).filter((line) => line !== "ok");
  } finally {
    database.close();
  }
}

async function auditStored(
  storage: Storage,
  blobs: Blobs,
  acknowledged: readonly string[],
): Promise<StoredAudit> {
  const messages = await all(storage, "messages");
  const [tasks, events, accounts] = [
    await all(storage, "tasks"),
    await all(storage, "events"),
    await all(storage, "accounts"),
  ];
  const bodies = new Set((await all(storage, "message_bodies")).map(({ message_id }) => message_id));
  const byName = Map.groupBy(messages, ({ id, direction, message_id }) =>
    direction === "inbound" ? message_id : id,
  );
  const lost = acknowledged.filter((name) => !byName.has(name));
  const doubled = [...byName].filter(([, same]) => same.length > 1).map(([name]) => String(name));
  const torn: string[] = [];

  for (const { id, direction, raw_hash, attachments } of messages) {
    if (!bodies.has(id)) torn.push(`body of ${id}`);
    for (const hash of [
      ...(raw_hash === null ? [] : [raw_hash]),
      ...attachments.map((attachment) => attachment.hash),
    ])
      if (!(await isWhole(blobs, hash))) torn.push(`blob ${hash} of ${id}`);
    const made = tasks.filter(({ message_id }) => message_id === id).length;
    if (direction === "inbound" && made !== 1) torn.push(`${made} tasks of ${id}`);
  }
  const drafts = await all(storage, "drafts");
  for (const { id, event_sequence, storage_bytes } of accounts) {
    const own = <R extends { account_id: string }>(records: R[]) =>
      records.filter(({ account_id }) => account_id === id);
    const files = own(drafts).flatMap(({ attachments }) => attachments);
    const bytes = [...own(messages), ...files].reduce((sum, { size_bytes }) => sum + size_bytes, 0);
    if (bytes !== storage_bytes) torn.push(`${bytes} bytes stored of ${storage_bytes} counted`);
    const sequences = events.filter(({ account_id }) => account_id === id).map(({ sequence }) => sequence);
    if (sequences.toSorted((a, b) => a - b).some((sequence, index) => sequence !== index + 1))
      torn.push(`events of ${id}`);
    if (sequences.length !== event_sequence) torn.push(`${sequences.length} events of ${event_sequence}`);
  }
  return { lost, doubled, torn };
}

async function isWhole(blobs: Blobs, hash: string): Promise<boolean> {
  const bytes = await blobs.get(hash);
  return bytes !== undefined && createHash("sha256").update(bytes).digest("hex") === hash;
}

async function all<N extends TableName>(storage: Storage, table: N): Promise<RecordOf<N>[]> {
  const records: RecordOf<N>[] = [];
  for await (const batch of scanTable(storage, table)) records.push(...(batch as RecordOf<N>[]));
  return records;
}
