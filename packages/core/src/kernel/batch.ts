import type { Clock } from "../ports/clock.ts";

/**
 * Loads keys that are requested one by one with a single call of `load` per tick. Many jobs start at the same time, so
 * each of their reads costs one query for all of them.
 */
export function batchReads<V>(
  load: (keys: string[]) => Promise<ReadonlyMap<string, V>>,
): (key: string) => Promise<V | undefined> {
  let keys = new Set<string>();
  let pending: Promise<ReadonlyMap<string, V>> | undefined;

  const loadPending = async (): Promise<ReadonlyMap<string, V>> => {
    await Promise.resolve();
    const batch = [...keys];
    keys = new Set();
    pending = undefined;
    return load(batch);
  };

  return async (key) => {
    keys.add(key);
    pending ??= loadPending();
    return (await pending).get(key);
  };
}

/** The conditions for flushing a batch of writes. */
export interface BatchOptions {
  clock: Pick<Clock, "after">;
  /** The largest batch. */
  maxItems: number;
  /** The longest wait for more items, counted from the batch's first. */
  waitMs: number;
  /** Whether more items may come soon; a batch waits only while this holds. */
  mayGrow(): boolean;
}

/** Writes items in batches. */
export interface WriteBatcher<T> {
  /** Resolves once the item is written; rejects with the error of its batch. */
  write(item: T): Promise<void>;
  /** Writes the pending items if no more are coming. Call it when an expected item won't come. */
  flushIfDone(): void;
}

interface Waiting<T> {
  item: T;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Writes one batch at a time, as soon as it is full, no more items are coming, or its wait is over. Each batch costs
 * one commit, so waiting for more items makes each one cheaper; a lone item does not wait.
 */
export function batchWrites<T>(
  writeAll: (items: T[]) => Promise<void>,
  { clock, maxItems: max_items, waitMs: wait_ms, mayGrow }: BatchOptions,
): WriteBatcher<T> {
  const waiting: Waiting<T>[] = [];
  let writing = false;
  let cancelTimer: (() => void) | undefined;

  const flushIfDone = () => {
    if (writing || waiting.length === 0) return;
    if (waiting.length >= max_items || !mayGrow()) return void writeBatch();
    cancelTimer ??= clock.after(wait_ms, () => void writeBatch());
  };

  const writeBatch = async () => {
    cancelTimer?.();
    cancelTimer = undefined;
    writing = true;
    const batch = waiting.splice(0, max_items);
    await writeAll(batch.map(({ item }) => item)).then(
      () => batch.forEach(({ resolve }) => resolve()),
      (error: unknown) => batch.forEach(({ reject }) => reject(error)),
    );
    writing = false;
    flushIfDone();
  };

  return {
    flushIfDone,
    write: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        flushIfDone();
      }),
  };
}
