import type { Answer, Connection, Database, Statement } from "../connections/database.ts";
import { isServerError } from "../storage/postgres-errors.ts";
import { createMergeReads, isMergeable, type MergedReads } from "./merge-reads.ts";

interface QueuedRead {
  statement: Statement;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** The maximum number of reads that share a connection. */
const MAX_BATCH_READS = 16;
/** The maximum number of reads merged into one statement: beyond it several connections are faster. */
const MAX_MERGED_READS = 64;
/**
 * Runs reads that are queued in one turn of the event loop on one pipelining connection: they go out in one write,
 * which costs more than building and parsing its content. Reads that often come together are merged into one statement.
 * Only for statements that take no locks.
 */
export function batchReads(lend: Database["lend"]): Connection["run"] {
  const mergeReads = createMergeReads();
  let queue: QueuedRead[] = [];

  const flush = () => {
    for (let first = 0; first < queue.length; first += MAX_MERGED_READS)
      runTogether(queue.slice(first, first + MAX_MERGED_READS));
    queue = [];
  };
  const runTogether = (reads: QueuedRead[]) => {
    const together = reads.length > 1 ? reads.filter(({ statement }) => isMergeable(statement)) : [];
    const merged = together.length > 1 ? mergeReads(together.map(({ statement }) => statement)) : undefined;
    if (merged !== undefined) void runMerged(merged, together);
    runBatches(merged === undefined ? reads : reads.filter((read) => !together.includes(read)));
  };
  const runBatches = (reads: QueuedRead[]) => {
    for (let first = 0; first < reads.length; first += MAX_BATCH_READS)
      void runBatch(reads.slice(first, first + MAX_BATCH_READS));
  };
  const runMerged = async ({ statement, answersOf }: MergedReads, reads: QueuedRead[]) => {
    try {
      const answers = answersOf(await lend((connection) => connection.run(statement)));
      for (const [index, { resolve }] of reads.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      // One that fails, such as for a parameter, fails alone.
      if (isServerError(error)) for (const { reject } of reads) reject(error);
      else runBatches(reads);
    }
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
      if (queue.length === 1) setImmediate(flush);
    });
}
