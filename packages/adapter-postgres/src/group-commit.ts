import { AsyncLocalStorage } from "node:async_hooks";
import type { Announcement, Transaction } from "@letterslot/core";
import { createExpectedWrites } from "@letterslot/sql";
import { breaksConnection, isClash, isRefusal } from "./postgres-errors.ts";

/** The body of a transaction. */
export type Run<T = unknown> = (tx: Transaction) => Promise<T>;

/** Runs transactions in shared commits, each as if alone. */
export interface GroupCommit {
  /**
   * Runs a transaction with others that wait for the same record, or with any others that are `announced`; resolves
   * once it is committed.
   */
  submit<T>(key: string, run: Run<T>, announced?: Announcement): Promise<T>;
  /** Announces a transaction. */
  announce(): Announcement;
}

/** The locks of records that transactions hold. */
export interface HeldLocks {
  release(): void;
}

/** What a group commit needs. */
export interface GroupServices<L extends HeldLocks> {
  /** Waits for a record's lock. */
  lock(key: string): Promise<L>;
  /** Locks those of the records that are free; tells which. */
  lockFree(keys: readonly string[]): { held: L; locked: ReadonlySet<string> };
  /** Runs one in its own transaction, with retries, and waits for the record's lock. */
  runAlone(key: string, run: Run): Promise<unknown>;
  /** The same for one that has to be retried because of the others in its group. */
  retryAlone(key: string, run: Run): Promise<unknown>;
  /** Opens a transaction; commits when `use` resolves, else rolls back. Calls `onCommit` before it sends the commit. */
  runShared(
    held: L,
    mode: SharedMode,
    use: (attempt: Attempt) => Promise<void>,
    onCommit: () => void,
  ): Promise<void>;
  /** Whether a retry after this error may succeed. */
  isRetryable(error: unknown): boolean;
  /** Whether it says that transactions can't run interleaved. */
  isUnserializable(error: unknown): boolean;
}

/**
 * How transactions run in one of the database: all at once; each once the one before has sent its statements; or so as well,
 * and one that fails is rolled back alone.
 */
export type SharedMode = "interleaved" | "in_turn" | "savepoints";

/** Runs one in the shared transaction; calls `onSent` once all its statements are sent. */
export type Attempt = (run: Run, onSent: () => void) => Promise<unknown>;

interface Waiting {
  key: string;
  run: Run;
  /** It was in a group that couldn't be interleaved. */
  in_turn?: true;
  resolve(value: never): void;
  reject(error: unknown): void;
}

type Outcome = { value: unknown } | { error: unknown; was_sent: boolean };
interface Begun {
  one: Waiting;
  outcome: Promise<Outcome>;
}

/** How many share a commit at most: those that are done wait for the others. */
const MAX_GROUP = 16;
/** So many groups get savepoints after one in which a transaction failed, since the next may be of its kind. */
const CAUTIOUS_GROUPS = 16;
/** So many groups run in turn after one whose transactions couldn't be interleaved, since the next may be of its kind. */
const GROUPS_IN_TURN = 8;
/** So many announced groups run at once, a further one only when it is full: the larger a group, the less each costs. */
const MAX_ANNOUNCED_GROUPS = 4;
/**
 * A group waits at most so long for announced ones that haven't come, if they are at least so many, until it has twice as many:
 * the larger it is, the less each costs, and the others are prepared while it is written.
 */
const COLLECT_MS = 40;
const WORTH_WAITING = 4;
const COLLECTED_PER_EXPECTED = 2;
/**
 * After a group of several records has clashed with another process, or waited for it in vain, so many transactions
 * share commits with those of their own record only: the more records a group changes, the more often processes clash.
 */
const SEPARATE_AFTER_CLASH = 512;

/**
 * Group commit for transactions that name a record which they change, such as their account. Those that were announced
 * share commits whatever their records; one whose record is locked waits for it in its own record's queue instead, so
 * that nobody waits for another one's record.
 */
