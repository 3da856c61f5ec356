import { AsyncLocalStorage } from "node:async_hooks";
import { breaksConnection, missedTurn } from "../storage/postgres-errors.ts";
import {
  type Attempt,
  type Declared,
  keyOf,
  type Outcome,
  type Run,
  type RunGroup,
  runGroup,
  type SharedMode,
  type Waiting,
} from "./batch.ts";
import { afterFailure, chooseFairly, inOrder, MAX_GROUP, mayBegin } from "./policy.ts";

/** Runs transactions in shared commits, each as if alone. */
export interface GroupCommit {
  /**
   * Runs a transaction with others that wait for the same record, or, if it `shares`, with any others that do; resolves
   * once it is committed.
   */
  submit<T>(declared: Declared, run: Run<T>, shares: boolean): Promise<T>;
}

/** The locks of records that transactions hold. */
export interface HeldLocks {
  release(): void;
}

/** Dependencies of a group commit. */
export interface GroupServices<L extends HeldLocks> {
  /** Waits for a record's lock. */
  lock(key: string): Promise<L>;
  /** Locks those of the records that are free; tells which. */
  lockFree(keys: readonly string[]): { held: L; locked: ReadonlySet<string> };
  /** Runs one in its own transaction, with retries, and waits for the record's lock. */
  runAlone(declared: Declared, run: Run): Promise<unknown>;
  /** The same for one that has to be retried because of the others in its group. */
  retryAlone(declared: Declared, run: Run): Promise<unknown>;
  /** Opens a transaction; commits when `use` resolves, else rolls back. Calls `onCommit` before it sends the commit. */
  runShared(
    held: L,
    group: readonly Declared[],
    mode: SharedMode,
    use: (attempt: Attempt) => Promise<void>,
    onCommit: () => void,
  ): Promise<void>;
  /** Whether a retry after this error may succeed. */
  isRetryable(error: unknown): boolean;
}

/**
 * The number of groups that get savepoints after one in which a transaction failed, since the next may fail likewise.
 */
const CAUTIOUS_GROUPS = 16;
/**
 * After a group of several records has clashed with another process, or waited for it in vain, so many transactions
 * share commits with those of their own record only: the more records a group changes, the more often processes clash.
 */
const SEPARATE_AFTER_CLASH = 512;

/**
 * Group commit for transactions that name the record they change, such as their account. Transactions of different
 * records share a commit; one whose record is locked waits in that record's queue instead, so that no transaction waits
 * for a record that isn't its own.
 */
