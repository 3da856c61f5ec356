import { fail, type SearchDocument, type Transaction } from "@letterslot/core";
import {
  type GatheredWrite,
  openTransaction,
  type TransactionSession,
  type Verbs,
  withDeadline,
} from "@letterslot/sql";
import type { Batch } from "./group-commit.ts";
import { entryOf, type IndexEntry, indexEntries, searchIndex, unindexDocument } from "./search-index.ts";

/**
 * Runs one transaction within a batch: it is rolled back alone when it fails or takes longer than
 * `timeout_ms`.
 */
export async function runTransaction<T>(
  batch: Batch,
  verbs: Verbs,
  run: (tx: Transaction) => Promise<T>,
  timeout_ms: number,
): Promise<T> {
  const { connection } = batch;
  const index = createIndexWrites(batch);
  /**
   * SQLite takes back a whole batch when the disk fails a statement: what followed it would be committed by
   * itself.
   */
  const standing =
    <A, R>(act: (given: A) => R) =>
    (given: A): R => {
      if (!connection.inTransaction()) throw fail("storage_unavailable");
      return act(given);
    };
  const session: TransactionSession = {
    rows: standing(connection.rows),
    affected: standing(connection.affected),
    search: standing((query) => {
      index.apply();
      return searchIndex(connection, query);
    }),
    send: standing((writes) => {
      for (const write of writes) sendOne(write);
    }),
  };
  const sendOne = (write: GatheredWrite) => {
    if ("append" in write) connection.affected(write.append);
    else if ("statement" in write) connection.affected(write.statement);
    else if ("index" in write) index.add(write.index);
    else index.remove(write.unindex);
  };

  const { handle, flush, end } = openTransaction(verbs, session);
  connection.run("savepoint one");
  try {
    const value = await withDeadline(run(handle), timeout_ms);
    await flush();
    end();
    connection.run("release one");
    index.keep();
    return value;
  } catch (error) {
    end();
    if (connection.inTransaction()) {
      connection.run("rollback to one");
      connection.run("release one");
    }
    index.giveBack();
    throw error;
  }
}

/**
 * What a transaction puts into the index and takes out. It waits for the end of the batch unless the
 * transaction looks for it.
 */
function createIndexWrites(batch: Batch) {
  let own: IndexEntry[] = [];
  let borrowed: IndexEntry[] = [];

  const apply = () => {
    // Earlier transactions of the batch count as committed; if this one rolls back, theirs must be written
    // again.
    borrowed = [...borrowed, ...batch.entries];
    const entries = [...batch.entries, ...own];
    batch.entries = [];
    own = [];
    indexEntries(batch.connection, entries);
  };

  return {
    apply,
    // A document that can't be indexed fails here, with its transaction, and not at the end of the batch with
    // everybody's.
    add: (document: SearchDocument) => void own.push(entryOf(document)),
    remove(message_id: string) {
      apply();
      unindexDocument(batch.connection, message_id);
    },
    keep() {
      batch.entries.push(...own);
    },
    giveBack() {
      batch.entries.unshift(...borrowed);
    },
  };
}
