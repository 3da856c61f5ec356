import { AsyncResource } from "node:async_hooks";
import { createEventLoopLoad, fail, type TableName, type TransactionIntent } from "@letterslot/core/ports";
import type { Connection } from "../connection.ts";
import { isBusy, isMachineError, toPublicError } from "../sqlite-errors.ts";
import { createTableVersions } from "../table-versions.ts";
import { type Batch, finishBatch, nextTurn, type QueuedWrite, runBatch } from "./batch.ts";
import { BATCH_LIMITS, type BatchLimits } from "./policy.ts";

/** Runs writes one at a time and commits them in batches. */
export interface GroupCommit {
  /**
   * Runs a write alone; resolves once its batch is on disk. One that is part of a load resolves once committed, and is on
   * disk with the next commit that isn't part of a load.
   */
  submit<T>(write: (batch: Batch) => T | Promise<T>, intent?: WriteIntent): Promise<T>;
  /** The writing connection, whose cache is warm, while no batch is open. */
  committed(): Connection | undefined;
  /** A number that grows with each commit that changed one of the tables. */
  version(tables: readonly TableName[]): number;
  /** Waits for all submitted writes and closes the connection. */
  finish(): Promise<void>;
}

/** The properties of a write that are declared in advance. */
type WriteIntent = Pick<TransactionIntent, "part_of_load">;

/** Options of a group commit; `onCommit` is called after each commit, and the next transaction waits for it. */
interface GroupCommitOptions {
  limits?: BatchLimits;
  onCommit?: (connection: Connection, part_of_load: boolean) => Promise<void> | undefined;
}

/** Above 60 % utilisation the event loop counts as saturated: larger batches then pay. */
const SATURATION = { look_every_ms: 500, busy_share: 0.6 };
/** The time for which another process may hold the lock before the waiting writes fail. */
const LOCK_WAIT_MS = 10_000;
const LOCK_RETRY_MS = 10;

/** Group commit over a writing connection; `open` opens a new one after the disk has failed. */
export function createGroupCommit(
  first: Connection,
  open: () => Connection,
  { limits = BATCH_LIMITS, onCommit }: GroupCommitOptions = {},
): GroupCommit {
  const isSaturated = createEventLoopLoad(SATURATION);
  const versions = createTableVersions();
  const queue: QueuedWrite[] = [];
  let connection = first;
  let broken = false;
  /** Whether commits of the connection wait for the disk. */
  let syncs = true;
  let draining: Promise<void> | undefined;

  const drain = async () => {
    while (queue.length > 0) {
      // Writes queued by the next turn of the event loop join this batch.
      await nextTurn();
      try {
        if (broken) reopen();
        syncCommits(queue[0]?.part_of_load !== true);
        await lock(connection);
      } catch (error) {
        for (const { reject } of queue.splice(0)) reject(unavailable(error));
        continue;
      }
      await commitBatch();
    }
    draining = undefined;
  };

  const reopen = () => {
    // Closing may fail as well; only the new connection counts.
    succeeds(() => connection.close());
    connection = open();
    broken = false;
    syncs = true;
  };
  /** In WAL mode a commit that isn't synced is whole or lost, and so is all that follows it. */
  const syncCommits = (wanted: boolean) => {
    if (syncs === wanted) return;
    connection.script(`pragma synchronous = ${wanted ? "full" : "normal"}`);
    syncs = wanted;
  };

  const commitBatch = async () => {
    const isOfThis = ({ part_of_load }: QueuedWrite) => part_of_load !== syncs;
    const { batch, done } = await runBatch({ connection, queue, isOfThis, limits, saturated: isSaturated() });
    try {
      finishBatch(batch, done);
      // Counted before: a commit that reports an error may have happened all the same.
      versions.committed(batch.changed);
      connection.run("commit");
    } catch (error) {
      // After a failed commit the connection's cache may differ from the disk, so the connection is replaced.
      broken =
        isMachineError(error) || !succeeds(() => connection.inTransaction() && connection.run("rollback"));
      for (const { reject } of done) reject(unavailable(error));
      return;
    }
    for (const { outcome, resolve, reject } of done) {
      if ("error" in outcome) reject(toPublicError(outcome.error));
      else resolve(outcome.value as never);
    }
    await onCommit?.(connection, !syncs);
  };

  return {
    submit: (write, { part_of_load = false } = {}) =>
      new Promise((resolve, reject) => {
        // The write runs in its caller's asynchronous context; binding it would take three times as long.
        const context = new AsyncResource("LETTERSLOT_WRITE");
        const run = (batch: Batch) => context.runInAsyncScope(write, undefined, batch);
        queue.push({ write: run, part_of_load, resolve, reject });
        draining ??= drain();
      }),
    committed: () => (broken || connection.inTransaction() ? undefined : connection),
    version: versions.of,
    async finish() {
      await draining;
      connection.close();
    },
  };
}

/** Takes the write lock. Retries without blocking the event loop while another process holds it. */
async function lock(connection: Connection): Promise<void> {
  const end = performance.now() + LOCK_WAIT_MS;
  for (;;) {
    try {
      connection.run("begin immediate");
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, LOCK_RETRY_MS));
    }
  }
}

function succeeds(run: () => unknown): boolean {
  try {
    run();
    return true;
  } catch {
    return false;
  }
}

const unavailable = (error: unknown): unknown =>
  isMachineError(error) ? toPublicError(error) : fail("storage_unavailable", { cause: error });
