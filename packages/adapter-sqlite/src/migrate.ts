import type { Connection } from "./connection.ts";
import { migrations } from "./migrations.ts";

/**
 * Brings the schema up to this version, in one transaction; of two processes that start at once one waits for
 * the other. Throws when the database was made by a newer version.
 */
export function migrate(connection: Connection, steps = migrations): void {
  connection.run("begin immediate");
  try {
    connection.script(
      'create table if not exists "migrations" ("version" integer primary key, "name" text not null) strict',
    );
    const version = Number(
      connection.row('select coalesce(max("version"), 0) as "version" from "migrations"')?.["version"],
    );
    if (version > steps.length) throw newerDatabase(version, steps.length);
    for (const [index, { name, sql }] of steps.entries()) {
      if (index < version) continue;
      connection.script(sql);
      connection.run('insert into "migrations" ("version", "name") values (?, ?)', index + 1, name);
    }
    connection.run("commit");
  } catch (error) {
    if (connection.inTransaction()) connection.run("rollback");
    throw error;
  }
}

function newerDatabase(version: number, known: number): Error {
  return new Error(
    `the database has schema version ${version}, this program knows versions up to ${known}: run the newer program again, or restore a backup made before it`,
  );
}
