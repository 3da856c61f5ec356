import { AsyncResource } from "node:async_hooks";
import {
  type Announcement,
  createEventLoopLoad,
  fail,
  LetterslotError,
  type TableName,
  type TransactionIntent,
} from "@letterslot/core";
import { createExpectedWrites, type SqlStatement } from "@letterslot/sql";
import type { Connection } from "./connection.ts";
import { type IndexEntry, indexEntries } from "./search-index.ts";
import { isBusy, isMachineError, toPublicError } from "./sqlite-errors.ts";
import { type SummingBatch, writeSums } from "./sums.ts";
import { createChangedTables, createTableVersions } from "./table-versions.ts";

/** Writes that share a commit. */
export interface Batch extends SummingBatch {
  /** Search entries of finished transactions: they are indexed together just before the commit. */
  entries: IndexEntry[];
  /** Whether each transaction is a savepoint, so that one that fails is rolled back alone. */
  savepoints: boolean;
  /** Whether a transaction has failed that had written something: the batch is rolled back, and its writes run again. */
  spoiled: boolean;
}

/** Runs writes one at a time and commits them in batches. */
export interface GroupCommit {
  /**
   * Runs a write alone; resolves once its batch is on disk. Writes that are announced or may wait may be held back to share
   * a commit. One that is part of a load resolves once committed, and is on disk with the next commit that isn't part of a load.
   */
  submit<T>(write: (batch: Batch) => T | Promise<T>, intent?: WriteIntent): Promise<T>;
  /** Announces a write. */
  announce(): Announcement;
  /**
   * The writing connection, whose cache is warm, if the statement would see only committed data on it: no batch is open, or the
   * open one hasn't changed anything that the statement may read.
   */
  committed(statement?: Pick<SqlStatement, "access">): Connection | undefined;
  /** How many commits there were. */
  commits(): number;
  /** A number that grows with each commit that changed one of the tables. */
  version(tables: readonly TableName[]): number;
  /** Waits for all submitted writes and closes the connection. */
  finish(): Promise<void>;
}

/** What a write declares in advance. */
export type WriteIntent = Pick<TransactionIntent, "announced" | "may_wait" | "part_of_load">;

/** How large a batch may grow. */
export interface BatchLimits {
  writes: number;
  /** How long a batch stays open while the event loop is saturated: larger batches cost less per write. */
  saturated_ms: number;
  /** How long it stays open otherwise. Each mail waits for two or three batches, so they must be short. */
  idle_ms: number;
  /** How long announced writes wait, before their batch begins, for others that were announced before. */
  announced_ms: number;
  /** How long it waits for the next of them: if none comes, the rest are stuck. */
  gap_ms: number;
  /** How long writes that may wait do so for one that may not. Committed on their own, they would delay whatever comes next. */
  company_ms: number;
}

const BATCH_LIMITS: BatchLimits = {
  writes: 64,
  saturated_ms: 30,
  idle_ms: 5,
  announced_ms: 100,
  gap_ms: 15,
  company_ms: 25,
};
/** A batch waits for no fewer announced writes than this, so none waits where there is little to do. */
const WORTH_WAITING = 4;
/** Above 95 % utilisation the event loop counts as saturated. */
const SATURATION = { look_every_ms: 500, busy_share: 0.95 };
/** How long the writes of a batch may run before they yield to the event loop. */
const MAX_BLOCKING_MS = 5;
/** A turn of the event loop that takes longer did some work, which may lead to another write. */
const BUSY_TURN_MS = 0.2;
/** How long another process may hold the lock before the waiting writes fail. */
const LOCK_WAIT_MS = 10_000;
const LOCK_RETRY_MS = 10;
/**
 * After a batch was spoiled, so many have savepoints: where one mail is a copy, others often are. Otherwise there are none,
 * because for each of them SQLite copies every page that a transaction changes.
 */
const BATCHES_WITH_SAVEPOINTS = 16;

interface QueuedWrite {
  write: (batch: Batch) => unknown;
  announced: boolean;
  may_wait: boolean;
  part_of_load: boolean;
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
}

type Outcome = { value: unknown } | { error: unknown };
type DoneWrite = QueuedWrite & { outcome: Outcome };

/** Options of a group commit; `onCommit` is called after each commit, and the next transaction waits for it. */
export interface GroupCommitOptions {
  limits?: BatchLimits;
  onCommit?: (connection: Connection, part_of_load: boolean) => Promise<void> | undefined;
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
  /** Whether commits of the connection wait for the disk. */
  let syncs = true;
  let commits = 0;
  let with_savepoints = 0;
  const versions = createTableVersions();
  /** What the latest batch has changed. */
  let changed = createChangedTables();
  let draining: Promise<void> | undefined;
  /** The timer that commits writes that may wait if no other comes. */
  let company: NodeJS.Timeout | undefined;
  let company_is_over = false;
  let wake = () => {};
  const expected = createExpectedWrites(() => wake());

  const drain = async () => {
    do {
      company_is_over = false;
      // Writes queued by the next turn of the event loop join this batch.
      await nextTurn();
      await collectAnnounced();
      try {
        if (broken) reopen();
        syncCommits(queue[0]?.part_of_load !== true);
        await lock(connection);
      } catch (error) {
        for (const { reject } of queue.splice(0)) reject(unavailable(error));
        continue;
      }
      await commitBatch();
    } while (company_is_over || queue.length >= limits.writes || queue.some(({ may_wait }) => !may_wait));
    draining = undefined;
    if (queue.length > 0) waitForCompany();
  };

