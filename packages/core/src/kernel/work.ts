import type { EventType } from "../catalogue/events.ts";
import type { JobKind } from "../catalogue/jobs.ts";
import type { Transaction } from "../ports/storage.ts";
/** An event as a feature notes it; account, sequence, id and time are added when the transaction ends. */
export interface PendingEvent {
  type: EventType;
  inbox_id: string | null;
  /**
   * The message that `data.message` and `data.task` tell of by their moments; without it `data` is shown as
   * it is.
   */
  message_id?: string;
  data: Record<string, unknown>;
}

/** A job as a feature notes it; due at once unless it says when. */
export interface PendingJob {
  kind: JobKind;
  subject_id: string;
  payload?: Record<string, unknown>;
  due_at?: Date;
}

/** A transaction of one account that also takes note of events, jobs and signals. */
export interface Work extends Transaction {
  /** Notes that something happened: stored, numbered and sent to webhooks with this transaction. */
  publish(event: PendingEvent): void;
  /** Notes due work. */
  job(job: PendingJob): void;
  /**
   * Notes what must hold: it is waited for together with the last writes, and when it fails nothing of the
   * transaction stands.
   */
  require(check: Promise<unknown>): void;
  /** Wakes those who wait on the channel, once the transaction is durable. */
  wake(channel: string): void;
}

/** The channels that long polls and streams wait on. */
export const channels = {
  inbox: (inbox_id: string) => `inbox:${inbox_id}`,
  tasks: (account_id: string) => `tasks:${account_id}`,
  events: (account_id: string) => `events:${account_id}`,
};
