import { dropExpiredExports } from "./account/export/index.ts";
import { dropTrashedInboxes, needsApprovalToEnd } from "./account/inboxes/index.ts";
import { LIMITS } from "./catalogue/limits.ts";
import { raiseFloor } from "./events/feed/index.ts";
import type { Services } from "./kernel/context.ts";
import { unitOfWork } from "./kernel/unit-of-work.ts";
import { dayOf } from "./limits/health/index.ts";
import { dropTrash } from "./mailbox/messages/index.ts";
import { iso } from "./model/fields.ts";
import { type RecordOf, type TableName, tables } from "./model/tables.ts";
import type { Where } from "./ports/storage.ts";

/** The interval at which expired records are deleted. */
const SWEEP_INTERVAL_MS = 60_000;

/** The number of records that one step deletes, so that no step holds the storage for long. */
const stepRecords = 500;

/** The number of steps per kind in one sweep; the next sweep continues where it ended. */
const stepsPerSweep = 20;

/**
 * Deletes what has had its time: records by the list below, trash, exports of accounts, and what blobs left outside the
 * database. Inboxes that expired more than 7 days ago are given to the job `inbox.purge`.
 */
export async function sweepExpired(services: Services): Promise<void> {
  const now = services.clock.now();
  const over = { lte: iso(now) };
  const older = (ms: number) => ({ lt: iso(new Date(now.getTime() - ms)) });
  const drop = <N extends TableName>(
    table: N,
    column: keyof RecordOf<N> & string,
    time: EndOfTime,
    by?: readonly string[],
  ) => inSteps(() => dropOld(services, table, { [column]: time } as Where<N>, column, by));

  await drop("deliveries", "created_at", older(LIMITS.deliveries_kept_ms));
  await inSteps(() => dropEvents(services, older(LIMITS.events_kept_ms)));
  const days = { lt: dayOf(new Date(now.getTime() - LIMITS.sending_days_kept_ms)) };
  await drop("sending_days", "day", days);
  await services.storage.delete("sending_reports", { day: days });
  await drop("metric_counts", "starts_at", older(LIMITS.metrics_kept_ms), ["account_id", "bucket", "name"]);
  await inSteps(() => dropMentions(services, older(LIMITS.outside_mentions_kept_ms)));
  await drop("forwardings", "failed_at", older(LIMITS.failed_forwardings_kept_ms));
  await drop("expectations", "expires_at", older(LIMITS.expectations_kept_ms));
  await drop("counters", "expires_at", over);
  await drop("slots", "expires_at", over);
  await drop("seen_signatures", "expires_at", over, ["hash"]);
  await drop("file_links", "expires_at", over);
  await inSteps(() => dropLetters(services, over));
  await drop("idempotency", "expires_at", over);
  await drop("sessions", "expires_at", over);
  await drop("session_challenges", "expires_at", over);
  await drop("recoveries", "expires_at", over);
  await drop("passkey_challenges", "expires_at", over);
  await drop("relay_ids", "at", older(LIMITS.relay_ids_kept_ms));
  await drop("refusals", "first_at", older(LIMITS.refusals_kept_ms));
  await drop("domain_reports", "created_at", older(LIMITS.domain_reports_kept_ms));
  await drop("pairings", "kept_until", over);
  await drop("remembered_browsers", "expires_at", over);
  // What the authorization server needs no more, and grants whose last refresh token has ended.
  await drop("oauth_records", "expires_at", over);
  await drop("oauth_grants", "expires_at", over);
  await inSteps(() => dropUnusedClients(services, now));
  await inSteps(async () => ((await dropTrash(services, now)) ? stepRecords : 0));
  await inSteps(async () => ((await dropTrashedInboxes(services, now)) ? stepRecords : 0));
  await dropExpiredExports(services, now);
  await inSteps(() => purgeInboxes(services, older(LIMITS.expired_inbox_kept_ms), now));
  // Last: it may need another service, whose failure must not keep the rest.
  await services.blobs.sweep?.();
}

/**
 * Sweeps once a minute, one sweep at a time; a failure is logged. The returned function stops it and waits for
 * the sweep in progress.
 */
export function startSweeping({
  services: { clock, log },
  sweep,
}: {
  services: Pick<Services, "clock" | "log">;
  sweep(): Promise<void>;
}): () => Promise<void> {
  let current = Promise.resolve();
  let stopped = false;
  let cancel = () => {};
  const next = () => {
    if (!stopped) cancel = clock.after(SWEEP_INTERVAL_MS, run);
  };
  const run = () => {
    current = sweep()
      .catch((error: unknown) => log.error({ error }, "sweep failed"))
      .finally(next);
  };
  next();
  return () => {
    stopped = true;
    cancel();
    return current;
  };
}