export function createGroupCommit<L extends HeldLocks>({
  lock,
  lockFree,
  runAlone,
  retryAlone,
  runShared,
  isRetryable,
  isUnserializable,
}: GroupServices<L>): GroupCommit {
  const queues = new Map<string, Waiting[]>();
  const announcedQueue: Waiting[] = [];
  let draining = 0;
  let cautious = 0;
  let in_turn = 0;
  let separate = 0;
  /** Resolved when fewer are expected. */
  let fewer = Promise.withResolvers<void>();
  const expected = createExpectedWrites(() => {
    fewer.resolve();
    fewer = Promise.withResolvers<void>();
  });

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
  const enqueueAnnounced = (one: Waiting) => {
    announcedQueue.push(one);
    const isEnough = draining === 0 || announcedQueue.length >= MAX_GROUP;
    if (isEnough && draining < MAX_ANNOUNCED_GROUPS) void drainAnnounced();
  };

  const drain = async (key: string, queue: Waiting[]) => {
    while (queue.length > 0) {
      if (queue.length === 1) await commitOne(queue.shift() as Waiting);
      else {
        const held = await lock(key);
        // Later submissions may depend on commits that the transaction's snapshot doesn't include.
        const group = queue.splice(0, MAX_GROUP);
        queue.unshift(...(await commitGroup(group, held, modeOf(group))));
      }
    }
    queues.delete(key);
  };
  const drainAnnounced = async () => {
    draining++;
    // Those of this turn of the event loop share the first commit.
    await nextTurn();
    while (announcedQueue.length > 0) {
      await collectAnnounced();
      const group = takeFairly(announcedQueue, MAX_GROUP);
      const { held, locked } = lockFree(group.map(({ key }) => key));
      for (const one of group) if (!locked.has(one.key)) enqueue(one);
      const free = inOrder(group.filter(({ key }) => locked.has(key)));
      announcedQueue.unshift(...(await commitGroup(free, held, modeOfAnnounced(free))));
    }
    draining--;
  };

  /** Waits for announced transactions, as long as that is worth it. */
  const collectAnnounced = async () => {
    const isWorthWaiting = () =>
      expected.count() >= WORTH_WAITING &&
      announcedQueue.length < Math.min(COLLECTED_PER_EXPECTED * expected.count(), MAX_GROUP);
    const { promise: end, resolve: endNow } = Promise.withResolvers<"ended">();
    const timer = setTimeout(endNow, COLLECT_MS, "ended");
    while (isWorthWaiting()) if ((await Promise.race([fewer.promise, end])) === "ended") break;
    clearTimeout(timer);
  };
  const commitOne = (one: Waiting): Promise<void> => settle(one, runAlone(one.key, one.run));

  /** How transactions of one record run: they would often meet if they were interleaved. */
  const modeOf = (group: readonly Waiting[]): SharedMode => {
    // A savepoint costs two statements, and few transactions fail.
    if (cautious === 0 || group.length === 1) return "in_turn";
    cautious--;
    return "savepoints";
  };
  const modeOfAnnounced = (group: readonly Waiting[]): SharedMode => {
    const mode = modeOf(group);
    if (mode === "savepoints" || group.length === 1 || group.some((one) => one.in_turn)) return mode;
    if (in_turn === 0) return "interleaved";
    in_turn--;
    return mode;
  };

  /** Commits these together; returns those that are to be tried again, in another mode. */
  const commitGroup = async (waiting: Waiting[], held: L, mode: SharedMode): Promise<Waiting[]> => {
    const begun: Begun[] = [];
    let broken = false;
    let committing = false;
    const savepoints = mode === "savepoints";
    const breaks = (outcome: Outcome) => (savepoints ? breaksGroup(outcome) : "error" in outcome);
    const left = [...waiting];
    try {
      await runShared(
        held,
        mode,
        async (attempt) => {
          for (let one = left.shift(); one !== undefined; one = left.shift()) {
            const { outcome, sent } = begin(attempt, one.run);
            begun.push({ one, outcome });
            void outcome.then((ended) => (broken ||= breaks(ended)));
            // The next one's statements follow without waiting for this one's last answers.
            if (mode !== "interleaved") await Promise.race([sent, outcome]);
            if (broken) break;
          }
          for (const outcome of await Promise.all(begun.map(({ outcome: each }) => each)))
            if ("error" in outcome && breaks(outcome)) throw outcome.error;
        },
        () => {
          committing = true;
        },
      );
    } catch (error) {
      return [...(await fail(begun, error, { committing, savepoints })), ...left];
    } finally {
      held.release();
    }
    for (const { one, outcome } of begun) void settle(one, answer(one, await outcome));
    return [];
  };

  /** After a group was rolled back, or may be: returns those that are to be tried together again. */
  const fail = async (
    begun: readonly Begun[],
    error: unknown,
    { committing, savepoints }: { committing: boolean; savepoints: boolean },
  ): Promise<Waiting[]> => {
    const outcomes = await Promise.all(begun.map(({ outcome }) => outcome));
    const isOfSeveral = new Set(begun.map(({ one }) => one.key)).size > 1;
    if (isOfSeveral && [error, ...errorsOf(outcomes)].some(isTheServers)) separate = SEPARATE_AFTER_CLASH;
    if (errorsOf(outcomes).some(isUnserializable)) {
      in_turn = GROUPS_IN_TURN;
      return begun.map(({ one }) => ({ ...one, in_turn: true }));
    }
    const [first] = begun;
    if (first !== undefined && begun.length === 1 && !breaksConnection(error)) {
      void settle(first.one, answer(first.one, { error, was_sent: true }));
      return [];
    }
    const refused = !committing || isRefusal(error);
    // If it was more than the failure of one, none of them is tried together again.
    if (refused && !savepoints && !errorsOf(outcomes).some(isTheServers)) {
      cautious = CAUTIOUS_GROUPS;
      return begun.map(({ one }) => one);
    }
    // Nothing was committed, unless the answer to the commit itself was lost: then nobody can tell.
    const rolledBack = refused || isClash(error);
    for (const [index, { one }] of begun.entries())
      void settle(one, rolledBack ? rerun(one, outcomes[index] as Outcome) : Promise.reject(error));
    return [];
  };

  /** The result of one that was committed, or rolled back alone. */
  const answer = async (one: Waiting, outcome: Outcome): Promise<unknown> => {
    if ("value" in outcome) return outcome.value;
    if (isRetryable(outcome.error)) return retryAlone(one.key, one.run);
    throw outcome.error;
  };

  /**
   * Reruns one whose group was rolled back, since it read uncommitted data, unless it broke the connection.
   */
  const rerun = async (one: Waiting, outcome: Outcome): Promise<unknown> => {
    if ("error" in outcome && breaksConnection(outcome.error)) throw outcome.error;
    return retryAlone(one.key, one.run);
  };

  return {
    announce: expected.announce,
    submit: (key, run, announced) =>
      new Promise((resolve, reject) => {
        // The transaction runs in its caller's asynchronous context.
        const one = { key, run: AsyncLocalStorage.bind(run), resolve, reject };
        if (announced !== undefined && separate === 0) enqueueAnnounced(one);
        else {
          if (announced !== undefined) separate--;
          enqueue(one);
        }
        announced?.withdraw();
      }),
  };
}

