import { type Step, type TableName, tables } from "@letterslot/core";
import type { Row, SqlDialect, SqlStatement } from "./sql-dialect.ts";
import { type AnyFind, createStatements } from "./statements.ts";

/** Runs statements on a connection, synchronously or not. */
export interface SqlSession {
  /** Runs a statement; returns its rows. `limit` is how many there are at most, where that is known. */
  rows(statement: SqlStatement, limit?: number): Row[] | Promise<Row[]>;
  /** Runs a statement; returns the number of affected rows. */
  affected(statement: SqlStatement): number | Promise<number>;
}

/** The verbs of the storage port except `search`, each on a given session, without the tables' types. */
export type Verbs = ReturnType<typeof createVerbs>;

/** An insert met a conflicting record that was gone when read: repeated this often, it is no coincidence. */
const MAX_INSERT_TRIES = 10;

/** Creates the verbs for a dialect. */
export function createVerbs(dialect: SqlDialect) {
  const statements = createStatements(dialect);

  const find = async (session: SqlSession, table: TableName, query: AnyFind): Promise<Row[]> => {
    const rows = await session.rows(statements.find(table, query), query.limit);
    for (const row of rows) statements.recordOf(table, row);
    return rows;
  };

  const getOne = async (session: SqlSession, table: TableName, id: string): Promise<Row | undefined> => {
    const [record] = await find(session, table, {
      where: { [tables[table].key[0] as string]: id },
      limit: 1,
    });
    return record;
  };

  const inserts = async (session: SqlSession, statement: SqlStatement): Promise<boolean> =>
    dialect.counts_inserts === true
      ? (await session.affected(statement)) > 0
      : (await session.rows(statement)).length > 0;

  /** The stored record that conflicts with this one. */
  const conflictingRecord = async (
    session: SqlSession,
    table: TableName,
    record: Row,
  ): Promise<Row | undefined> => {
    for (const columns of [tables[table].key, ...tables[table].unique] as readonly (readonly string[])[]) {
      if (columns.some((column) => record[column] === null)) continue;
      const where = Object.fromEntries(columns.map((column) => [column, record[column]]));
      const [existing] = await find(session, table, { where, limit: 1 });
      if (existing !== undefined) return existing;
    }
    return undefined;
  };

  return {
    find,
    get: getOne,
    async follow(
      session: SqlSession,
      table: TableName,
      id: string,
      steps: readonly Step[],
    ): Promise<(Row | undefined)[]> {
      const path = [table, ...steps.map(([, next]) => next)];
      const statement = statements.follow(table, id, steps);
      if (statement !== undefined) {
        const [row] = await session.rows(statement, 1);
        const records = path.map((_, index) => row?.[`step_${index}`] as Row | null | undefined);
        return records.map((record, index) =>
          record ? statements.recordOf(path[index] as TableName, record) : undefined,
        );
      }
      const found = [await getOne(session, table, id)];
      for (const [column, next] of steps) {
        const named = found.at(-1)?.[column];
        found.push(typeof named === "string" ? await getOne(session, next, named) : undefined);
      }
      return found;
    },
    async count(session: SqlSession, table: TableName, where: Row, up_to: number): Promise<number> {
      // A count of one reads no more than a look-up.
      const limit = up_to === 1 ? 1 : undefined;
      const [row] = await session.rows(statements.count(table, where, up_to), limit);
      return Number(row?.["count"]);
    },
    async insert(
      session: SqlSession,
      table: TableName,
      record: Row,
    ): Promise<{ record: Row; inserted: boolean }> {
      for (let tries = 0; tries < MAX_INSERT_TRIES; tries++) {
        if (await inserts(session, statements.insert(table, record))) return { record, inserted: true };
        const existing = await conflictingRecord(session, table, record);
        if (existing !== undefined) return { record: existing, inserted: false };
      }
      throw new Error(
        `the insert into ${table} conflicted ${MAX_INSERT_TRIES} times with records that were gone when read`,
      );
    },
    async update(session: SqlSession, table: TableName, where: Row, change: Row): Promise<Row[]> {
      // An empty change still returns the matching records.
      if (Object.keys(change).length === 0)
        return find(session, table, { where, limit: Number.MAX_SAFE_INTEGER });
      const rows = await session.rows(statements.update(table, where, change));
      for (const row of rows) statements.recordOf(table, row);
      return rows;
    },
    async delete(session: SqlSession, table: TableName, where: Row): Promise<number> {
      return session.affected(statements.delete(table, where));
    },
    /** The statement that appends a record. */
    append: (table: TableName, record: Row): SqlStatement => statements.append(table, record),
    /** The statement that adds to a number of a record, or makes the record. */
    addUp: (table: TableName, column: string, record: Row): SqlStatement =>
      statements.addUp(table, column, record),
    /** The statement of a `find`, to explain its query plan. */
    findStatement: (table: TableName, query: AnyFind): SqlStatement => statements.find(table, query),
  };
}
