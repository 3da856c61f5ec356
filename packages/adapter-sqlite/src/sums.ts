import { type TableName, tables } from "@letterslot/core";
import type { Row, SqlStatement, Verbs } from "@letterslot/sql";
import type { Connection } from "./connection.ts";
import type { ChangedTables } from "./table-versions.ts";

/** A number that is added to a record, which is made if there is none. */
export interface Sum {
  table: TableName;
  /** The same for all that are added to one number of one record. */
  key: string;
  amount: number;
  /** The statement that adds the amount. */
  statement(amount: number): SqlStatement;
}

/** What is added by the transactions that share a commit. */
export interface SummingBatch {
  connection: Connection;
  /** Which tables of core its transactions change. */
  changed: ChangedTables;
  /** What finished transactions add to numbers: written together just before the commit, or before somebody may see it. */
  sums: Sum[];
}

/** Adds up what the transactions of a batch add to the same numbers, and writes each number once. */
export function writeSums({ connection, changed }: SummingBatch, sums: readonly Sum[]): void {
  const totals = new Map<string, Sum>();
  for (const sum of sums) {
    const before = totals.get(sum.key);
    if (before === undefined) totals.set(sum.key, { ...sum });
    else before.amount += sum.amount;
  }
  for (const { table, amount, statement } of totals.values()) {
    changed.noteTable(table);
    connection.affected(statement(amount));
  }
}

/** Whether a statement may see or change what these sums are added to. */
const touches = (sums: readonly Sum[], { access }: Pick<SqlStatement, "access">): boolean =>
  sums.length > 0 && (access === undefined || sums.some(({ table }) => table === access.table));

/** Writes a batch's sums now where a statement outside its transactions may see or change them. */
export function writeSumsBefore(batch: SummingBatch, statement: Pick<SqlStatement, "access">): void {
  if (!touches(batch.sums, statement)) return;
  writeSums(batch, batch.sums);
  batch.sums = [];
}

/** A transaction's sums. They wait for the end of the batch, unless one of its statements may see or change them. */
export function createOwnSums(batch: SummingBatch, verbs: Verbs) {
  let own: Sum[] = [];
  let applied: Sum[] = [];
  return {
    /** Adds the number in a column of a record. */
    add(table: TableName, column: string, record: Row) {
      const keys = (tables[table].key as readonly string[]).map((name) => record[name]);
      own.push({
        table,
        key: JSON.stringify([table, column, ...keys]),
        amount: record[column] as number,
        statement: (amount) => verbs.addUp(table, column, { ...record, [column]: amount }),
      });
    },
    /** Writes them, and those of earlier transactions, if the statement may see or change them; returns whether it did. */
    writeBefore(statement: Pick<SqlStatement, "access">): boolean {
      if (!touches(own, statement) && !touches(batch.sums, statement)) return false;
      // A rollback takes back those of earlier transactions as well, so they must be written again.
      applied = [...applied, ...batch.sums];
      const all = [...batch.sums, ...own];
      batch.sums = [];
      own = [];
      writeSums(batch, all);
      return true;
    },
    commit: () => void batch.sums.push(...own),
    rollback: () => void batch.sums.unshift(...applied),
  };
}
