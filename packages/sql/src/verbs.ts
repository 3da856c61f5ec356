import { type TableName, tables } from "@letterslot/core";
import type { Row, SqlDialect, SqlStatement } from "./sql-dialect.ts";
import { type AnyFind, createStatements } from "./statements.ts";

/** A connection that statements run on, at once or by and by. */
export interface SqlSession {
  /** Runs a statement and answers its rows. */
  rows(statement: SqlStatement): Row[] | Promise<Row[]>;
  /** Runs a statement and answers how many rows it touched. */
  affected(statement: SqlStatement): number | Promise<number>;
}

/**
 * The verbs of the storage port but `search`, each on a given session; names and records without their
 * tables' types.
 */
export type Verbs = ReturnType<typeof createVerbs>;

/**
 * A clash was seen, but whoever caused it was gone when we looked: more often than this in a row is no
 * chance.
 */
const CLASH_TRIES = 10;

/** The verbs in the words of a dialect. */
export function createVerbs(dialect: SqlDialect) {
  const statements = createStatements(dialect);

  const find = async (session: SqlSession, table: TableName, query: AnyFind): Promise<Row[]> => {
    const rows = await session.rows(statements.find(table, query));
    for (const row of rows) statements.recordOf(table, row);
    return rows;
  };

  /** The record that stands in the way of another. */
  const holderOf = async (session: SqlSession, table: TableName, record: Row): Promise<Row | undefined> => {
    for (const columns of [tables[table].key, ...tables[table].unique] as readonly (readonly string[])[]) {
      if (columns.some((column) => record[column] === null)) continue;
      const where = Object.fromEntries(columns.map((column) => [column, record[column]]));
      const [holder] = await find(session, table, { where, limit: 1 });
      if (holder !== undefined) return holder;
    }
    return undefined;
  };

  return {
    find,
    async get(session: SqlSession, table: TableName, id: string): Promise<Row | undefined> {
      const [record] = await find(session, table, {
        where: { [tables[table].key[0] as string]: id },
        limit: 1,
      });
      return record;
    },
    async count(session: SqlSession, table: TableName, where: Row, up_to: number): Promise<number> {
      const [row] = await session.rows(statements.count(table, where, up_to));
      return Number(row?.["count"]);
    },
    async insert(
      session: SqlSession,
      table: TableName,
      record: Row,
    ): Promise<{ record: Row; inserted: boolean }> {
      for (let tries = 0; tries < CLASH_TRIES; tries++) {
        const rows = await session.rows(statements.insert(table, record));
        if (rows.length > 0) return { record, inserted: true };
        const holder = await holderOf(session, table, record);
        if (holder !== undefined) return { record: holder, inserted: false };
      }
      throw new Error(
        `the insert into ${table} clashed ${CLASH_TRIES} times with records that were gone at once`,
      );
    },
    async update(session: SqlSession, table: TableName, where: Row, change: Row): Promise<Row[]> {
      // Writing nothing still answers what matches.
      if (Object.keys(change).length === 0)
        return find(session, table, { where, limit: Number.MAX_SAFE_INTEGER });
      const rows = await session.rows(statements.update(table, where, change));
      for (const row of rows) statements.recordOf(table, row);
      return rows;
    },
    async delete(session: SqlSession, table: TableName, where: Row): Promise<number> {
      return session.affected(statements.delete(table, where));
    },
    /** The statement of one appended record. */
    append: (table: TableName, record: Row): SqlStatement => statements.append(table, record),
    /** The statement of a `find`, to ask the database how it would run it. */
    findStatement: (table: TableName, query: AnyFind): SqlStatement => statements.find(table, query),
  };
}
