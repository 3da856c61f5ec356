import { iso } from "../model/fields.ts";
import type { JobRecord } from "../model/jobs.ts";
import type { WebhookRecord } from "../model/webhooks.ts";
import type { Services } from "./context.ts";
import { appendEvents } from "./events/append.ts";
import { deliveriesFor, webhooksOf } from "./events/deliveries.ts";
import type { EarlyClaim } from "./jobs/early-claims.ts";
import { countForParent } from "./sub-account-bytes.ts";
import type { PendingEvent, PendingJob, Work } from "./work.ts";
import { channels } from "./work.ts";

/**
 * Runs a transaction of an account. Events get the account's next sequence numbers under its row lock, so
 * numbers follow commit order. After the commit it wakes waiters and workers; if that fails, the sweep finds
 * the work. `webhooks` are the account's, if the caller has just read them; `shares_commit`, `reads_own` and
 * `part_of_load` are the storage's.
 */
export async function unitOfWork<T>(
  services: Services,
  account_id: string,
  now: Date,
  run: (work: Work) => Promise<T>,
  known: {
    webhooks?: readonly WebhookRecord[];
    shares_commit?: boolean;
    reads_own?: boolean;
    part_of_load?: boolean;
  } = {},
): Promise<T> {
  const webhooks = known.webhooks ?? (await webhooksOf(services, account_id));
  const { shares_commit = false, reads_own = false, part_of_load = false } = known;
  // Publishing events changes the account's row, which holds the sequence number.
  const changes = { table: "accounts", id: account_id } as const;
  const intent = { changes, shares_commit, reads_own, part_of_load };
  let wakes = new Set<string>();
  let earliest: Date | undefined;
  const early: { claim: EarlyClaim | undefined; jobs: JobRecord[] } = { claim: undefined, jobs: [] };
  const giveBack = () => {
    early.claim?.free();
    early.claim = undefined;
    early.jobs = [];
  };

  const transaction = services.storage.transaction(async (tx) => {
    const events: PendingEvent[] = [];
    const jobs: JobRecord[] = [];
    const checks: Promise<unknown>[] = [];
    let bytes = 0;
    wakes = new Set();
    earliest = undefined;
    giveBack();
    const newJob = ({ kind, subject_id, payload = {}, due_at = now }: PendingJob): JobRecord => ({
      id: services.makeId("job"),
      kind,
      subject_id,
      payload,
      due_at: iso(due_at),
      attempts: 0,
      lease: null,
      created_at: iso(now),
    });
    const addJob = (job: PendingJob) => {
      const { due_at = now } = job;
      jobs.push(newJob(job));
      if (earliest === undefined || due_at < earliest) earliest = due_at;
    };

    /** Deliveries are written as claimed where they can be: a receiver recognises one that is repeated. */
    const addDeliveryJobs = (deliveries: PendingJob[]) => {
      if (deliveries.length > 0 && !part_of_load) early.claim = services.earlyClaims.claim(deliveries.length);
      if (early.claim === undefined) return deliveries.forEach(addJob);
      const { due_at, lease, attempts } = early.claim;
      early.jobs = deliveries.map((job) => ({ ...newJob(job), due_at, lease, attempts }));
      jobs.push(...early.jobs);
    };

    const answer = await run({
      ...tx,
      publish: (event) => void events.push(event),
      job: addJob,
      require(check) {
        checks.push(check);
        // Awaited below; until then another failure may end the transaction first.
        check.catch(() => undefined);
      },
      countBytes(more) {
        bytes += more;
      },
      wake: (channel) => void wakes.add(channel),
    });

    const publishAll = async () => {
      if (events.length === 0) {
        if (bytes === 0) return;
        const [account] = await tx.update("accounts", { id: account_id }, { storage_bytes: { add: bytes } });
        await countForParent(tx, account, bytes);
        return;
      }
      const place = { account_id, now, makeId: services.makeId, bytes };
      const records = await appendEvents(tx, place, events);
      const deliveries = deliveriesFor(webhooks, records, services.makeId);
      tx.append("deliveries", deliveries);
      addDeliveryJobs(deliveries.map(({ id }) => ({ kind: "webhook.deliver", subject_id: id })));
      wakes.add(channels.events(account_id));
      for (const { inbox_id } of events) if (inbox_id !== null) wakes.add(channels.events(inbox_id));
    };
    checks.push(publishAll());
    await Promise.all(checks);
    tx.append("jobs", jobs);
    return answer;
  }, intent);

  const result = await transaction.catch((error: unknown) => {
    giveBack();
    throw error;
  });
  early.claim?.start(early.jobs);
  await wakeAll(services, [...wakes], earliest);
  return result;
}

async function wakeAll(services: Services, wakes: string[], earliest: Date | undefined): Promise<void> {
  try {
    const published = wakes.length === 0 ? undefined : services.signals.publish(wakes);
    // At once, since both may be one message between processes.
    if (earliest === undefined) await published;
    else await Promise.all([published, services.queue.send(earliest)]);
  } catch (error) {
    // The transaction is committed; a lost wake-up must not make the call fail.
    services.log.warn({ error }, "wake-up failed; the sweep will find the work");
  }
}
