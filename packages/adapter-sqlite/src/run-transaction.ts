import { fail, type SearchDocument, type Transaction } from "@letterslot/core";
import { type GatheredWrite, openTransaction, type TransactionSession, type Verbs } from "@letterslot/sql";
import type { Batch } from "./group-commit.ts";
import { indexDocuments, searchIndex, unindexDocument } from "./search-index.ts";

/** Runs one transaction within a batch: it is rolled back alone when it fails or takes longer than `timeout_ms`. */
export async function runTransaction<T>(
  batch: Batch,
  verbs: Verbs,
  run: (tx: Transaction) => Promise<T>,
  timeout_ms: number,
): Promise<T> {
  const { connection } = batch;
  const index = createIndexWrites(batch);
  const session: TransactionSession = {
    rows: connection.rows,
    affected: connection.affected,
    search(query) {
      index.apply();
      return searchIndex(connection, query);
    },
    send(writes) {
      for (const write of writes) sendOne(write);
    },
  };
  const sendOne = (write: GatheredWrite) => {
    if ("append" in write) connection.affected(write.append);
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

/** The documents that a transaction adds and removes. They wait for the end of the batch unless the transaction looks for them. */
function createIndexWrites(batch: Batch) {
  let own: SearchDocument[] = [];
  let borrowed: SearchDocument[] = [];

  const apply = () => {
    // Earlier transactions of the batch count as committed; if this one rolls back, theirs must be written again.
    borrowed = [...borrowed, ...batch.documents];
    const documents = [...batch.documents, ...own];
    batch.documents = [];
    own = [];
    indexDocuments(batch.connection, documents);
  };

  return {
    apply,
    add: (document: SearchDocument) => void own.push(document),
    remove(message_id: string) {
      apply();
      unindexDocument(batch.connection, message_id);
    },
    keep() {
      batch.documents.push(...own);
    },
    giveBack() {
      batch.documents.unshift(...borrowed);
    },
  };
}

async function withDeadline<T>(work: Promise<T>, timeout_ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    const message = `The transaction took longer than ${timeout_ms} ms and was rolled back.`;
    timer = setTimeout(() => reject(fail("storage_unavailable", { message })), timeout_ms);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
