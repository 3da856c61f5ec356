import { fail, type SearchDocument, type Transaction } from "@letterslot/core";
import { type BufferedWrite, runTransaction, type TransactionSession, type Verbs } from "@letterslot/sql";
import type { Batch } from "./group-commit.ts";
import { entryOf, type IndexEntry, indexEntries, searchIndex, unindexDocument } from "./search-index.ts";

/** Runs a transaction as a savepoint of a batch: it rolls back alone when it fails or takes too long. */
export function runInBatch<T>(
  batch: Batch,
  verbs: Verbs,
  run: (tx: Transaction) => Promise<T>,
  timeout_ms: number,
): Promise<T> {
  const { connection } = batch;
  const index = createIndexWrites(batch);
  /** On a disk error SQLite rolls back the whole batch: later statements would autocommit. */
  const whileOpen =
    <A, R>(act: (argument: A) => R) =>
    (argument: A): R => {
      if (!connection.inTransaction()) throw fail("storage_unavailable");
      return act(argument);
    };
  const sendOne = (write: BufferedWrite) => {
    if ("append" in write) connection.affected(write.append);
    else if ("statement" in write) connection.affected(write.statement);
    else if ("index" in write) index.add(write.index);
    else index.remove(write.unindex);
  };
  const session: TransactionSession = {
    rows: whileOpen(connection.rows),
    affected: whileOpen(connection.affected),
    search: whileOpen((query) => {
      index.apply();
      return searchIndex(connection, query);
    }),
    send: whileOpen((writes) => {
      for (const write of writes) sendOne(write);
    }),
  };

  return runTransaction(verbs, session, run, {
    timeout_ms,
    begin: () => void connection.run("savepoint one"),
    commit() {
      connection.run("release one");
      index.commit();
    },
    rollback() {
      if (connection.inTransaction()) {
        connection.run("rollback to one");
        connection.run("release one");
      }
      index.rollback();
    },
  });
}

/** A transaction's changes to the search index. They wait for the end of the batch unless it searches. */
function createIndexWrites(batch: Batch) {
  let own: IndexEntry[] = [];
  let applied: IndexEntry[] = [];

  const apply = () => {
    // Entries of earlier transactions are written too. A rollback of this one takes them back as well, so
    // they must be written again.
    applied = [...applied, ...batch.entries];
    const entries = [...batch.entries, ...own];
    batch.entries = [];
    own = [];
    indexEntries(batch.connection, entries);
  };

  return {
    apply,
    // An invalid document fails here, with its own transaction, and not at the end with the whole batch.
    add: (document: SearchDocument) => void own.push(entryOf(document)),
    remove(message_id: string) {
      apply();
      unindexDocument(batch.connection, message_id);
    },
    commit: () => void batch.entries.push(...own),
    rollback: () => void batch.entries.unshift(...applied),
  };
}