/** Takes steps until one finds less than it could take. */
async function inSteps(step: () => Promise<number>): Promise<void> {
  for (let taken = 0; taken < stepsPerSweep; taken++) if ((await step()) < stepRecords) return;
}

/** The end of the time of records: those before it, or up to it, are deleted. */
type EndOfTime = { lt: string } | { lte: string };

/**
 * Deletes records whose time is over, by the columns of their key, in the order given, or by those of an index, in a statement
 * for each value of all but the last one.
 */
async function dropOld<N extends TableName>(
  { storage }: Services,
  table: N,
  where: Where<N>,
  column: keyof RecordOf<N> & string,
  by: readonly string[] = tables[table].key,
): Promise<number> {
  const old: Record<string, unknown>[] = await storage.find(table, {
    where,
    order: { by: column, direction: "asc" },
    limit: stepRecords,
  });
  const [last = "", ...first] = by.toReversed();
  const groups = Map.groupBy(old, (record) => JSON.stringify(first.map((each) => record[each])));
  for (const group of groups.values()) {
    const same = first.map((each) => [each, group[0]?.[each]]);
    const some = [last, { in: [...new Set(group.map((record) => record[last]))] }];
    // The condition again: a record may have got a new time since it was read.
    await storage.delete(table, { ...Object.fromEntries([...same, some]), ...where } as Where<N>);
  }
  return old.length;
}

async function dropMentions({ storage }: Services, before: EndOfTime): Promise<number> {
  const old = await storage.find("outside_mentions", {
    where: { noted_at: before },
    order: { by: "noted_at", direction: "asc" },
    limit: stepRecords,
  });
  for (const { account_id, message_id, hash, noted } of old)
    await storage.delete("outside_mentions", {
      account_id,
      hash: { in: [hash, ...(noted ?? [])] },
      message_id,
    });
  return old.length;
}

async function dropEvents({ storage }: Services, before: EndOfTime): Promise<number> {
  const old = await storage.find("events", {
    where: { created_at: before },
    order: { by: "created_at", direction: "asc" },
    limit: stepRecords,
  });
  if (old.length === 0) return 0;
  const byAccount = Map.groupBy(old, ({ account_id }) => account_id);
  await storage.transaction(async (tx) => {
    for (const [account_id, events] of byAccount) {
      const sequences = events.map(({ sequence }) => sequence);
      await raiseFloor(tx, account_id, Math.max(...sequences));
      await tx.delete("events", { account_id, sequence: { in: sequences } });
    }
  });
  return old.length;
}

/** Forgets letters; what an account's links give access to stays as long as their account or inbox. */
async function dropLetters({ storage }: Services, by: EndOfTime): Promise<number> {
  const over = await storage.find("letters", {
    where: { expires_at: by },
    order: { by: "expires_at", direction: "asc" },
    limit: stepRecords,
  });
  const ids = over.map(({ message_id }) => message_id);
  if (ids.length > 0) {
    await storage.delete("letter_secrets", { letter_id: { in: ids }, account_id: null });
    await storage.delete("letters", { message_id: { in: ids } });
  }
  return over.length;
}

/** Deletes apps that registered and have no grant; the others are looked at again a day later. */
async function dropUnusedClients({ storage }: Services, now: Date): Promise<number> {
  const where = { expires_at: { lte: iso(now) } };
  const order = { by: "expires_at", direction: "asc" } as const;
  const over = await storage.find("oauth_clients", { where, order, limit: stepRecords });
  const later = iso(new Date(now.getTime() + LIMITS.oauth_unused_client_kept_ms));
  for (const { id } of over) {
    const used = (await storage.find("oauth_grants", { where: { client_id: id }, limit: 1 })).length > 0;
    if (used) await storage.update("oauth_clients", { id }, { expires_at: later });
    else await storage.delete("oauth_clients", { id, ...where });
  }
  return over.length;
}

/** Gives each long expired inbox a purge job, unless it has one, or waits for the approval of its deletion. */
async function purgeInboxes(services: Services, before: EndOfTime, now: Date): Promise<number> {
  const { storage } = services;
  const over = await storage.find("inboxes", {
    where: { expires_at: before },
    order: { by: "expires_at", direction: "asc" },
    limit: stepRecords,
  });
  for (const inbox of over) {
    const jobs = await storage.find("jobs", { where: { subject_id: inbox.id }, limit: 1 });
    if (jobs.length > 0 || (await needsApprovalToEnd(services, storage, inbox))) continue;
    await unitOfWork(services, inbox.account_id, now, async (work) =>
      work.job({ kind: "inbox.purge", subject_id: inbox.id, payload: { account_id: inbox.account_id } }),
    );
  }
  return over.length;
}