/** Takes the next ones; of more than that, as many of each record as there are of others, so that none's flood delays them. */
function takeFairly(queue: Waiting[], most: number): Waiting[] {
  if (queue.length <= most) return queue.splice(0);
  const before = new Map<string, number>();
  const ranked = queue.map((one) => {
    const rank = before.get(one.key) ?? 0;
    before.set(one.key, rank + 1);
    return { one, rank };
  });
  const taken = new Set(
    ranked
      .toSorted((a, b) => a.rank - b.rank)
      .slice(0, most)
      .map(({ one }) => one),
  );
  queue.splice(0, queue.length, ...queue.filter((one) => !taken.has(one)));
  return [...taken];
}

/** In the order of their records: two processes that lock several of them don't wait for each other. */
const inOrder = (group: readonly Waiting[]): Waiting[] =>
  group.toSorted((one, other) => (one.key < other.key ? -1 : Number(one.key > other.key)));

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
  return "error" in outcome && (outcome.was_sent || isTheServers(outcome.error));
}

/** Whether it is more than the failure of one transaction. */
const isTheServers = (error: unknown): boolean => isClash(error) || breaksConnection(error);

const errorsOf = (outcomes: readonly Outcome[]): unknown[] =>
  outcomes.flatMap((outcome) => ("error" in outcome ? [outcome.error] : []));

async function settle({ resolve, reject }: Waiting, work: Promise<unknown>): Promise<void> {
  try {
    resolve((await work) as never);
  } catch (error) {
    reject(error);
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
