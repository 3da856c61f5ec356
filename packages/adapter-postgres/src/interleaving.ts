import type { Access, AskedStatement, BufferedWrite, Row } from "@letterslot/sql";
import { createConflictGraph } from "./conflict-graph.ts";
import type { Connection } from "./database.ts";
import { accessOf, createDeferredWrites } from "./deferred-writes.ts";
import { lastAnswer } from "./last-answer.ts";
import type { MergeStatements } from "./merge-statements.ts";
import { rowsOf } from "./statement-parts.ts";

/** Transactions that run interleaved within one of the database. */
export interface Interleaving {
  /** Adds one. */
  join(): Interleaved;
  /** Sends what is written last, and answers once all is written; throws at once what can't be sent. */
  sendRest(): Promise<unknown>;
}

/** One of the transactions. Each method throws `NotSerializable` where none of them could have gone first. */
export interface Interleaved {
  /** Writes, and runs statements with those that the others ask in this tick; returns the rows of each. */
  send(writes: readonly BufferedWrite[], asked: readonly AskedStatement[]): Promise<Row[][]>;
  /** Runs statements of which nobody knows what they read and change. */
  run: Connection["run"];
}

interface Queued {
  by: Interleaved;
  asked: readonly AskedStatement[];
  resolve(rows: Row[][]): void;
  reject(error: unknown): void;
}

/** Of more writes to a table at once only the table is noted: each would be compared with those of all the others. */
const MAX_NOTED = 16;

/**
 * Interleaves transactions on one connection: what they ask in one tick is one statement, and what they write without reading
 * it is sent at the end. PostgreSQL can't keep them apart, so a graph of their conflicts does: each statement has the
 * effect that it would have if all ran in the order in which they were asked.
 */
export function createInterleaving({ run }: Connection, mergeStatements: MergeStatements): Interleaving {
  const graph = createConflictGraph();
  let queue: Queued[] = [];

  const flush = async () => {
    const together = queue;
    queue = [];
    if (together.length === 0) return;
    try {
      const merged = mergeStatements.ofSeveral(together.flatMap(({ asked }) => asked));
      const sent = merged.map(({ statement }) => run(statement));
      const rows = await rowsOf(merged, sent);
      let from = 0;
      for (const { asked, resolve } of together) resolve(rows.slice(from, (from += asked.length)));
    } catch (error) {
      for (const { reject } of together) reject(error);
    }
  };
  /** Runs a statement after all that was asked before. */
  const runAfterQueue: Connection["run"] = (statement) => {
    void flush();
    return run(statement);
  };
  const deferred = createDeferredWrites({ run: runAfterQueue }, mergeStatements);

  const enqueue = (by: Interleaved, asked: readonly AskedStatement[]): Promise<Row[][]> =>
    new Promise((resolve, reject) => {
      queue.push({ by, asked, resolve, reject });
      // What the others ask in this tick is in the queue by then.
      if (queue.length === 1) process.nextTick(() => void flush());
    });

  return {
    join() {
      const member = graph.join();
      const interleaved: Interleaved = {
        async send(writes, asked) {
          const sees = asked.map(({ statement }) => member.does(statement.access)).includes(true);
          for (const access of notedAccesses(writes)) member.writes(access);
          // What a transaction asks twice in a tick is to happen in this order.
          if (sees || queue.some(({ by }) => by === interleaved)) void flush();
          const before = asked.some(({ statement }) => deferred.matterTo(statement.access))
            ? deferred.send()
            : undefined;
          const answer = asked.length === 0 ? Promise.resolve([]) : enqueue(interleaved, asked);
          // If `add` throws, nobody awaits the answer, and its own failure would go unhandled.
          answer.catch(() => undefined);
          deferred.add(writes);
          return lastAnswer([before], answer);
        },
        async run(statement) {
          member.does(undefined);
          const before = deferred.matterTo(undefined) ? deferred.send() : undefined;
          return lastAnswer([before], runAfterQueue(statement));
        },
      };
      return interleaved;
    },
    sendRest() {
      void flush();
      return deferred.send();
    },
  };
}

/** What of a transaction's writes is compared with the others'. A write without conditions is taken to concern all records. */
function notedAccesses(writes: readonly BufferedWrite[]): Access[] {
  const accesses = writes.flatMap((write) => accessOf(write) ?? []);
  if (accesses.length <= MAX_NOTED) return accesses;
  return [...Map.groupBy(accesses, ({ table, does }) => `${table} ${does}`).values()].flatMap((alike) =>
    alike.length <= MAX_NOTED ? alike : alike.slice(0, 1).map(({ table, does }) => ({ table, does })),
  );
}
