import { type Step, type TableName, tables } from "@letterslot/core/ports";
import type { Row, SqlDialect, SqlStatement } from "./sql-dialect.ts";
import { type AnyFind, createStatements } from "./statements.ts";

/** A value, or a promise of it. Synchronous drivers return values: a promise for each step would cost as much as building the statement. */
export type Answer<T> = T | Promise<T>;

/** Runs statements on a connection, synchronously or not. */
export interface SqlSession {
  /** Runs a statement; returns its rows. `limit` is how many there are at most, where that is known. */
  rows(statement: SqlStatement, limit?: number): Answer<Row[]>;
  /** Runs a statement; returns the number of affected rows. */
  affected(statement: SqlStatement): Answer<number>;
}

/** The verbs of the storage port except `search`, each on a given session, without the tables' types. */
export type Verbs = ReturnType<typeof createVerbs>;

/** An insert met a conflicting record that was gone when read: repeated this often, it is no coincidence. */
const MAX_INSERT_TRIES = 10;

/** Continues with an answer: at once if it is there. */
function goOn<A, T>(answer: Answer<A>, next: (value: A) => T): Answer<T> {
  return answer instanceof Promise ? answer.then(next) : next(answer);
}

/** Creates the verbs for a dialect. */
export function createVerbs(dialect: SqlDialect) {
  const statements = createStatements(dialect);

  const recordsOf = (table: TableName, rows: Row[]): Row[] => {
    for (const row of rows) statements.recordOf(table, row);
    return rows;
  };

  const find = (session: SqlSession, table: TableName, query: AnyFind): Answer<Row[]> =>
    goOn(session.rows(statements.find(table, query), query.limit), (rows) => recordsOf(table, rows));

  const getOne = (session: SqlSession, table: TableName, id: string): Answer<Row | undefined> =>
    goOn(
      find(session, table, { where: { [tables[table].key[0] as string]: id }, limit: 1 }),
      ([record]) => record,
    );

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

  const insertOnce = (session: SqlSession, table: TableName, record: Row): Answer<boolean> =>
    dialect.counts_inserts === true
      ? goOn(session.affected(statements.insert(table, record)), (count) => count > 0)
      : goOn(session.rows(statements.insert(table, record)), (rows) => rows.length > 0);

  /** The rest of an insert whose first try is pending or met a conflict: returns the existing record, or tries again if it is gone. */
  const insertOrFind = async (
    session: SqlSession,
    table: TableName,
    record: Row,
    first: Promise<boolean> | false,
  ): Promise<{ record: Row; inserted: boolean }> => {
    for (let tries = 0; tries < MAX_INSERT_TRIES; tries++) {
      if (await (tries === 0 ? first : insertOnce(session, table, record))) return { record, inserted: true };
      const existing = await conflictingRecord(session, table, record);
      if (existing !== undefined) return { record: existing, inserted: false };
    }
    throw new Error(
      `the insert into ${table} conflicted ${MAX_INSERT_TRIES} times with records that were gone when read`,
    );
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
    count(session: SqlSession, table: TableName, where: Row, up_to: number): Answer<number> {
      // A count of one reads no more than a look-up.
      const limit = up_to === 1 ? 1 : undefined;
      return goOn(session.rows(statements.count(table, where, up_to), limit), ([row]) =>
        Number(row?.["count"]),
      );
    },
    insert(session: SqlSession, table: TableName, record: Row): Answer<{ record: Row; inserted: boolean }> {
      const inserted = insertOnce(session, table, record);
      return inserted === true ? { record, inserted } : insertOrFind(session, table, record, inserted);
    },
    update(session: SqlSession, table: TableName, where: Row, change: Row): Answer<Row[]> {
      // An empty change still returns the matching records.
      if (Object.keys(change).length === 0)
        return find(session, table, { where, limit: Number.MAX_SAFE_INTEGER });
      return goOn(session.rows(statements.update(table, where, change)), (rows) => recordsOf(table, rows));
    },
    delete(session: SqlSession, table: TableName, where: Row): Answer<number> {
      return session.affected(statements.delete(table, where));
    },
    /** The statement that appends a record. */
    append: (table: TableName, record: Row): SqlStatement => statements.append(table, record),
    /** The statement of a `find`, to explain its query plan. */
    findStatement: (table: TableName, query: AnyFind): SqlStatement => statements.find(table, query),
  };
}
