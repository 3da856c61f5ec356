import { AsyncLocalStorage } from "node:async_hooks";
import type { Transaction } from "@letterslot/core";
import { isClash, leavesInDoubt } from "./postgres-trouble.ts";

/** What is run in a transaction. */
export type Run<T = unknown> = (tx: Transaction) => Promise<T>;

/** Runs transactions that change one record together: as if each were alone, with one commit for all. */
export interface GroupCommit {
  /** Runs one with those that wait for the same record; resolves once it is committed. */
  submit<T>(key: string, run: Run<T>): Promise<T>;
}

/** What committing together stands on. */
export interface GroupParts {
  /**
   * Runs one in a transaction of its own, which holds the record meanwhile, for as many times as it takes.
   */
  alone(key: string, run: Run): Promise<unknown>;
  /** Likewise, for one that was run with others before and is run again because of them. */
  again(key: string, run: Run): Promise<unknown>;
  /**
   * Opens a transaction that holds the record; it is committed when `use` resolves and rolled back when that
   * fails.
   */
  together(key: string, use: (attempt: Attempt) => Promise<void>): Promise<void>;
  /** Whether one that failed so may succeed when it is run again. */
  mayRunAgain(error: unknown): boolean;
}

/**
 * Runs one as a part of an open transaction that is taken back alone when it fails; `sent` is called when
 * nothing more will be sent for it.
 */
export type Attempt = (run: Run, sent: () => void) => Promise<unknown>;

interface Waiting {
  run: Run;
  resolve(value: never): void;
  reject(error: unknown): void;
}

type Outcome = { value: unknown } | { error: unknown; was_sent: boolean };

/** How many go together at most: those that are done wait for the others. */
const TOGETHER = 16;

/**
 * Group commit over transactions of which each names the record that all of its kind change, such as the
 * account's.
 */
export function createGroupCommit({ alone, again, together, mayRunAgain }: GroupParts): GroupCommit {
  const queues = new Map<string, Waiting[]>();

  const drain = async (key: string, queue: Waiting[]) => {
    while (queue.length > 0)
      await (queue.length === 1 ? commitAlone(key, queue) : commitTogether(key, queue));
    queues.delete(key);
  };

  const commitAlone = (key: string, queue: Waiting[]): Promise<void> => {
    const one = queue.shift() as Waiting;
    return settle(one, alone(key, one.run));
  };

  const commitTogether = async (key: string, queue: Waiting[]): Promise<void> => {
    const taken: { one: Waiting; outcome: Promise<Outcome> }[] = [];
    let broken = false;
    try {
      await together(key, async (attempt) => {
        // Whoever comes later may know of commits that this transaction, once it has begun, doesn't see.
        const here = Math.min(queue.length, TOGETHER);
        while (taken.length < here && !broken) {
          const one = queue.shift() as Waiting;
          const { outcome, sent } = begin(attempt, one.run);
          taken.push({ one, outcome });
          void outcome.then((ended) => (broken ||= breaksAll(ended)));
          // The next one's statements follow on the heels of this one's last.
          await Promise.race([sent, outcome]);
        }
        const breaking = (await Promise.all(taken.map(({ outcome }) => outcome))).find(breaksAll);
        if (breaking !== undefined) throw breaking.error;
      });
    } catch (error) {
      // Nothing of it stands, unless the commit itself got lost: then nobody can tell.
      const noneStands = broken || isClash(error);
      for (const { one, outcome } of taken)
        void settle(one, noneStands ? rerun(key, one, await outcome) : Promise.reject(error));
      return;
    }
    for (const { one, outcome } of taken) void settle(one, answer(key, one, await outcome));
  };

  /** What one comes to that was committed, or taken back by itself. */
  const answer = async (key: string, one: Waiting, outcome: Outcome): Promise<unknown> => {
    if ("value" in outcome) return outcome.value;
    if (mayRunAgain(outcome.error)) return again(key, one.run);
    throw outcome.error;
  };

  /** Whatever one came to, it has seen what isn't so; but who broke the connection doesn't get another. */
  const rerun = async (key: string, one: Waiting, outcome: Outcome): Promise<unknown> => {
    if ("error" in outcome && leavesInDoubt(outcome.error)) throw outcome.error;
    return again(key, one.run);
  };

  return {
    submit: (key, run) =>
      new Promise((resolve, reject) => {
        // What the caller keeps in its asynchronous context is there when its turn comes.
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

/**
 * One that fails after the next one has followed it can't be taken back alone; nor can a clash, or a
 * connection in doubt.
 */
function breaksAll(outcome: Outcome): outcome is Outcome & { error: unknown } {
  return "error" in outcome && (outcome.was_sent || isClash(outcome.error) || leavesInDoubt(outcome.error));
}

async function settle({ resolve, reject }: Waiting, work: Promise<unknown>): Promise<void> {
  try {
    resolve((await work) as never);
  } catch (error) {
    reject(error);
  }
}
