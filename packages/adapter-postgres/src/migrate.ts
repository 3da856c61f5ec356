import type { Connection, Database, Statement } from "./database.ts";
import { identifier } from "./identifier.ts";
import { type Migration, migrations } from "./migrations.ts";

/** The lock that processes take turns by: any number, the same in every version. */
const LOCK = 7_254_613_108;
/** How long a step waits for others who use its table; new statements queue up behind it for so long. */
const LOCK_WAIT = "5s";

/**
 * Brings the tables in a schema up to this version, in one transaction; of several processes that start at
 * once one does it and the others wait. Makes the schema when it isn't there. Throws when it was brought up
 * by a newer version.
 */
export async function migrate(
  database: Database,
  schema: string,
  steps: readonly Migration[] = migrations,
): Promise<void> {
  await database.lend(async (connection) => {
    if ((await versionOf(connection, schema)) === steps.length) return;
    await connection.run(plain("begin"));
    try {
      // Whoever migrates may take longer than a statement or a lock otherwise may.
      await connection.run(plain("set local statement_timeout = 0"));
      await connection.run(plain("set local lock_timeout = 0"));
      await connection.run({ sql: "select pg_advisory_xact_lock($1)::text", parameters: [LOCK] });
      await connection.run(plain(`set local lock_timeout = '${LOCK_WAIT}'`));
      await takeSteps(connection, schema, steps);
      await connection.run(plain("commit"));
    } catch (error) {
      // What made the step fail is what the operator needs to hear; without a connection there is nothing to
      // take back.
      await connection.run(plain("rollback")).catch(() => undefined);
      throw error;
    }
  });
}

async function takeSteps(connection: Connection, schema: string, steps: readonly Migration[]): Promise<void> {
  const version = await versionOf(connection, schema);
  if (version > steps.length) throw newerDatabase(version, steps.length);
  const { rows } = await connection.run({
    sql: "select 1 from pg_namespace where nspname = $1",
    parameters: [schema],
  });
  if (rows.length === 0) await connection.run(plain(`create schema ${identifier(schema)}`));
  await connection.run(plain(`set local search_path to ${identifier(schema)}, pg_catalog`));
  const table = `${identifier(schema)}."migrations"`;
  if (version === 0) {
    await connection.run(
      plain(
        `create table if not exists ${table} ("version" integer primary key, "name" text not null, "at" timestamptz not null default now())`,
      ),
    );
  }
  for (const [index, { name, sql }] of steps.entries()) {
    if (index < version) continue;
    await connection.run(plain(sql));
    await connection.run({
      sql: `insert into ${table} ("version", "name") values ($1, $2)`,
      parameters: [index + 1, name],
    });
  }
}

/** How many steps the schema has seen; 0 when there is none yet. */
async function versionOf(connection: Connection, schema: string): Promise<number> {
  const table = `${identifier(schema)}."migrations"`;
  const found = await connection.run({ sql: "select to_regclass($1)::text as name", parameters: [table] });
  if (found.rows[0]?.["name"] == null) return 0;
  const { rows } = await connection.run(
    plain(`select coalesce(max("version"), 0) as "version" from ${table}`),
  );
  return Number(rows[0]?.["version"]);
}

function plain(sql: string): Statement {
  return { sql, parameters: [] };
}

function newerDatabase(version: number, known: number): Error {
  return new Error(
    `the database has schema version ${version}, this program knows versions up to ${known}: run the newer program again, or restore a backup made before it`,
  );
}
