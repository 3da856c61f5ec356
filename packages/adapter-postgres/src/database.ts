import type { Row, SqlStatement } from "@letterslot/sql";

/**
 * What a statement came to. `command` is PostgreSQL's word for it, such as `COMMIT`; empty where nobody
 * tells.
 */
export interface Answer {
  rows: Row[];
  count: number;
  command: string;
}

/** A statement, and whether its plan is kept: a search is planned anew each time, by its words. */
export interface Statement extends SqlStatement {
  unprepared?: true;
}

/** One connection. Statements run in the order in which they are given; several may be given at once. */
export interface Connection {
  run(statement: Statement): Promise<Answer>;
}

/** Ways to a database: a pool of our own or an embedder's. */
export interface Database {
  /** Runs one statement on any connection. */
  run(statement: Statement): Promise<Answer>;
  /** Runs one statement that waits for no lock, perhaps together with others. */
  read(statement: Statement): Promise<Answer>;
  /**
   * Lends a connection; it is thrown away instead of given back when `use` says so or fails because of it.
   */
  lend<T>(use: (connection: Connection, throwAway: () => void) => Promise<T>): Promise<T>;
  /** Opens a connection that is told of notifications on a channel. */
  listen(channel: string, listener: Listener): Promise<{ close(): Promise<void> }>;
  close(): Promise<void>;
}

/** Who is told what arrives on a channel. */
export interface Listener {
  heard(payload: string): void;
  /** The connection broke; nothing more is heard. */
  lost(): void;
}
