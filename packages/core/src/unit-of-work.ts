import type { Parts } from "./context.ts";
import type { EventType } from "./events.ts";
import { appendEvents } from "./feed/append.ts";
import type { JobKind, JobRecord } from "./jobs.ts";
import type { Transaction, TransactionIntent } from "./ports/storage.ts";
import { iso } from "./schema.ts";
import type { WebhookRecord } from "./webhooks/schema.ts";
import { deliveriesFor, webhooksOf } from "./webhooks/subscribe.ts";

/** An event as a feature notes it; account, sequence, id and time are added when the transaction ends. */
export interface NotedEvent {
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
export interface NotedJob {
  kind: JobKind;
  subject_id: string;
  payload?: Record<string, unknown>;
  due_at?: Date;
}

/** A transaction of one account that also takes note of events, jobs and signals. */
export interface Work extends Transaction {
  /** Notes that something happened: stored, numbered and sent to webhooks with this transaction. */
  publish(event: NotedEvent): void;
  /** Notes due work. */
  job(job: NotedJob): void;
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

/**
 * Runs a transaction of an account. Events get the account's next sequence numbers under the account's row,
 * so numbers follow the order of commits. After the commit, waiters are woken and workers called; if that
 * fails, the sweep finds the work. Who has just read the account's webhooks gives them along.
 */
export async function unitOfWork<T>(
  parts: Parts,
  account_id: string,
  now: Date,
  run: (work: Work) => Promise<T>,
  subscribed?: readonly WebhookRecord[],
): Promise<T> {
  const webhooks = subscribed ?? (await webhooksOf(parts, account_id));
  let wakes = new Set<string>();
  let earliest: Date | undefined;

  const result = await parts.storage.transaction(async (tx) => {
    const events: NotedEvent[] = [];
    const jobs: JobRecord[] = [];
    const checks: Promise<unknown>[] = [];
    wakes = new Set();
    earliest = undefined;
    const addJob = ({ kind, subject_id, payload = {}, due_at = now }: NotedJob) => {
      jobs.push({
        id: parts.makeId("job"),
        kind,
        subject_id,
        payload,
        due_at: iso(due_at),
        attempts: 0,
        lease: null,
        created_at: iso(now),
      });
      if (earliest === undefined || due_at < earliest) earliest = due_at;
    };

    const answer = await run({
      ...tx,
      publish: (event) => void events.push(event),
      job: addJob,
      require(check) {
        checks.push(check);
        // It is heard in the end; until then another failure may end the transaction.
        check.catch(() => undefined);
      },
      wake: (channel) => void wakes.add(channel),
    });

    const publishAll = async () => {
      if (events.length === 0) return;
      const records = await appendEvents(tx, { account_id, now, makeId: parts.makeId }, events);
      const deliveries = deliveriesFor(webhooks, records, parts.makeId);
      tx.append("deliveries", deliveries);
      for (const { id } of deliveries) addJob({ kind: "webhook.deliver", subject_id: id });
      wakes.add(channels.events(account_id));
    };
    await Promise.all([publishAll(), ...checks]);
    tx.append("jobs", jobs);
    return answer;
  }, numbered(account_id));

  await wakeAll(parts, [...wakes], earliest);
  return result;
}

/** Whoever publishes changes the account's row, for the next numbers. */
const numbered = (account_id: string): TransactionIntent => ({
  changes: { table: "accounts", id: account_id },
});

async function wakeAll(parts: Parts, wakes: string[], earliest: Date | undefined): Promise<void> {
  try {
    if (wakes.length > 0) await parts.signals.publish(wakes);
    if (earliest !== undefined) await parts.queue.send(earliest);
  } catch (error) {
    // What was committed stays committed: the caller must not be told otherwise because a wake-up got lost.
    parts.log.warn({ error }, "wake-up failed; the sweep will find the work");
  }
}
