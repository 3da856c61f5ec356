import type { TableName } from "@letterslot/core";
import type { Access, BufferedWrite } from "@letterslot/sql";
import type { Connection } from "./database.ts";
import type { MergeStatements } from "./merge-statements.ts";

/**
 * What the transactions of a group write and none of them reads: it waits for the group's end, so that a table gets one
 * insert for all of them.
 */
export interface DeferredWrites {
  add(writes: readonly BufferedWrite[]): void;
  /** Whether a statement must see what waits. Of one without `access` nobody knows what it reads. */
  matterTo(access: Access | undefined): boolean;
  /** Sends what waits, and answers once all is written that was ever sent; throws at once what can't be sent. */
  send(): Promise<unknown>;
}

/** More are sent earlier, so that a group of large transactions doesn't wait in memory. */
const MAX_WAITING = 2_000;

/** Deferred writes of a transaction on this connection. */
export function createDeferredWrites(
  { run }: Connection,
  mergeStatements: MergeStatements,
): DeferredWrites {
  let waiting: BufferedWrite[] = [];
  let tables = new Set<TableName>();
  let sent: Promise<unknown> = Promise.resolve();

  const send = (): Promise<unknown> => {
    if (waiting.length === 0) return sent;
    const statements = mergeStatements.ofGroup(waiting);
    waiting = [];
    tables = new Set();
    sent = Promise.all([sent, ...statements.map(({ statement }) => run(statement))]);
    // Whoever sends next learns of a failure, at the latest at the group's end.
    sent.catch(() => undefined);
    return sent;
  };

  return {
    add(writes) {
      for (const write of writes) {
        waiting.push(write);
        if ("append" in write) tables.add(write.table);
      }
      if (waiting.length > MAX_WAITING) void send();
    },
    matterTo: (access) => waiting.length > 0 && (access === undefined || tables.has(access.table)),
    send,
  };
}
