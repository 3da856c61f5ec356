import type { Clock } from "../ports/clock.ts";

/**
 * Loads keys that are asked for one by one in a single call of `load` per tick. Jobs start many at a time, so
 * what each of them reads costs one query for all.
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

/** When a batch of writes is flushed. */
export interface BatchOptions {
  clock: Pick<Clock, "after">;
  /** The largest batch. */
  max_items: number;
  /** How long a batch waits for more items, counted from its first. */
  wait_ms: number;
  /** Whether more items may come soon; a batch waits only while this holds. */
  mayGrow(): boolean;
}

/** Writes items in batches. */
export interface WriteBatcher<T> {
  /** Resolves once the item is written; rejects with the error of its batch. */
  write(item: T): Promise<void>;
  /** Writes what waits if no more items are coming. Call it when an expected item won't come. */
  flushIfDone(): void;
}

interface Waiting<T> {
  item: T;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Writes one batch at a time, as soon as it is full, no more items are coming, or its wait is over. Each
 * batch costs one commit, so waiting for more items makes each of them cheaper; a lone item does not wait.
 */
export function batchWrites<T>(
  writeAll: (items: T[]) => Promise<void>,
  { clock, max_items, wait_ms, mayGrow }: BatchOptions,
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
