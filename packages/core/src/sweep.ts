import { dropExpiredExports } from "./account/export/index.ts";
import { dropTrashedInboxes, needsApprovalToEnd } from "./account/inboxes/index.ts";
import { LIMITS } from "./catalogue/limits.ts";
import { raiseFloor } from "./events/feed/index.ts";
import type { Services } from "./kernel/context.ts";
import { unitOfWork } from "./kernel/unit-of-work.ts";
import { dayOf } from "./limits/health/index.ts";
import { dropTrash } from "./mailbox/messages/index.ts";
import { iso } from "./model/fields.ts";
import { METRIC_NAMES } from "./model/metrics.ts";

/** The interval at which expired records are deleted. */
const SWEEP_INTERVAL_MS = 60_000;

/** The number of records that one step deletes, so that no step holds the storage for long. */
const stepRecords = 500;

/** The number of steps per kind in one sweep; the next sweep continues where it ended. */
const stepsPerSweep = 20;

/**
 * Deletes what has had its time: deliveries after 7 days,
 * events after 30, counters, places and idempotency keys at their end, the counts of sending days after 90,
 * metrics after 91, expectations and forwardings 30 days after their end, trash when its time is over, exports of accounts at their end, what blobs left outside the database. Inboxes that expired more than 7 days ago are given to the job `inbox.purge`.
 */
