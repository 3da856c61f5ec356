import { breaksConnection, isClash, isRefusal } from "../storage/postgres-errors.ts";

/** The maximum number of transactions that share a commit: finished ones wait for the others. */
export const MAX_GROUP = 16;
/**
 * The number of groups of several records that run at once; beyond it, a group starts only when it is full: the larger
 * a group, the less each costs.
 */
const MAX_SHARED_GROUPS = 4;

/** Whether another group of several records begins now. */
export const mayBegin = (running: number, waiting: number): boolean =>
  running === 0 || (running < MAX_SHARED_GROUPS && waiting >= MAX_GROUP);

/**
 * The transactions of the next group: the first ones; of more than fit in, as many of each record as there are of others, so
 * that none's flood delays them.
 */
export function chooseFairly<W extends { key: string }>(waiting: readonly W[], most = MAX_GROUP): W[] {
  if (waiting.length <= most) return [...waiting];
  const before = new Map<string, number>();
  const ranked = waiting.map((one) => {
    const rank = before.get(one.key) ?? 0;
    before.set(one.key, rank + 1);
    return { one, rank };
  });
  return ranked
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, most)
    .map(({ one }) => one);
}

/** In the order of their records: two processes that lock several of them don't wait for each other. */
export const inOrder = <W extends { key: string }>(group: readonly W[]): W[] =>
  group.toSorted((one, other) => (one.key < other.key ? -1 : Number(one.key > other.key)));

/** A group that was rolled back, or may be. */
export interface FailedGroup {
  /** The records of those that had begun. */
  keys: readonly string[];
  /** The records of all. */
  group: readonly string[];
  /** The group's error. */
  error: unknown;
  /** The errors of its transactions. */
  errors: readonly unknown[];
  /** Whether the commit was sent. */
  committing: boolean;
  /** Whether one that fails would have been rolled back alone. */
  savepoints: boolean;
}

/** The consequence of a group's failure for its transactions. */
export interface Consequence {
  /**
   * The only one has failed; all run again together; each runs again alone; or all learn that their outcome is unknown.
   */
  run: "never" | "together" | "alone" | "unknown";
  /** Whether processes clash over groups of several records. */
  clashed: boolean;
}

/** Decides what becomes of a failed group. */
export function afterFailure(failed: FailedGroup): Consequence {
  const { keys, group, error, errors, committing, savepoints } = failed;
  const clashed = new Set(group).size > 1 && [error, ...errors].some(isTheServers);
  if (keys.length === 1 && !breaksConnection(error)) return { run: "never", clashed };
  const refused = !committing || isRefusal(error);
  // If it was more than the failure of one, none of them is tried together again.
  if (refused && !savepoints && !errors.some(isTheServers)) return { run: "together", clashed };
  // Nothing was committed, unless the answer to the commit itself was lost: then the outcome is unknown.
  return { run: refused || isClash(error) ? "alone" : "unknown", clashed };
}

/** Whether it is more than the failure of one transaction. */
export const isTheServers = (error: unknown): boolean => isClash(error) || breaksConnection(error);
