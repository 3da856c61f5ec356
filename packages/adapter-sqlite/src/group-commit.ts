import { AsyncLocalStorage } from "node:async_hooks";
import { createEventLoopLoad, fail } from "@letterslot/core";
import type { Connection } from "./connection.ts";
import { type IndexEntry, indexEntries } from "./search-index.ts";
import { isBusy, isMachineError, toPublicError } from "./sqlite-errors.ts";

/** Writes that share a commit. */
export interface Batch {
  connection: Connection;
  /** Search entries of finished transactions: they are indexed together just before the commit. */
  entries: IndexEntry[];
}

/** Runs writes one at a time and commits them in batches. */
export interface GroupCommit {
  /** Runs a write alone; resolves once its batch is on disk. */
  submit<T>(write: (batch: Batch) => T | Promise<T>): Promise<T>;
  /** The writing connection while it has no open batch: it then shows committed data, from a warm cache. */
  committed(): Connection | undefined;
  /** How many commits there were. */
  commits(): number;
  /** Waits for all submitted writes and closes the connection. */
  finish(): Promise<void>;
}

/** How large a batch may grow. */
export interface BatchLimits {
  writes: number;
  /** How long a batch stays open while the event loop is saturated: larger batches cost less per write. */
  saturated_ms: number;
  /** How long it stays open otherwise. Each mail waits for two or three batches, so they must be short. */
  idle_ms: number;
}

const BATCH_LIMITS: BatchLimits = { writes: 64, saturated_ms: 30, idle_ms: 5 };
/** Above 95 % utilisation the event loop counts as saturated. */
const SATURATION = { look_every_ms: 500, busy_share: 0.95 };
/** How long the writes of a batch may run before they yield to the event loop. */
const MAX_BLOCKING_MS = 5;
/** A turn of the event loop that takes longer did some work, which may lead to another write. */
const BUSY_TURN_MS = 0.2;
/** How long another process may hold the lock before the waiting writes fail. */
const LOCK_WAIT_MS = 10_000;
const LOCK_RETRY_MS = 10;

interface QueuedWrite {
  write: (batch: Batch) => unknown;
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
}

type Outcome = { value: unknown } | { error: unknown };

/** Options of a group commit; `onCommit` is called after each commit, with no transaction open. */
export interface GroupCommitOptions {
  limits?: BatchLimits;
  onCommit?: (connection: Connection) => void;
}

/** Group commit over a writing connection; `open` opens a new one after the disk has failed. */
export function createGroupCommit(
  first: Connection,
  open: () => Connection,
  options: GroupCommitOptions = {},
): GroupCommit {
  const { limits = BATCH_LIMITS, onCommit } = options;
  const isSaturated = createEventLoopLoad(SATURATION);
  const queue: QueuedWrite[] = [];
  let connection = first;
  let broken = false;
  let commits = 0;
  let draining: Promise<void> | undefined;

  const drain = async () => {
    while (queue.length > 0) {
      // Writes queued by the next turn of the event loop join this batch.
      await nextTurn();
      try {
        if (broken) reopen();
        await begin(connection);
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
  };

  const commitBatch = async () => {
    const batch: Batch = { connection, entries: [] };
    const done: (QueuedWrite & { outcome: Outcome })[] = [];
    const end = performance.now() + (isSaturated() ? limits.saturated_ms : limits.idle_ms);
    do {
      const yield_at = Math.min(performance.now() + MAX_BLOCKING_MS, end);
      for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
        done.push({ ...job, outcome: await outcomeOf(job, batch) });
        if (!connection.inTransaction() || done.length >= limits.writes || performance.now() > yield_at)
          break;
      }
    } while (
      connection.inTransaction() &&
      done.length < limits.writes &&
      performance.now() < end &&
      (await moreWritesExpected())
    );

    try {
      // SQLite rolls back by itself on some errors, such as a full disk.
      if (!connection.inTransaction()) throw fail("storage_unavailable", { cause: firstError(done) });
      indexEntries(connection, batch.entries);
      // Counted before: a commit that reports an error may have happened all the same.
      commits++;
      connection.run("commit");
    } catch (error) {
      abandon(error);
      for (const { reject } of done) reject(unavailable(error));
      return;
    }
    for (const { outcome, resolve, reject } of done) {
      if ("error" in outcome) reject(toPublicError(outcome.error));
      else resolve(outcome.value as never);
    }
    onCommit?.(connection);
  };

  /** Whether to keep the batch open: every commit writes many of the same pages again. */
  const moreWritesExpected = async (): Promise<boolean> => {
    const before = performance.now();
    await nextTurn();
    return queue.length > 0 || performance.now() - before > BUSY_TURN_MS;
  };

  /** After a failed commit the connection's cache may differ from the disk, so the connection is replaced. */
  const abandon = (error: unknown) => {
    broken =
      isMachineError(error) || !succeeds(() => connection.inTransaction() && connection.run("rollback"));
  };

  return {
    submit: (write) =>
      new Promise((resolve, reject) => {
        // The write runs in its caller's asynchronous context.
        queue.push({ write: AsyncLocalStorage.bind(write), resolve, reject });
        draining ??= drain();
      }),
    committed: () => (broken || connection.inTransaction() ? undefined : connection),
    commits: () => commits,
    async finish() {
      while (draining !== undefined) await draining;
      connection.close();
    },
  };
}

async function outcomeOf({ write }: QueuedWrite, batch: Batch): Promise<Outcome> {
  try {
    return { value: await write(batch) };
  } catch (error) {
    return { error };
  }
}

function firstError(done: { outcome: Outcome }[]): unknown {
  for (const { outcome } of done) if ("error" in outcome) return outcome.error;
  return undefined;
}

/** Takes the write lock. Retries without blocking the event loop while another process holds it. */
async function begin(connection: Connection): Promise<void> {
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

function unavailable(error: unknown): unknown {
  return isMachineError(error) ? toPublicError(error) : fail("storage_unavailable", { cause: error });
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
