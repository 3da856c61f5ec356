import type { SearchDocument, SearchQuery, TableName, Transaction } from "@letterslot/core";
import type { Row, SqlStatement } from "./sql-dialect.ts";
import type { SqlSession, Verbs } from "./verbs.ts";

/** A write whose answer nobody waits for. */
export type GatheredWrite =
  | { append: SqlStatement; table: TableName }
  | { index: SearchDocument }
  | { unindex: string }
  | { statement: SqlStatement; key: string };

const gather = Symbol("gather");

/**
 * Adds a statement to what a transaction gathers, for what lies beside the tables in the same database.
 * Statements of one key come to the same: of those that are sent together one is enough.
 */
export function gatherStatement(tx: Transaction, statement: SqlStatement, key: string): void {
  const add = (tx as { [gather]?: (statement: SqlStatement, key: string) => void })[gather];
  if (add === undefined) throw new Error("the transaction belongs to another storage");
  add(statement, key);
}

/** A session within a transaction. */
export interface TransactionSession extends SqlSession {
  /** Sends writes together, in order; throws when one of them fails. */
  send(writes: GatheredWrite[]): void | Promise<void>;
  search(query: SearchQuery): string[] | Promise<string[]>;
}

/** A handle for `run`, and what its owner does with it. */
export interface OpenTransaction {
  handle: Transaction;
  /**
   * Sends what is still gathered. Throws what an earlier gathered write failed with, even if `run` caught it.
   */
  flush(): Promise<void>;
  /** From now on each verb throws. */
  end(): void;
}

/**
 * Opens a handle on a session: what is appended and indexed is gathered until something is read, and sent in
 * one go.
 */
export function openTransaction(verbs: Verbs, session: TransactionSession): OpenTransaction {
  let gathered: GatheredWrite[] = [];
  let ended = false;
  let failed: { error: unknown } | undefined;

  const check = () => {
    if (ended) throw new Error("the transaction has ended");
    if (failed !== undefined) throw failed.error;
  };
  // A verb that was still under way when the transaction ended goes no further: what it sent now would stand
  // by itself.
  const open: SqlSession = {
    rows(statement) {
      check();
      return session.rows(statement);
    },
    affected(statement) {
      check();
      return session.affected(statement);
    },
  };
  const flush = async () => {
    check();
    if (gathered.length === 0) return;
    const writes = gathered;
    gathered = [];
    try {
      await session.send(writes);
    } catch (error) {
      failed = { error };
      throw error;
    }
  };
  const verb =
    <A extends unknown[], T>(run: (session: SqlSession, ...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      check();
      if (gathered.length === 0) return run(open, ...args);
      const sent = flush();
      // What failed at once is thrown here; what is on its way needs not be waited for before the next
      // statement follows it.
      if (failed !== undefined) await sent;
      const [first, answer] = await Promise.allSettled([sent, run(open, ...args)]);
      if (first.status === "rejected") throw first.reason;
      if (answer.status === "rejected") throw answer.reason;
      return answer.value;
    };

  const handle = {
    get: verb(verbs.get),
    find: verb(verbs.find),
    count: verb(verbs.count),
    insert: verb(verbs.insert),
    update: verb(verbs.update),
    delete: verb(verbs.delete),
    search: verb(async (_, query: SearchQuery) => session.search(query)),
    append(table: Parameters<Transaction["append"]>[0], records: readonly Row[]) {
      check();
      for (const record of records) gathered.push({ append: verbs.append(table, record), table });
    },
    index(documents: readonly SearchDocument[]) {
      check();
      for (const document of documents) gathered.push({ index: document });
    },
    unindex(message_ids: readonly string[]) {
      check();
      for (const unindex of message_ids) gathered.push({ unindex });
    },
    [gather](statement: SqlStatement, key: string) {
      check();
      gathered.push({ statement, key });
    },
  };
  return {
    handle: handle as unknown as Transaction,
    flush,
    end() {
      ended = true;
    },
  };
}
