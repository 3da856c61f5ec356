import { AsyncLocalStorage } from "node:async_hooks";
import type { Transaction } from "@letterslot/core";
import { breaksConnection, isClash } from "./postgres-errors.ts";

/** The body of a transaction. */
export type Run<T = unknown> = (tx: Transaction) => Promise<T>;

/** Runs transactions that change the same record in one commit, each as if alone. */
export interface GroupCommit {
  /** Runs a transaction with others that wait for the same record; resolves once it is committed. */
  submit<T>(key: string, run: Run<T>): Promise<T>;
}

/** What a group commit needs. */
export interface GroupServices {
  /** Runs one in its own transaction, holding the record's lock, with retries. */
  runAlone(key: string, run: Run): Promise<unknown>;
  /** The same for one that has to be retried because of the others in its group. */
  retryAlone(key: string, run: Run): Promise<unknown>;
  /**
   * Opens a transaction that holds the record's lock; commits when `use` resolves, else rolls back. `savepoints`:
   * whether one that fails can be rolled back alone.
   */
  runShared(key: string, savepoints: boolean, use: (attempt: Attempt) => Promise<void>): Promise<void>;
  /** Whether a retry after this error may succeed. */
  isRetryable(error: unknown): boolean;
}

/** Runs one in the shared transaction; calls `onSent` once all its statements are sent. */
export type Attempt = (run: Run, onSent: () => void) => Promise<unknown>;

interface Waiting {
  run: Run;
  resolve(value: never): void;
  reject(error: unknown): void;
}

type Outcome = { value: unknown } | { error: unknown; was_sent: boolean };

/** How many share a commit at most: those that are done wait for the others. */
const MAX_GROUP = 16;
/** So many groups get savepoints after one in which a transaction failed, since the next may be of its kind. */
const CAUTIOUS_GROUPS = 16;

/** Group commit for transactions that name the record which they all change, such as their account. */
export function createGroupCommit({
  runAlone,
  retryAlone,
  runShared,
  isRetryable,
}: GroupServices): GroupCommit {
  const queues = new Map<string, Waiting[]>();
  let cautious = 0;

  const drain = async (key: string, queue: Waiting[]) => {
    while (queue.length > 0) await (queue.length === 1 ? commitOne(key, queue) : commitGroup(key, queue));
    queues.delete(key);
  };

  const commitOne = (key: string, queue: Waiting[]): Promise<void> => {
    const one = queue.shift() as Waiting;
    return settle(one, runAlone(key, one.run));
  };

  const commitGroup = async (key: string, queue: Waiting[]): Promise<void> => {
    const group: { one: Waiting; outcome: Promise<Outcome> }[] = [];
    let broken = false;
    // A savepoint costs two statements, and few transactions fail.
    const savepoints = cautious > 0;
    if (savepoints) cautious--;
    const breaks = (outcome: Outcome) => (savepoints ? breaksGroup(outcome) : "error" in outcome);
    try {
      await runShared(key, savepoints, async (attempt) => {
        // Later submissions may depend on commits that this transaction's snapshot doesn't include.
        const size = Math.min(queue.length, MAX_GROUP);
        while (group.length < size && !broken) {
          const one = queue.shift() as Waiting;
          const { outcome, sent } = begin(attempt, one.run);
          group.push({ one, outcome });
          void outcome.then((ended) => (broken ||= breaks(ended)));
          // The next one's statements follow without waiting for this one's last answers.
          await Promise.race([sent, outcome]);
        }
        for (const outcome of await Promise.all(group.map(({ outcome: each }) => each)))
          if ("error" in outcome && breaks(outcome)) throw outcome.error;
      });
    } catch (error) {
      if (broken && !savepoints && !(await anyIsTheServers(group))) {
        cautious = CAUTIOUS_GROUPS;
        queue.unshift(...group.map(({ one }) => one));
        return;
      }
      // Nothing was committed, unless the answer to the commit itself was lost: then nobody can tell.
      const rolledBack = broken || isClash(error);
      for (const { one, outcome } of group)
        void settle(one, rolledBack ? rerun(key, one, await outcome) : Promise.reject(error));
      return;
    }
    for (const { one, outcome } of group) void settle(one, answer(key, one, await outcome));
  };

  /** The result of one that was committed, or rolled back alone. */
  const answer = async (key: string, one: Waiting, outcome: Outcome): Promise<unknown> => {
    if ("value" in outcome) return outcome.value;
    if (isRetryable(outcome.error)) return retryAlone(key, one.run);
    throw outcome.error;
  };

  /**
   * Reruns one whose group was rolled back, since it read uncommitted data, unless it broke the connection.
   */
  const rerun = async (key: string, one: Waiting, outcome: Outcome): Promise<unknown> => {
    if ("error" in outcome && breaksConnection(outcome.error)) throw outcome.error;
    return retryAlone(key, one.run);
  };

  return {
    submit: (key, run) =>
      new Promise((resolve, reject) => {
        // The transaction runs in its caller's asynchronous context.
        const one = { run: AsyncLocalStorage.bind(run), resolve, reject };
        const queue = queues.get(key);
        if (queue !== undefined) {
          queue.push(one);
          return;
        }
        const opened = [one];
        queues.set(key, opened);
        void drain(key, opened);
      }),
  };
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
function breaksGroup(outcome: Outcome): boolean {
  return (
    "error" in outcome && (outcome.was_sent || isClash(outcome.error) || breaksConnection(outcome.error))
  );
}

/** Whether it was more than the failure of one: then none of them is tried together again. */
async function anyIsTheServers(group: readonly { outcome: Promise<Outcome> }[]): Promise<boolean> {
  const outcomes = await Promise.all(group.map(({ outcome }) => outcome));
  return outcomes.some(
    (outcome) => "error" in outcome && (isClash(outcome.error) || breaksConnection(outcome.error)),
  );
}

async function settle({ resolve, reject }: Waiting, work: Promise<unknown>): Promise<void> {
  try {
    resolve((await work) as never);
  } catch (error) {
    reject(error);
  }
}
