import type { EventType } from "../catalogue/events.ts";
import type { JobKind } from "../catalogue/jobs.ts";
import type { EventData, StoredEventData } from "../model/events.ts";
import type { Transaction } from "../ports/storage.ts";
/**
 * An event as a feature publishes it; account, sequence, id and time are added when the transaction ends.
 * With a `message_id`, `data` holds snapshots of that message and its task; without one it is shown as it is.
 */
export type PendingEvent<T extends EventType = EventType> = { type: T; inbox_id: string | null } & (
  | { message_id: string; data: StoredEventData[T] }
  | { message_id?: never; data: EventData[T] }
);

/** A job as a feature queues it; due now unless `due_at` is set. */
export interface PendingJob {
  kind: JobKind;
  subject_id: string;
  payload?: Record<string, unknown>;
  due_at?: Date;
}

/** A unit of work: a transaction of one account that also collects events, jobs and signals. */
export interface Work extends Transaction {
  /** Publishes an event, which is stored, numbered and queued for webhooks with this transaction. */
  publish<T extends EventType>(event: PendingEvent<T>): void;
  /** Queues a job with this transaction. */
  job(job: PendingJob): void;
  /** Adds a check that is awaited with the last writes; when it fails, the transaction is rolled back. */
  require(check: Promise<unknown>): void;
  /** Counts bytes that this transaction stores for the account, or frees where negative. */
  countBytes(bytes: number): void;
  /** Wakes those who wait on the channel once the transaction has committed. */
  wake(channel: string): void;
}

/**
 * The signal channels that long polls and streams wait on. `inbox`: mail of an inbox. `expectation`: the end of one. `tasks` and `events`: of
 * a whole account or of one inbox, by its id; a write wakes both, a reader waits on what it is limited to.
 */
export const channels = {
  inbox: (inbox_id: string) => `inbox:${inbox_id}`,
  tasks: (id: string) => `tasks:${id}`,
  events: (id: string) => `events:${id}`,
  expectation: (id: string) => `expectation:${id}`,
};

/** Wakes those who wait for the tasks of an inbox, or of its whole account. */
export function wakeTasks(
  work: Pick<Work, "wake">,
  { account_id, inbox_id }: { account_id: string; inbox_id: string },
): void {
  work.wake(channels.tasks(account_id));
  work.wake(channels.tasks(inbox_id));
}
