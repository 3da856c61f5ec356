import type { Column, TableName } from "@letterslot/core";
import { createTableStatements, pendingMigrations, type Schema } from "@letterslot/sql";
import type { Connection } from "./connection.ts";

/** Narrow tables, looked up by their whole key: without a rowid they are one B-tree instead of two. */
const CLUSTERED = new Set<TableName>([
  "addresses",
  "allowlist",
  "blob_uses",
  "counters",
  "jobs",
  "message_references",
  "message_terms",
  "metric_counts",
  "slots",
  "update_threads",
]);

/** Columns that can be long come last, so that SQLite doesn't walk through them to read the others. */
const LONG = new Set([
  "text",
  "html",
  "extracted_text",
  "extracted_html",
  "response_excerpt",
  "sealed_headers",
]);

/** The adapter's own tables: blobs, and the full-text index. */
const OWN_TABLES = `
-- Small blobs are stored here; for larger ones the row only says that there is a file. put_at counts milliseconds since 1970.
create table "blobs" (
  "id" integer primary key,
  "hash" blob not null,
  "put_at" integer not null,
  "coding" text,
  "bytes" blob
) strict;

create unique index "blobs_hash" on "blobs" ("hash");

-- The message of each row in the search index. Row ids rise with message ids, so the index is in order of time.
create table "search_rows" (
  "id" integer primary key,
  "message_id" text not null
) strict;

create virtual table "search" using fts5(
  scope, subject, text, sender, recipients, attachments,
  content='', contentless_delete=1, detail=full, tokenize="ascii tokenchars '_'"
)`;

/** The schema of this version. A new column of core's tables needs a migration here, for older databases. */
export const SQLITE_SCHEMA: Schema = {
  first: "0001-first-tables",
  migrations: [
    {
      name: "0002-consumers-by-inbox",
      sql: 'create index "consumers_inbox_id" on "consumers" ("inbox_id") where "inbox_id" is not null',
    },
  ],
  create: () => [
    ...createTableStatements({
      types: { text: "text", integer: "integer", boolean: "integer", json: "text" },
      options: (table) => (CLUSTERED.has(table) ? "strict, without rowid" : "strict"),
      rank: rankOf,
    }),
    OWN_TABLES,
  ],
};

/**
 * Brings the schema up to date in one transaction; a second process that starts at the same time waits.
 * Throws when the database was made by a newer version.
 */
export function migrate(connection: Connection, schema = SQLITE_SCHEMA): void {
  connection.run("begin immediate");
  try {
    connection.script(
      'create table if not exists "migrations" ("version" integer primary key, "name" text not null) strict',
    );
    const row = connection.row('select coalesce(max("version"), 0) as "version" from "migrations"');
    const { statements, versions } = pendingMigrations(schema, Number(row?.["version"]));
    for (const sql of statements) connection.script(sql);
    for (const { version, name } of versions)
      connection.run('insert into "migrations" ("version", "name") values (?, ?)', version, name);
    connection.run("commit");
  } catch (error) {
    if (connection.inTransaction()) connection.run("rollback");
    throw error;
  }
}

function rankOf({ name, type }: Column): number {
  if (LONG.has(name)) return 2;
  return type === "json" ? 1 : 0;
}
