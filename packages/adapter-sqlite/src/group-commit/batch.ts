import { fail } from "@letterslot/core/ports";
import type { Connection } from "../connection.ts";
import { type IndexEntry, indexEntries } from "../search/search-index.ts";
import { type ChangedTables, createChangedTables } from "../table-versions.ts";
import { type BatchLimits, nextStep } from "./policy.ts";

/** Writes that share a commit. */
export interface Batch {
  connection: Connection;
  /** The tables of core that its transactions change. */
  changed: ChangedTables;
  /** Search entries of finished transactions: they are indexed together just before the commit. */
  entries: IndexEntry[];
}

/** A write that waits for its turn. */
export interface QueuedWrite {
  write: (batch: Batch) => unknown;
  part_of_load: boolean;
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
}

/** The result of a write, delivered once the batch is committed. */
type Outcome = { value: unknown } | { error: unknown };
/** A write that has run. */
type DoneWrite = QueuedWrite & { outcome: Outcome };

/** The input of a batch. */
interface BatchInput {
  connection: Connection;
  queue: QueuedWrite[];
  /** Whether a write may share this commit. */
  isOfThis(write: QueuedWrite): boolean;
  limits: BatchLimits;
  saturated: boolean;
}

/** Runs queued writes one at a time in an open transaction, until it is time to commit. */
export async function runBatch(input: BatchInput): Promise<{ batch: Batch; done: DoneWrite[] }> {
  const { connection, queue, isOfThis, limits, saturated } = input;
  const batch: Batch = { connection, changed: createChangedTables(), entries: [] };
  const done: DoneWrite[] = [];
  const began = performance.now();
  let running_since = began;
  let turn_ms: number | undefined;
  const step = () => {
    const now = performance.now();
    const [first] = queue;
    const next = first === undefined ? "none" : isOfThis(first) ? "same" : "other";
    const times = { open_ms: now - began, running_ms: now - running_since, turn_ms };
    return nextStep({ ...times, writes: done.length, next, saturated }, limits);
  };
  // SQLite rolls back by itself on some errors, such as a full disk.
  for (let next = step(); next !== "commit" && connection.inTransaction(); next = step()) {
    if (next === "turn") {
      const before = performance.now();
      await nextTurn();
      running_since = performance.now();
      turn_ms = running_since - before;
      continue;
    }
    const write = queue.shift() as QueuedWrite;
    done.push({ ...write, outcome: await outcomeOf(write, batch) });
    turn_ms = undefined;
  }
  return { batch, done };
}

/** Writes what waited for the end of the batch. Throws when the batch is lost. */
export function finishBatch({ connection, entries }: Batch, done: readonly DoneWrite[]): void {
  if (!connection.inTransaction()) throw fail("storage_unavailable", { cause: firstError(done) });
  indexEntries(connection, entries);
}

async function outcomeOf({ write }: QueuedWrite, batch: Batch): Promise<Outcome> {
  try {
    return { value: await write(batch) };
  } catch (error) {
    return { error };
  }
}

function firstError(done: readonly DoneWrite[]): unknown {
  for (const { outcome } of done) if ("error" in outcome) return outcome.error;
  return undefined;
}

/** Resolves in the next turn of the event loop. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
