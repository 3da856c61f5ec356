import type { DatabaseSync } from "node:sqlite";
import { createTableStatements, pendingMigrations, type Schema } from "@letterslot/sql";
import { SEARCH_TABLE } from "./search-index.ts";

/**
 * The schema. Once it is released, each new column of core's tables needs a migration here:
 * `{ name: "0002-inbox-color", sql: 'alter table "inboxes" add column "color" text' }`.
 */
const SCHEMA: Schema = {
  first: "0001-first-tables",
  migrations: [],
  create: () => [
    ...createTableStatements({
      types: { text: "text", integer: "integer", boolean: "integer", json: "text" },
      options: () => "strict",
    }),
    SEARCH_TABLE,
  ],
};

/** Brings the database up to date in one transaction; throws when a newer version has migrated it. */
export function migrate(database: DatabaseSync): void {
  database.exec("begin immediate");
  try {
    database.exec('create table if not exists "migrations" ("version" integer primary key, "name" text)');
    const row = database.prepare('select coalesce(max("version"), 0) as "version" from "migrations"').get();
    const { statements, versions } = pendingMigrations(SCHEMA, Number(row?.["version"]));
    for (const sql of statements) database.exec(sql);
    for (const { version, name } of versions)
      database.prepare('insert into "migrations" values (?, ?)').run(version, name);
    database.exec("commit");
  } catch (error) {
    database.exec("rollback");
    throw error;
  }
}
