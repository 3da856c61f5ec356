import { createRecordLocks, type Row, type SqlSession, type SqlStatement } from "@letterslot/sql";
import type { Connection } from "./connection.ts";

/** Characters after which a read goes on in another turn of the event loop; that takes a few milliseconds. */
const CHARS_PER_TURN = 500_000;
/** As many rows are read at once, however long they are. */
const FEW_ROWS = 2;

/** Reads that may bring much text. */
export interface LongReads {
  /** A session that reads on `connection`, and in several turns of the event loop what is too long for one. */
  session(connection: Connection): SqlSession;
  close(): void;
}

/**
 * Reads pages of long records without holding the event loop. What turns out too long for one turn is read anew on a
 * connection of its own, opened by `open`, since a paused statement keeps its connection busy; one at a time.
 */
export function createLongReads(open: () => Connection): LongReads {
  const locks = createRecordLocks();
  let opened: Connection | undefined;

  async function readInTurns(statement: SqlStatement): Promise<Row[]> {
    return locks.hold("reader", async () => {
      // Looking whether it takes long was this turn's share.
      await nextTurn();
      opened ??= open();
      const rows: Row[] = [];
      let left = CHARS_PER_TURN;
      for (const row of opened.iterate(statement)) {
        rows.push(row);
        left -= charsOf(row);
        if (left > 0) continue;
        await nextTurn();
        left = CHARS_PER_TURN;
      }
      return rows;
    });
  }

  return {
    session: (connection) => ({
      affected: connection.affected,
      rows: (statement, limit = 1) =>
        limit <= FEW_ROWS
          ? connection.rows(statement)
          : (readAtOnce(connection, statement, limit) ?? readInTurns(statement)),
    }),
    close: () => opened?.close(),
  };
}

/** The rows, of which there are at most `limit`; undefined if they are too long to be read in one turn. */
function readAtOnce(connection: Connection, statement: SqlStatement, limit: number): Row[] | undefined {
  const rows: Row[] = [];
  let left = CHARS_PER_TURN;
  for (const row of connection.iterate(statement)) {
    rows.push(row);
    left -= charsOf(row);
    // Whether there is another row is only known once it has been read.
    if (left <= 0 && rows.length < limit) return undefined;
  }
  return rows;
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

function charsOf(row: Row): number {
  let chars = 0;
  for (const name in row) {
    const value = row[name];
    if (typeof value === "string") chars += value.length;
  }
  return chars;
}