export async function sweepExpired(services: Services): Promise<void> {
  const now = services.clock.now();
  const before = (ms: number) => iso(new Date(now.getTime() - ms));
  await inSteps(() => dropDeliveries(services, before(LIMITS.deliveries_kept_ms)));
  await inSteps(() => dropEvents(services, before(LIMITS.events_kept_ms)));
  await inSteps(() =>
    dropSendingDays(services, dayOf(new Date(now.getTime() - LIMITS.sending_days_kept_ms))),
  );
  await inSteps(() => dropMetrics(services, before(LIMITS.metrics_kept_ms)));
  await inSteps(() => dropMentions(services, before(LIMITS.outside_mentions_kept_ms)));
  await inSteps(() => dropForwardings(services, before(LIMITS.failed_forwardings_kept_ms)));
  await inSteps(() => dropExpectations(services, before(LIMITS.expectations_kept_ms)));
  await inSteps(() => dropNamed(services, "counters", iso(now)));
  await inSteps(() => dropNamed(services, "slots", iso(now)));
  await inSteps(() => dropSignatures(services, iso(now)));
  await inSteps(() => dropFileLinks(services, iso(now)));
  await inSteps(() => dropLetters(services, iso(now)));
  await inSteps(() => dropIdempotency(services, iso(now)));
  await inSteps(() => dropSigningIn(services, "sessions", iso(now)));
  await inSteps(() => dropSigningIn(services, "session_challenges", iso(now)));
  await inSteps(() => dropSigningIn(services, "recoveries", iso(now)));
  await inSteps(() => dropChallenges(services, iso(now)));
  await inSteps(() => dropRelayIds(services, before(LIMITS.relay_ids_kept_ms)));
  await inSteps(() => dropRefusals(services, before(LIMITS.refusals_kept_ms)));
  await inSteps(() => dropDomainReports(services, before(LIMITS.domain_reports_kept_ms)));
  await inSteps(() => dropPairings(services, iso(now)));
  await inSteps(() => dropRemembered(services, iso(now)));
  await inSteps(() => dropOAuth(services, iso(now)));
  await inSteps(() => dropUnusedClients(services, now));
  await inSteps(async () => ((await dropTrash(services, now)) ? stepRecords : 0));
  await inSteps(async () => ((await dropTrashedInboxes(services, now)) ? stepRecords : 0));
  await dropExpiredExports(services, now);
  await inSteps(() => purgeInboxes(services, before(LIMITS.expired_inbox_kept_ms), now));
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

async function dropDeliveries({ storage }: Services, before: string): Promise<number> {
  const old = await storage.find("deliveries", {
    where: { created_at: { lt: before } },
    order: { by: "created_at", direction: "asc" },
    limit: stepRecords,
  });
  if (old.length > 0) await storage.delete("deliveries", { id: { in: old.map(({ id }) => id) } });
  return old.length;
}

async function dropMentions({ storage }: Services, before: string): Promise<number> {
  const old = await storage.find("outside_mentions", {
    where: { noted_at: { lt: before } },
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

async function dropForwardings({ storage }: Services, before: string): Promise<number> {
  const where = { failed_at: { lt: before } };
  const old = await storage.find("forwardings", {
    where,
    order: { by: "failed_at", direction: "asc" },
    limit: stepRecords,
  });
  if (old.length > 0) await storage.delete("forwardings", { id: { in: old.map(({ id }) => id) }, ...where });
  return old.length;
}

async function dropExpectations({ storage }: Services, before: string): Promise<number> {
  const old = await storage.find("expectations", {
    where: { expires_at: { lt: before } },
    order: { by: "expires_at", direction: "asc" },
    limit: stepRecords,
  });
  if (old.length > 0) await storage.delete("expectations", { id: { in: old.map(({ id }) => id) } });
  return old.length;
}

async function dropEvents({ storage }: Services, before: string): Promise<number> {
  const old = await storage.find("events", {
    where: { created_at: { lt: before } },
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

async function dropSendingDays({ storage }: Services, before: string): Promise<number> {
  const where = { day: { lt: before } };
  const old = await storage.find("sending_days", {
    where,
    order: { by: "day", direction: "asc" },
    limit: stepRecords,
  });
  for (const { account_id, day } of old) await storage.delete("sending_days", { account_id, day });
  await storage.delete("sending_reports", where);
  return old.length;
}

async function dropMetrics({ storage }: Services, before: string): Promise<number> {
  const where = { starts_at: { lt: before } };
  const old = await storage.find("metric_counts", {
    where,
    order: { by: "starts_at", direction: "asc" },
    limit: stepRecords,
  });
  const byAccount = Map.groupBy(old, ({ account_id }) => account_id);
  for (const [account_id, records] of byAccount) {
    const buckets = [...new Set(records.map(({ bucket }) => bucket))];
    await storage.delete("metric_counts", {
      account_id,
      name: { in: [...METRIC_NAMES] },
      bucket: { in: buckets },
    });
  }
  return old.length;
}

async function dropNamed({ storage }: Services, table: "counters" | "slots", now: string): Promise<number> {
  const where = { expires_at: { lte: now } };
  const over = await storage.find(table, {
    where,
    order: { by: "expires_at", direction: "asc" },
    limit: stepRecords,
  });
  // The condition again: a place may have been taken anew since it was read.
  if (over.length > 0) await storage.delete(table, { name: { in: over.map(({ name }) => name) }, ...where });
  return over.length;
}

async function dropSignatures({ storage }: Services, now: string): Promise<number> {
  const where = { expires_at: { lte: now } };
  const over = await storage.find("seen_signatures", {
    where,
    order: { by: "expires_at", direction: "asc" },
    limit: stepRecords,
  });
  const hashes = [...new Set(over.map(({ hash }) => hash))];
  if (hashes.length > 0) await storage.delete("seen_signatures", { hash: { in: hashes }, ...where });
  return over.length;
}

async function dropFileLinks({ storage }: Services, now: string): Promise<number> {
  const over = await storage.find("file_links", {
    where: { expires_at: { lte: now } },
    order: { by: "expires_at", direction: "asc" },
    limit: stepRecords,
  });
  if (over.length > 0) await storage.delete("file_links", { hash: { in: over.map(({ hash }) => hash) } });
  return over.length;
}

/** Forgets letters; what an account's links give access to stays as long as their account or inbox. */
async function dropLetters({ storage }: Services, now: string): Promise<number> {
  const over = await storage.find("letters", {
    where: { expires_at: { lte: now } },
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

async function dropChallenges({ storage }: Services, now: string): Promise<number> {
  const where = { expires_at: { lte: now } };
  const order = { by: "expires_at", direction: "asc" } as const;
  const over = await storage.find("passkey_challenges", { where, order, limit: stepRecords });
  if (over.length > 0)
    await storage.delete("passkey_challenges", { hash: { in: over.map(({ hash }) => hash) }, ...where });
  return over.length;
}

async function dropSigningIn(
  { storage }: Services,
  table: "sessions" | "session_challenges" | "recoveries",
  now: string,
): Promise<number> {
  const where = { expires_at: { lte: now } };
  const over = await storage.find(table, {
    where,
    order: { by: "expires_at", direction: "asc" },
    limit: stepRecords,
  });
  if (over.length > 0) await storage.delete(table, { id: { in: over.map(({ id }) => id) }, ...where });
  return over.length;
}

async function dropRelayIds({ storage }: Services, before: string): Promise<number> {
  const where = { at: { lte: before } };
  const over = await storage.find("relay_ids", {
    where,
    order: { by: "at", direction: "asc" },
    limit: stepRecords,
  });
  for (const { provider_id, message_id } of over)
    await storage.delete("relay_ids", { provider_id, message_id });
  return over.length;
}

async function dropRefusals({ storage }: Services, before: string): Promise<number> {
  const where = { first_at: { lte: before } };
  const over = await storage.find("refusals", {
    where,
    order: { by: "first_at", direction: "asc" },
    limit: stepRecords,
  });
  if (over.length > 0) await storage.delete("refusals", { id: { in: over.map(({ id }) => id) } });
  return over.length;
}

async function dropDomainReports({ storage }: Services, before: string): Promise<number> {
  const where = { created_at: { lte: before } };
  const over = await storage.find("domain_reports", {
    where,
    order: { by: "created_at", direction: "asc" },
    limit: stepRecords,
  });
  if (over.length > 0) await storage.delete("domain_reports", { id: { in: over.map(({ id }) => id) } });
  return over.length;
}

async function dropPairings({ storage }: Services, now: string): Promise<number> {
  const where = { kept_until: { lte: now } };
  const over = await storage.find("pairings", {
    where,
    order: { by: "kept_until", direction: "asc" },
    limit: stepRecords,
  });
  if (over.length > 0) await storage.delete("pairings", { id: { in: over.map(({ id }) => id) }, ...where });
  return over.length;
}

async function dropRemembered({ storage }: Services, now: string): Promise<number> {
  const where = { expires_at: { lte: now } };
  const over = await storage.find("remembered_browsers", {
    where,
    order: { by: "expires_at", direction: "asc" },
    limit: stepRecords,
  });
  const hashes = over.map(({ hash }) => hash);
  if (over.length > 0) await storage.delete("remembered_browsers", { hash: { in: hashes }, ...where });
  return over.length;
}

/** Deletes what the authorization server needs no more, and grants whose last refresh token has ended. */
async function dropOAuth({ storage }: Services, now: string): Promise<number> {
  const where = { expires_at: { lte: now } };
  const order = { by: "expires_at", direction: "asc" } as const;
  const records = await storage.find("oauth_records", { where, order, limit: stepRecords });
  const grants = await storage.find("oauth_grants", { where, order, limit: stepRecords });
  if (records.length > 0)
    await storage.delete("oauth_records", { hash: { in: records.map(({ hash }) => hash) }, ...where });
  if (grants.length > 0)
    await storage.delete("oauth_grants", { id: { in: grants.map(({ id }) => id) }, ...where });
  return Math.max(records.length, grants.length);
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

async function dropIdempotency({ storage }: Services, now: string): Promise<number> {
  const where = { expires_at: { lte: now } };
  const over = await storage.find("idempotency", {
    where,
    order: { by: "expires_at", direction: "asc" },
    limit: stepRecords,
  });
  const byAccount = Map.groupBy(over, ({ account_id }) => account_id);
  for (const [account_id, records] of byAccount) {
    await storage.delete("idempotency", { account_id, key: { in: records.map(({ key }) => key) }, ...where });
  }
  return over.length;
}

/** Gives each long expired inbox a purge job, unless it has one, or waits for the approval of its deletion. */
async function purgeInboxes(services: Services, before: string, now: Date): Promise<number> {
  const { storage } = services;
  const over = await storage.find("inboxes", {
    where: { expires_at: { lt: before } },
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
