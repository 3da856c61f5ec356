import { iso } from "../model/fields.ts";
import type { JobRecord } from "../model/jobs.ts";
import type { WebhookRecord } from "../model/webhooks.ts";
import type { TransactionIntent } from "../ports/storage.ts";
import type { Parts } from "./context.ts";
import { appendEvents } from "./events/append.ts";
import { deliveriesFor, webhooksOf } from "./events/deliveries.ts";
import type { NotedEvent, NotedJob, Work } from "./work.ts";
import { channels } from "./work.ts";

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
