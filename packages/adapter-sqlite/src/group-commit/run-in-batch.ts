import { setImmediate } from "node:timers/promises";
import { fail, type SearchDocument, type SearchQuery, type Transaction } from "@letterslot/core/ports";
import {
  type BufferedWrite,
  runTransaction,
  type SqlStatement,
  type TransactionSession,
  type Verbs,
} from "@letterslot/sql";
import {
  entryOf,
  type IndexEntry,
  indexEntries,
  searchIndex,
  unindexDocument,
} from "../search/search-index.ts";
import type { Batch } from "./batch.ts";

/** The time that a transaction writes before others have their turn. */
const WRITES_PER_TURN_MS = 5;
/** A transaction with more entries indexes them as it goes, so that its commit doesn't hold the event loop. */
const ENTRIES_AT_ONCE = 32;

/** Runs a transaction as a part of a batch, in a savepoint: when it fails or takes too long, it is rolled back alone. */
export function runInBatch<T>(
  batch: Batch,
  verbs: Verbs,
  run: (tx: Transaction) => Promise<T>,
  timeout_ms: number,
): Promise<T> {
  const { connection, changed } = batch;
  const index = createIndexWrites(batch);
  /** On a disk error SQLite rolls back the whole batch: later statements would autocommit. */
  const whileOpen =
    <A, R>(act: (argument: A) => R) =>
    (argument: A): R => {
      if (!connection.inTransaction()) throw fail("storage_unavailable");
      return act(argument);
    };
  const noting =
    <R>(act: (statement: SqlStatement) => R) =>
    (statement: SqlStatement): R => {
      changed.note(statement);
      return act(statement);
    };
  const sendOne = (write: BufferedWrite) => {
    if ("append" in write) {
      changed.note(write.append);
      connection.affected(write.append);
    } else if ("statement" in write) connection.affected(write.statement);
    else if ("index" in write) index.add(write.index);
    else index.remove(write.unindex);
  };
  let ended = false;
  /**
   * The rest of very many writes: they continue in later turns of the event loop, and other statements wait for them.
   */
  let sending: Promise<void> | undefined;
  /** Sends what doesn't take long; returns where the rest begins. */
  const sendSome = (writes: readonly BufferedWrite[], from: number): number => {
    const end = performance.now() + WRITES_PER_TURN_MS;
    for (let at = from; at < writes.length; at++) {
      if (at > from && performance.now() > end) return at;
      sendOne(writes[at] as BufferedWrite);
    }
    return writes.length;
  };
  const sendRest = async (writes: readonly BufferedWrite[], from: number) => {
    for (let at = from; at < writes.length; at = sendSome(writes, at)) {
      await setImmediate();
      // Meanwhile the transaction may have taken too long, or the disk have failed.
      if (ended || !connection.inTransaction()) throw fail("storage_unavailable");
    }
  };
  const send = (writes: BufferedWrite[]) => {
    const at = sendSome(writes, 0);
    if (at === writes.length) return undefined;
    sending = sendRest(writes, at).finally(() => {
      sending = undefined;
    });
    return sending;
  };
  const afterWrites = <A, R>(act: (argument: A) => R) => {
    const inTurn = async (argument: A): Promise<Awaited<R>> => {
      while (sending !== undefined) await sending;
      return await act(argument);
    };
    return (argument: A) => (sending === undefined ? act(argument) : inTurn(argument));
  };
  const search = (query: SearchQuery) => {
    index.apply();
    return searchIndex(connection, query);
  };
  const session: TransactionSession = {
    rows: afterWrites(whileOpen(noting(connection.rows))),
    affected: afterWrites(whileOpen(noting(connection.affected))),
    search: afterWrites(whileOpen(search)),
    send: afterWrites(whileOpen(send)),
  };

  return runTransaction(verbs, session, run, {
    timeout_ms,
    begin: () => void connection.run("savepoint one"),
    commit() {
      connection.run("release one");
      index.commit();
    },
    rollback() {
      ended = true;
      if (connection.inTransaction()) {
        connection.run("rollback to one");
        connection.run("release one");
      }
      index.rollback();
    },
  });
}

/** A transaction's changes to the search index. They wait for the end of the batch unless it searches, or they are many. */
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
    add(document: SearchDocument) {
      own.push(entryOf(document));
      if (own.length >= ENTRIES_AT_ONCE) apply();
    },
    remove(message_id: string) {
      apply();
      unindexDocument(batch.connection, message_id);
    },
    commit: () => void batch.entries.push(...own),
    rollback: () => void batch.entries.unshift(...applied),
  };
}