  const begin = () => {
    clearTimeout(company);
    company = undefined;
    if (queue.length > 0) draining ??= drain();
  };
  const waitForCompany = () => {
    company ??= setTimeout(() => {
      company_is_over = draining !== undefined;
      begin();
    }, limits.company_ms);
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
  /** Takes the next write that may share this batch's commit. */
  const takeNext = () => (isOther(queue[0]) ? undefined : queue.shift());
  const isOther = (job: QueuedWrite | undefined) => job !== undefined && job.part_of_load === syncs;

  const commitBatch = async () => {
    changed = createChangedTables();
    const batch: Batch = {
      connection,
      entries: [],
      sums: [],
      changed,
      savepoints: with_savepoints > 0,
      spoiled: false,
    };
    with_savepoints = Math.max(0, with_savepoints - 1);
    const mayGoOn = () => connection.inTransaction() && !batch.spoiled && done.length < limits.writes;
    const done: DoneWrite[] = [];
    /** Those that waited for each other, and who came last, share the commit however long they take. */
    const collected = queue.some(({ announced }) => announced) ? queue.length : 0;
    const end = performance.now() + (isSaturated() ? limits.saturated_ms : limits.idle_ms);
    do {
      const yield_at = performance.now() + MAX_BLOCKING_MS;
      for (let job = takeNext(); job !== undefined; job = takeNext()) {
        done.push({ ...job, outcome: await outcomeOf(job, batch) });
        if (!mayGoOn() || performance.now() > yield_at) break;
      }
    } while (
      mayGoOn() &&
      !isOther(queue[0]) &&
      (done.length < collected || performance.now() < end) &&
      (await moreWritesQueued())
    );

    try {
      // SQLite rolls back by itself on some errors, such as a full disk.
      if (!connection.inTransaction()) throw fail("storage_unavailable", { cause: firstError(done) });
      if (batch.spoiled) {
        connection.run("rollback");
        runAgain(done);
        return;
      }
      writeSums(batch, batch.sums);
      indexEntries(connection, batch.entries);
      // Counted before: a commit that reports an error may have happened all the same.
      commits++;
      versions.committed(batch.changed);
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
    await onCommit?.(connection, !syncs);
  };

  /**
   * Runs the writes of a spoiled batch again, each in a savepoint. Also the one that failed, if it wasn't alone: what it met,
   * such as the mail that it is a copy of, may fail to be committed. Not the one that took too long.
   */
  const runAgain = (done: DoneWrite[]) => {
    const again: QueuedWrite[] = [];
    for (const { outcome, ...write } of done) {
      if ("error" in outcome && (done.length === 1 || isUnavailable(outcome.error)))
        write.reject(toPublicError(outcome.error));
      else again.push({ ...write, announced: false, may_wait: false });
    }
    if (again.length > 0) with_savepoints = BATCHES_WITH_SAVEPOINTS;
    queue.unshift(...again);
  };

  /** Whether to keep the batch open: every commit writes many of the same pages again. */
  const moreWritesQueued = async (): Promise<boolean> => {
    const before = performance.now();
    await nextTurn();
    return queue.length > 0 || performance.now() - before > BUSY_TURN_MS;
  };

  /**
   * Waits for announced writes, as long as no other is queued. The transaction begins afterwards, so that what is read
   * meanwhile is read on the writing connection, whose cache is warm: another one's is emptied by every commit.
   */
  const collectAnnounced = async () => {
    const until = performance.now() + limits.announced_ms;
    const known = expected.newest();
    const worthWaiting = () =>
      queue.length < limits.writes &&
      queue.every(({ announced, may_wait }) => announced || may_wait) &&
      expected.areAtLeast(WORTH_WAITING, known);
    while (worthWaiting() && (await nextWrite(until)));
  };

  /** Waits for the next write, or for one that won't come; false when time is up. */
  const nextWrite = async (until: number): Promise<boolean> => {
    const left = Math.min(limits.gap_ms, until - performance.now());
    if (left <= 0) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(resolve, left, false);
    wake = () => resolve(true);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      wake = () => {};
    }
  };

  /** After a failed commit the connection's cache may differ from the disk, so the connection is replaced. */
  const abandon = (error: unknown) => {
    broken =
      isMachineError(error) || !succeeds(() => connection.inTransaction() && connection.run("rollback"));
  };

  return {
    submit: (write, { announced, may_wait = false, part_of_load = false } = {}) =>
      new Promise((resolve, reject) => {
        // The write runs in its caller's asynchronous context; binding it would take three times as long.
        const context = new AsyncResource("LETTERSLOT_WRITE");
        queue.push({
          write: (batch) => context.runInAsyncScope(write, undefined, batch),
          announced: announced !== undefined,
          may_wait,
          part_of_load,
          resolve,
          reject,
        });
        announced?.withdraw();
        wake();
        if (may_wait && queue.length < limits.writes) waitForCompany();
        else begin();
      }),
    announce: expected.announce,
    committed(statement = {}) {
      if (broken) return undefined;
      return connection.inTransaction() && changed.matterTo(statement) ? undefined : connection;
    },
    commits: () => commits,
    version: versions.of,
    async finish() {
      for (begin(); draining !== undefined; begin()) await draining;
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

function isUnavailable(error: unknown): boolean {
  return error instanceof LetterslotError && error.code === "storage_unavailable";
}

function firstError(done: { outcome: Outcome }[]): unknown {
  for (const { outcome } of done) if ("error" in outcome) return outcome.error;
  return undefined;
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

function unavailable(error: unknown): unknown {
  return isMachineError(error) ? toPublicError(error) : fail("storage_unavailable", { cause: error });
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
