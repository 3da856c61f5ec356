import type { Transaction, TransactionIntent } from "@letterslot/core/ports";
import { isTheServers } from "./policy.ts";

/** The body of a transaction. */
export type Run<T = unknown> = (tx: Transaction) => Promise<T>;

/** The way several transactions run in one database transaction: with savepoints, a failed one is rolled back alone. */
export type SharedMode = "in_turn" | "savepoints";

/** Runs one in the shared transaction; calls `onSent` once all its statements are sent. */
export type Attempt = (run: Run, onSent: () => void) => Promise<unknown>;

/** Opens a transaction; commits when `use` resolves, else rolls back. Calls `onCommit` before it sends the commit. */
export type RunShared = (use: (attempt: Attempt) => Promise<void>, onCommit: () => void) => Promise<void>;

/** The key of a record, for locks and queues. */
export const keyOf = ({ table, id }: { table: string; id: string }): string => `${table} ${id}`;

/** The intent of a transaction that names the record that it changes. */
export interface Declared {
  changes: NonNullable<TransactionIntent["changes"]>;
  /** Whether it reads its own records only. */
  reads_own: boolean;
}

/** A transaction that waits for its group. */
export interface Waiting extends Declared {
  /** The key of the record that it changes. */
  key: string;
  run: Run;
  resolve(value: never): void;
  reject(error: unknown): void;
}

/** The outcome of one transaction within its group. */
export type Outcome = { value: unknown } | { error: unknown; was_sent: boolean };

/** A group that has run. */
export interface RunGroup {
  /** Those that had begun, and how they ended. */
  begun: { one: Waiting; outcome: Outcome }[];
  /** Those that had not. */
  left: Waiting[];
  /** The group's error, and whether the commit had been sent by then. */
  failure: { error: unknown; committing: boolean } | undefined;
}

/** Runs transactions one after the other in one of the database. */
export async function runGroup(
  group: readonly Waiting[],
  mode: SharedMode,
  runShared: RunShared,
): Promise<RunGroup> {
  const begun: { one: Waiting; outcome: Promise<Outcome> }[] = [];
  const left = [...group];
  const breaks = (outcome: Outcome) => (mode === "savepoints" ? breaksGroup(outcome) : "error" in outcome);
  let broken = false;
  let committing = false;
  const runAll = async (attempt: Attempt) => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) {
      const { outcome, sent } = begin(attempt, one.run);
      begun.push({ one, outcome });
      void outcome.then((ended) => (broken ||= breaks(ended)));
      // The next one's statements follow without waiting for this one's last answers.
      await Promise.race([sent, outcome]);
      if (broken) break;
    }
    for (const outcome of await Promise.all(begun.map(({ outcome: each }) => each)))
      if ("error" in outcome && breaks(outcome)) throw outcome.error;
  };
  let failure: RunGroup["failure"];
  try {
    await runShared(runAll, () => {
      committing = true;
    });
  } catch (error) {
    failure = { error, committing };
  }
  const ended = await Promise.all(begun.map(async ({ one, outcome }) => ({ one, outcome: await outcome })));
  return { begun: ended, left, failure };
}

function begin(attempt: Attempt, run: Run): { outcome: Promise<Outcome>; sent: Promise<void> } {
  const { promise: sent, resolve } = Promise.withResolvers<void>();
  let was_sent = false;
  const outcome = attempt(run, () => {
    was_sent = true;
    resolve();
  }).then(
    (value) => ({ value }),
    (error: unknown) => ({ error, was_sent }),
  );
  return { outcome, sent };
}

/** Whether the group must roll back: the next one has already followed, a clash, or a broken connection. */
const breaksGroup = (outcome: Outcome): boolean =>
  "error" in outcome && (outcome.was_sent || isTheServers(outcome.error));
