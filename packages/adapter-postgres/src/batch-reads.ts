import type { Answer, Connection, Database, Statement } from "./database.ts";
import { isServerError } from "./postgres-errors.ts";

interface QueuedRead {
  statement: Statement;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** How many reads share a connection at most. */
const MAX_BATCH_READS = 16;

/**
 * Runs reads that are queued before the next tick on one pipelining connection: they go out in one write,
 * which costs more than building and parsing what it carries. Only for statements that take no locks.
 */
export function batchReads(lend: Database["lend"]): Connection["run"] {
  let queue: QueuedRead[] = [];

  const flush = () => {
    for (let first = 0; first < queue.length; first += MAX_BATCH_READS)
      void runBatch(queue.slice(first, first + MAX_BATCH_READS));
    queue = [];
  };
  const runBatch = async (batch: QueuedRead[]) => {
    try {
      await lend(async (connection, discard) => {
        await Promise.all(
          batch.map(({ statement, resolve, reject }) =>
            connection.run(statement).then(resolve, (error: unknown) => {
              if (isServerError(error)) discard();
              reject(error);
            }),
          ),
        );
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };

  return (statement) =>
    new Promise((resolve, reject) => {
      queue.push({ statement, resolve, reject });
      if (queue.length === 1) process.nextTick(flush);
    });
}
