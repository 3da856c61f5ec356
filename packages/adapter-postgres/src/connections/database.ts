import type { Row, SqlStatement } from "@letterslot/sql";

/** The result of a statement. `command` is PostgreSQL's tag, such as `COMMIT`; empty where it is unknown. */
export interface Answer {
  rows: Row[];
  count: number;
  command: string;
}

/** A statement. `unprepared`: it is planned on each run, as a search's best plan depends on its words. */
export interface Statement extends SqlStatement {
  unprepared?: true;
  /** The maximum number of rows it returns, where known. */
  max_rows?: number;
}

/** One connection. Statements run in the order given; several may be given at once. */
export interface Connection {
  run(statement: Statement): Promise<Answer>;
}

/** Access to a database: through our own pool or an embedder's. */
export interface Database {
  /** Whether a lent connection is one session of the server, which no pooler gives to others between transactions. */
  lends_sessions: boolean;
  /** Runs one statement on any connection. */
  run(statement: Statement): Promise<Answer>;
  /** Runs one statement that takes no locks, perhaps batched with others. */
  read(statement: Statement): Promise<Answer>;
  /** Lends a connection; it is discarded instead of returned when `use` asks for it or breaks it. */
  lend<T>(use: (connection: Connection, discard: () => void) => Promise<T>): Promise<T>;
  /** Opens a connection that listens for notifications on a channel. */
  listen(channel: string, listener: Listener): Promise<{ close(): Promise<void> }>;
  close(): Promise<void>;
}

/** Receives the notifications of a channel. */
export interface Listener {
  onMessage(payload: string): void;
  /** The connection broke: no more messages arrive. */
  onLost(): void;
}
