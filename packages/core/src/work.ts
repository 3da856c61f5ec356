import { askAnew, expireApproval } from "./approvals/index.ts";
import type { JobKind } from "./catalogue/jobs.ts";
import { LIMITS } from "./catalogue/limits.ts";
import { checkDomain, clearDeleted, sendDomainLetter } from "./domains/index.ts";
import { eraseAccount } from "./erasing/index.ts";
import { makeExport } from "./export/index.ts";
import { addWaitingTranscript, fetchRecording, sendPostmasterLetter } from "./inbound/index.ts";
import { purgeInbox } from "./inboxes/index.ts";
import type { Services } from "./kernel/context.ts";
import type { EarlyClaim } from "./kernel/jobs/early-claims.ts";
import { LeaseLost, postponeJob } from "./kernel/jobs/job-lease.ts";
import { createLeaseKeeper, type LeaseKeeper } from "./kernel/jobs/lease-keeper.ts";
import { scheduleNotes, sendNotes } from "./lifecycle/index.ts";
import { collectBlobs } from "./messages/index.ts";
import { iso } from "./model/fields.ts";
import type { JobRecord } from "./model/jobs.ts";
import { sendKeysLeft, sendSignInLetter } from "./people/index.ts";
import { sendRecoveryLetter, sendRecoveryNotice } from "./recovery/index.ts";
import { placeCall, sendDueDraft, sendMessage, sendText } from "./sending/index.ts";
import { sweepExpired } from "./sweep.ts";
import { endLease } from "./tasks/index.ts";
import { finishBuying, giveNumberBack, settleCall } from "./telephony/index.ts";
import { expireQuestion, sendDueDigest } from "./updates/index.ts";
import { deliverWebhook } from "./webhooks/index.ts";
import { purgeWorkspace } from "./workspaces/index.ts";

/**
 * Does one job; it ends the job itself, in the transaction of its result, with `endJob` or `postponeJob`. It may call
 * `resultIsWritten` when only that is left: another job then takes its place, and is claimed by the same commit.
 */
export type JobHandler = (services: Services, job: JobRecord, resultIsWritten: () => void) => Promise<void>;

const handlers: Record<JobKind, JobHandler> = {
  "message.send": sendMessage,
  "sms.send": sendText,
  "webhook.deliver": deliverWebhook,
  "blobs.collect": collectBlobs,
  "inbox.purge": purgeInbox,
  "workspace.purge": purgeWorkspace,
  "account.erase": eraseAccount,
  "draft.send": sendDueDraft,
  "approval.expire": expireApproval,
  "approval.ask": askAnew,
  "task.lease": endLease,
  "digest.send": sendDueDigest,
  "question.expire": expireQuestion,
  "lifecycle.notes": sendNotes,
  "session.letter": sendSignInLetter,
  "recovery.letter": sendRecoveryLetter,
  "recovery.notice": sendRecoveryNotice,
  "authority.notice": sendKeysLeft,
  "account.export": makeExport,
  "domain.check": checkDomain,
  "domain.letter": sendDomainLetter,
  "domain.clear": clearDeleted,
  "postmaster.letter": sendPostmasterLetter,
  "recording.fetch": fetchRecording,
  "recording.transcript": addWaitingTranscript,
  "phone.buy": finishBuying,
  "phone.release": giveNumberBack,
  "call.place": placeCall,
  "call.settle": settleCall,
};

const crashBackoffMs = 30_000;
const jobsAtOnce = 200;

/**
 * Does due jobs at each wake-up, many at once, until the answered function is called; that waits for those
 * under way.
 */
export function startWorker(services: Services): () => Promise<void> {
  const running = new Map<string, Promise<void>>();
  /**
   * Jobs that seemed due while they were under way here: the wall clock was set, or they put themselves off.
   */
  const overdue = new Set<string>();
  const keeper = createLeaseKeeper(services);
  /** Jobs that take a place: those under way but for those whose result is being written. */
  let taken = 0;
  /** Early claims whose transaction is under way, or that are being given back. */
  let unsettled = 0;
  const allSettled = Promise.withResolvers<void>();
  let stopped = false;
  let full = false;
  let looking: Promise<void> | undefined;
  let again = false;

  const start = (job: JobRecord) => {
    let hasPlace = true;
    taken++;
    const freePlace = () => {
      if (!hasPlace) return;
      hasPlace = false;
      taken--;
      if (full) void look();
    };
    const done = runJob(services, job, keeper, freePlace).finally(() => {
      running.delete(job.id);
      freePlace();
      if (overdue.delete(job.id)) void look();
    });
    running.set(job.id, done);
  };

  /** Claims places and jobs for a transaction that is about to write them. */
  const claimEarly = (count: number): EarlyClaim | undefined => {
    if (stopped || full || taken + count > jobsAtOnce) return undefined;
    let held = count;
    taken += count;
    unsettled++;
    const givePlacesBack = () => {
      taken -= held;
      held = 0;
      if (full) void look();
    };
    const settle = () => {
      if (--unsettled === 0 && stopped) allSettled.resolve();
    };
    const claim = newClaim(services);
    return {
      ...claim,
      attempts: 1,
      free() {
        if (held === 0) return;
        givePlacesBack();
        settle();
      },
      start(jobs) {
        givePlacesBack();
        if (stopped) return void unclaim(services, claim, jobs).then(settle);
        settle();
        // After a commit that took as long as a lease another worker may have them.
        if (claim.due_at > iso(services.clock.now())) jobs.forEach(start);
        else void look();
      },
    };
  };

  const drain = async (): Promise<void> => {
    while (!stopped && taken < jobsAtOnce) {
      const jobs = await claimDue(services, jobsAtOnce - taken, running, overdue);
      jobs.forEach(start);
      full = jobs.length > 0;
      if (!full) return wakeForNext(services, running);
    }
    // Every place is taken: the next to come free looks again. A wake-up for what is due already would only
    // come straight back.
  };

  const lookUntilDone = async (): Promise<void> => {
    // Jobs mostly end together: the places of all of them are filled at once.
    await Promise.resolve();
    while (again && !stopped) {
      again = false;
      await drain().catch((error: unknown) => services.log.error({ error }, "looking for due work failed"));
    }
    looking = undefined;
  };

  /** One look at a time: the places that come free during one are filled together by the next. */
  const look = (): Promise<void> => {
    again = true;
    looking ??= lookUntilDone();
    return looking;
  };

  const stopClaiming = services.earlyClaims.serve(claimEarly);
  const stopWork = services.queue.work(look);
  return async () => {
    stopped = true;
    stopClaiming();
    await stopWork();
    await looking;
    if (unsettled > 0) await allSettled.promise;
    await Promise.all(running.values());
  };
}

