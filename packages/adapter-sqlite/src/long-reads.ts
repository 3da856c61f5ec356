import type { TableName } from "@letterslot/core/ports";
import { createRecordLocks, type Row, type SqlSession, type SqlStatement } from "@letterslot/sql";
import type { Connection } from "./connection.ts";

/**
 * The number of characters after which a read continues in another turn of the event loop; they take a few
 * milliseconds.
 */
const CHARS_PER_TURN = 500_000;
/** As many rows are read at once, however long they are. */
const FEW_ROWS = 2;
/** Tables with short rows: an address, a Message-ID or a hash, and ids. Storing a mail looks into each of them. */
const SHORT: ReadonlySet<TableName> = new Set([
  "allowlist",
  "awaited_references",
  "message_references",
  "message_terms",
  "seen_signatures",
]);
/** As many short rows are read at once: the driver takes longer to return them one by one. */
const SHORT_ROWS = 200;

/** Reads that may bring much text. */
export interface LongReads {
  /**
   * Returns a session that reads on the statement's connection; reads too long for one turn of the event loop are
   * spread over several.
   */
  session(connectionFor: (statement: SqlStatement) => Connection): SqlSession;
  close(): void;
}

/**
 * Reads pages of long records without holding the event loop. A read that is too long for one turn restarts on a
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
    session: (connectionFor) => ({
      affected: (statement) => connectionFor(statement).affected(statement),
      rows(statement, limit = 1) {
        const connection = connectionFor(statement);
        return limit <= rowsAtOnce(statement)
          ? connection.rows(statement)
          : (readAtOnce(connection, statement, limit) ?? readInTurns(statement));
      },
    }),
    close: () => opened?.close(),
  };
}

const rowsAtOnce = ({ access }: SqlStatement): number =>
  access !== undefined && SHORT.has(access.table) ? SHORT_ROWS : FEW_ROWS;

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