export function createGroupCommit<L extends HeldLocks>({
  lock,
  lockFree,
  runAlone,
  retryAlone,
  runShared,
  isRetryable,
}: GroupServices<L>): GroupCommit {
  const queues = new Map<string, Waiting[]>();
  const sharedQueue: Waiting[] = [];
  let draining = 0;
  let cautious = 0;
  let separate = 0;

  const enqueue = (one: Waiting) => {
    const queue = queues.get(one.key);
    if (queue !== undefined) {
      queue.push(one);
      return;
    }
    const opened = [one];
    queues.set(one.key, opened);
    void drain(one.key, opened);
  };
  const enqueueShared = (one: Waiting) => {
    sharedQueue.push(one);
    if (mayBegin(draining, sharedQueue.length)) void drainShared();
  };

  const drain = async (key: string, queue: Waiting[]) => {
    while (queue.length > 0) {
      if (queue.length === 1) await commitOne(queue.shift() as Waiting);
      else {
        const held = await lock(key);
        // Later submissions may depend on commits that the transaction's snapshot doesn't include.
        queue.unshift(...(await commitGroup(queue.splice(0, MAX_GROUP), held)));
      }
    }
    queues.delete(key);
  };
  const drainShared = async () => {
    draining++;
    // Those of this turn of the event loop share the first commit.
    await nextTurn();
    while (sharedQueue.length > 0) {
      const group = chooseFairly(sharedQueue);
      const chosen = new Set(group);
      sharedQueue.splice(0, sharedQueue.length, ...sharedQueue.filter((one) => !chosen.has(one)));
      const { held, locked } = lockFree(group.map(({ key }) => key));
      for (const one of group) if (!locked.has(one.key)) enqueue(one);
      const free = inOrder(group.filter(({ key }) => locked.has(key)));
      const again = await commitGroup(free, held);
      // After a clash each shares a commit with those of its own record only, and waits for none but those.
      if (separate > 0) again.forEach(enqueue);
      else sharedQueue.unshift(...again);
    }
    draining--;
  };

  const commitOne = (one: Waiting): Promise<void> => settle(one, runAlone(one, one.run));
  const nextMode = (size: number): SharedMode => {
    // A savepoint costs two statements, and few transactions fail.
    if (cautious === 0 || size === 1) return "in_turn";
    cautious--;
    return "savepoints";
  };
  /** Commits these together; returns those to retry. */
  const commitGroup = async (group: readonly Waiting[], held: L): Promise<Waiting[]> => {
    const mode = nextMode(group.length);
    try {
      const ran = await runGroup(group, mode, (use, onCommit) => runShared(held, group, mode, use, onCommit));
      if (ran.failure !== undefined) return [...fail(group, ran, ran.failure, mode), ...ran.left];
      for (const { one, outcome } of ran.begun) void settle(one, answer(one, outcome));
      return [];
    } finally {
      held.release();
    }
  };

  /** Handles a failed group: returns those to retry together. */
  const fail = (
    group: readonly Waiting[],
    { begun }: RunGroup,
    { error, committing }: NonNullable<RunGroup["failure"]>,
    mode: SharedMode,
  ): Waiting[] => {
    const keys = begun.map(({ one }) => one.key);
    const errors = begun.flatMap(({ outcome }) => ("error" in outcome ? [outcome.error] : []));
    const savepoints = mode === "savepoints";
    const group_keys = group.map(({ key }) => key);
    const failed = { keys, group: group_keys, error, errors, committing, savepoints };
    const { run, clashed } = afterFailure(failed);
    if (clashed) separate = SEPARATE_AFTER_CLASH;
    if (run === "together") {
      cautious = CAUTIOUS_GROUPS;
      return begun.map(({ one }) => one);
    }
    for (const { one, outcome } of begun) {
      if (run === "never") void settle(one, answer(one, { error, was_sent: true }));
      else void settle(one, run === "alone" ? rerun(one, outcome) : Promise.reject(error));
    }
    return [];
  };

  /** The result of one that was committed, or rolled back alone. */
  const answer = async (one: Waiting, outcome: Outcome): Promise<unknown> => {
    if ("value" in outcome) return outcome.value;
    if (isRetryable(outcome.error)) return retryAlone(one, one.run);
    throw outcome.error;
  };
  /**
   * Reruns one whose group was rolled back, since it read uncommitted data, unless it broke the connection; not by waiting
   * for a turn in vain, which may have been that of another.
   */
  const rerun = async (one: Waiting, outcome: Outcome): Promise<unknown> => {
    if ("error" in outcome && breaksConnection(outcome.error) && !missedTurn(outcome.error))
      throw outcome.error;
    return retryAlone(one, one.run);
  };

  return {
    submit: (declared, run, shares) =>
      new Promise((resolve, reject) => {
        // The transaction runs in its caller's asynchronous context.
        const key = keyOf(declared.changes);
        const one = { ...declared, key, run: AsyncLocalStorage.bind(run), resolve, reject };
        if (shares && separate === 0) return enqueueShared(one);
        if (shares) separate--;
        enqueue(one);
      }),
  };
}

async function settle({ resolve, reject }: Waiting, work: Promise<unknown>): Promise<void> {
  try {
    resolve((await work) as never);
  } catch (error) {
    reject(error);
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