/** Does every job that is due now and waits for each; for hosts without a standing worker, and for tests. */
export async function runDueJobs(services: Services): Promise<number> {
  const keeper = createLeaseKeeper(services);
  let done = 0;
  for (;;) {
    const jobs = await claimDue(services, LIMITS.job_batch);
    if (jobs.length === 0) return done;
    await Promise.all(jobs.map((job) => runJob(services, job, keeper)));
    done += jobs.length;
  }
}

type Running = ReadonlyMap<string, unknown>;

/**
 * Leases due jobs: whoever moves `due_at` has them; two workers that see the same job can't both move it.
 * What is under way here is left alone however late the clock says it is, and noted in `overdue`: a clock
 * that is set an hour ahead sends no mail twice.
 */
async function claimDue(
  services: Services,
  limit: number,
  running: Running = new Map(),
  overdue = new Set<string>(),
): Promise<JobRecord[]> {
  const { storage, clock } = services;
  const now = clock.now();
  const find = (most: number) =>
    storage.find("jobs", {
      where: { due_at: { lte: iso(now) } },
      order: { by: "due_at", direction: "asc" },
      limit: most,
      skip_locked: true,
    });
  const first = await find(limit);
  // Only when the clock was set does what is under way here stand in front of what is not.
  const seen = first.some(({ id }) => running.has(id)) ? await find(limit + running.size) : first;
  for (const { id } of seen) if (running.has(id)) overdue.add(id);
  const due = seen.filter(({ id }) => !running.has(id)).slice(0, limit);
  if (due.length === 0) return [];
  return storage.update(
    "jobs",
    { id: { in: due.map(({ id }) => id) }, due_at: { lte: iso(now) } },
    { ...newClaim(services), attempts: { add: 1 } },
  );
}

/** Makes jobs due again that were claimed for a worker that has stopped since. */
async function unclaim(
  { storage, queue, clock, log }: Services,
  { lease }: Pick<EarlyClaim, "lease">,
  jobs: readonly JobRecord[],
): Promise<void> {
  const now = clock.now();
  try {
    const where = { id: { in: jobs.map(({ id }) => id) }, lease };
    await storage.update("jobs", where, { due_at: iso(now), lease: null });
    await queue.send(now);
  } catch (error) {
    log.warn({ error }, "jobs of a stopped worker wait for their lease to end");
  }
}

/** What a claim writes into its jobs. */
const newClaim = ({ clock, makeId }: Pick<Services, "clock" | "makeId">) => ({
  due_at: iso(new Date(clock.now().getTime() + LIMITS.job_lease_ms)),
  lease: makeId("req"),
});

async function runJob(
  services: Services,
  job: JobRecord,
  keeper: LeaseKeeper,
  freePlace: () => void = () => undefined,
): Promise<void> {
  const letGo = keeper.hold(job);
  try {
    await handlers[job.kind](services, job, freePlace);
  } catch (error) {
    if (error instanceof LeaseLost) return;
    services.log.error(
      { error, job: job.id, kind: job.kind, attempts: job.attempts },
      "job failed; it will be tried again",
    );
    const due_at = new Date(services.clock.now().getTime() + crashBackoffMs * Math.min(job.attempts, 20));
    await postponeJob(services.storage, job, due_at).catch((lost: unknown) =>
      services.log.warn({ error: lost, job: job.id }, "job not put off"),
    );
  } finally {
    letGo();
  }
}

async function wakeForNext({ storage, queue, clock }: Services, running: Running = new Map()): Promise<void> {
  const coming = await storage.find("jobs", {
    where: {},
    order: { by: "due_at", direction: "asc" },
    limit: 1 + running.size,
  });
  const now = iso(clock.now());
  const next = coming.find(({ id, due_at }) => due_at > now || !running.has(id));
  if (next !== undefined) await queue.send(new Date(next.due_at));
}

/** Deletes what has had its time, in small steps, and wakes workers for what is due. */
export async function sweep(services: Services): Promise<void> {
  await sweepExpired(services);
  await scheduleNotes(services);
  await wakeForNext(services);
}
