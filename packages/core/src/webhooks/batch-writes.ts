import type { Clock } from "../ports/clock.ts";

/** How a batch comes together. */
export interface BatchOptions {
  clock: Pick<Clock, "after">;
  /** Items that are written at once. */
  most: number;
  /** How long a batch waits for more items, counted from its first. */
  pause_ms: number;
  /** Whether more may come soon; a batch waits only as long as this holds. */
  coming(): boolean;
}

/** Items that are written in batches. */
export interface WriteBatcher<T> {
  /** Resolves once the item is written; rejects with what its batch failed with. */
  write(item: T): Promise<void>;
  /** To be called when what was coming came to nothing: what waited for it is written now. */
  look(): void;
}

interface Waiting<T> {
  item: T;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Writes one batch at a time, as soon as it is full, nothing more is coming, or its pause is over. Each batch
 * costs a commit and the pages that it touches, so that waiting for more of them is what makes many cheap; a
 * lone item waits for nothing.
 */
export function batchWrites<T>(
  writeAll: (items: T[]) => Promise<void>,
  gathering: BatchOptions,
): WriteBatcher<T> {
  const { clock, most, pause_ms, coming } = gathering;
  const waiting: Waiting<T>[] = [];
  let writing = false;
  let stopPause: (() => void) | undefined;

  const look = () => {
    if (writing || waiting.length === 0) return;
    if (waiting.length >= most || !coming()) return void writeBatch();
    stopPause ??= clock.after(pause_ms, () => void writeBatch());
  };

  const writeBatch = async () => {
    stopPause?.();
    stopPause = undefined;
    writing = true;
    const batch = waiting.splice(0, most);
    await writeAll(batch.map(({ item }) => item)).then(
      () => batch.forEach(({ resolve }) => resolve()),
      (error: unknown) => batch.forEach(({ reject }) => reject(error)),
    );
    writing = false;
    look();
  };

  return {
    look,
    write: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        look();
      }),
  };
}
