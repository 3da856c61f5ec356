import { AsyncLocalStorage } from "node:async_hooks";
import { createLoadGauge, fail } from "@letterslot/core";
import type { Connection } from "./connection.ts";
import { type IndexEntry, indexEntries } from "./search-index.ts";
import { isBusy, isTrouble, outwardError } from "./sqlite-trouble.ts";

/** What is being committed together. */
export interface Batch {
  connection: Connection;
  /** What finished transactions index: it goes into the search index together, just before the commit. */
  entries: IndexEntry[];
}

/** Writes one after the other, commits them together. */
export interface GroupCommit {
  /** Runs a write alone; resolves once it is on disk, with others or by itself. */
  submit<T>(write: (batch: Batch) => T | Promise<T>): Promise<T>;
  /**
   * The connection while no batch is open on it: then it shows what is committed, and has it in its cache.
   */
  settled(): Connection | undefined;
  /** How many commits there were. */
  commits(): number;
  /** Waits for all that was submitted, and closes the connection. */
  finish(): Promise<void>;
}

/** How large a batch may grow, so that nobody waits long. */
export interface BatchLimits {
  writes: number;
  /**
   * How long a batch takes in more while the event loop has no rest: the more share a commit, the less each
   * costs.
   */
  milliseconds: number;
  /**
   * How long while it has: then a batch that waits serves nobody, and each mail waits for two or three of
   * them.
   */
  rested_milliseconds: number;
}

const batchLimits: BatchLimits = { writes: 64, milliseconds: 30, rested_milliseconds: 5 };
/** Without a twentieth of its time to rest the event loop is under water: more comes than it can do. */
const restless = { look_every_ms: 500, busy_share: 0.95 };
/** How long writes of a batch may follow each other before the event loop turns. */
const STRETCH_MS = 5;
/** A turn of the event loop that takes longer has done something, which may well end in another write. */
const BUSY_TURN_MS = 0.2;
/** How long another process may hold the lock before the waiting writes fail. */
const LOCK_WAIT_MS = 10_000;
const LOCK_RETRY_MS = 10;

interface Waiting {
  write: (batch: Batch) => unknown;
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
}

type Outcome = { value: unknown } | { error: unknown };

/** How a group commit works; `committed` hears of each commit, while no transaction is open. */
export interface GroupCommitOptions {
  limits?: BatchLimits;
  committed?: (connection: Connection) => void;
}

/** Group commit over a writing connection; `open` gives a new one after the disk has failed. */
export function createGroupCommit(
  first: Connection,
  open: () => Connection,
  options: GroupCommitOptions = {},
): GroupCommit {
  const { limits = batchLimits, committed } = options;
  const isRestless = createLoadGauge(restless);
  const waiting: Waiting[] = [];
  let connection = first;
  let broken = false;
  let commits = 0;
  let draining: Promise<void> | undefined;

  const drain = async () => {
    while (waiting.length > 0) {
      // Whoever is ready by the next turn of the event loop comes along.
      await nextTurn();
      try {
        if (broken) reopen();
        await begin(connection);
      } catch (error) {
        for (const { reject } of waiting.splice(0)) reject(unavailable(error));
        continue;
      }
      await commitTogether();
    }
    draining = undefined;
  };

  const reopen = () => {
    // The connection may be past closing; the new one is what counts.
    attempt(() => connection.close());
    connection = open();
    broken = false;
  };

  const commitTogether = async () => {
    const batch: Batch = { connection, entries: [] };
    const done: (Waiting & { outcome: Outcome })[] = [];
    const end = performance.now() + (isRestless() ? limits.milliseconds : limits.rested_milliseconds);
    do {
      const stretch = Math.min(performance.now() + STRETCH_MS, end);
      for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
        done.push({ ...job, outcome: await outcomeOf(job, batch) });
        if (!connection.inTransaction() || done.length >= limits.writes || performance.now() > stretch) break;
      }
    } while (
      connection.inTransaction() &&
      done.length < limits.writes &&
      performance.now() < end &&
      (await othersCome())
    );

    try {
      // SQLite itself has rolled back, as it does when it runs out of room.
      if (!connection.inTransaction()) throw fail("storage_unavailable", { cause: firstError(done) });
      indexEntries(connection, batch.entries);
      // One that fails may have happened all the same.
      commits++;
      connection.run("commit");
    } catch (error) {
      abandon(error);
      for (const { reject } of done) reject(unavailable(error));
      return;
    }
    for (const { outcome, resolve, reject } of done) {
      if ("error" in outcome) reject(outwardError(outcome.error));
      else resolve(outcome.value as never);
    }
    committed?.(connection);
  };

  /**
   * Whether others are ready within a turn of the event loop, or soon: each commit writes the same pages
   * again, so it waits for them.
   */
  const othersCome = async (): Promise<boolean> => {
    const before = performance.now();
    await nextTurn();
    return waiting.length > 0 || performance.now() - before > BUSY_TURN_MS;
  };

  /**
   * After a failed commit the connection starts afresh: what it has in memory need not be what is on disk.
   */
  const abandon = (error: unknown) => {
    broken = isTrouble(error) || !attempt(() => connection.inTransaction() && connection.run("rollback"));
  };

  return {
    submit: (write) =>
      new Promise((resolve, reject) => {
        // What the caller keeps in its asynchronous context is there when its turn comes.
        waiting.push({ write: AsyncLocalStorage.bind(write), resolve, reject });
        draining ??= drain();
      }),
    settled: () => (broken || connection.inTransaction() ? undefined : connection),
    commits: () => commits,
    async finish() {
      while (draining !== undefined) await draining;
      connection.close();
    },
  };
}

async function outcomeOf({ write }: Waiting, batch: Batch): Promise<Outcome> {
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

/** Takes the write lock. While another process has it the event loop goes on. */
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

function attempt(run: () => unknown): boolean {
  try {
    run();
    return true;
  } catch {
    return false;
  }
}

function unavailable(error: unknown): unknown {
  return isTrouble(error) ? outwardError(error) : fail("storage_unavailable", { cause: error });
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
