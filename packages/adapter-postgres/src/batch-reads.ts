import type { Answer, Connection, Database, Statement } from "./database.ts";
import { createMergeReads, isMergeable, type MergedReads } from "./merge-reads.ts";
import { isServerError } from "./postgres-errors.ts";

interface QueuedRead {
  statement: Statement;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** How many reads share a connection at most. */
const MAX_BATCH_READS = 16;
/** How many are merged at most: more would rather use several connections. */
const MAX_MERGED_READS = 64;
/**
 * While a batch is being answered, reads wait for its end: the larger a batch, the less each costs. They wait no longer than
 * this, since a batch may take long.
 */
const MAX_WAIT_MS = 2;

/**
 * Runs reads that are queued in one turn of the event loop on one pipelining connection: they go out in one write,
 * which costs more than building and parsing what it carries. Those that often come together are one
 * statement. Only for statements that take no locks.
 */
export function batchReads(lend: Database["lend"]): Connection["run"] {
  const mergeReads = createMergeReads();
  let queue: QueuedRead[] = [];
  let running = 0;
  let timer: NodeJS.Timeout | undefined;

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    for (let first = 0; first < queue.length; first += MAX_MERGED_READS)
      runTogether(queue.slice(first, first + MAX_MERGED_READS));
    queue = [];
  };
  const flushUnlessBusy = () => {
    if (running === 0) flush();
    else timer ??= setTimeout(flush, MAX_WAIT_MS);
  };
  /** Lends a connection to a batch; what has come meanwhile is the next one. */
  const lendToBatch = async <T>(use: Parameters<typeof lend<T>>[0]): Promise<T> => {
    running++;
    try {
      return await lend(use);
    } finally {
      running--;
      if (queue.length > 0) flushUnlessBusy();
    }
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
      const answers = answersOf(await lendToBatch((connection) => connection.run(statement)));
      for (const [index, { resolve }] of reads.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      // One that fails, such as for a parameter, fails alone.
      if (isServerError(error)) for (const { reject } of reads) reject(error);
      else runBatches(reads);
    }
  };
  const runBatch = async (batch: QueuedRead[]) => {
    try {
      await lendToBatch(async (connection, discard) => {
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
      if (queue.length === 1) setImmediate(flushUnlessBusy);
    });
}
