import { checkDomain, clearDeleted, sendDomainLetter } from "./account/domains/index.ts";
import { eraseAccount } from "./account/erasing/index.ts";
import { makeExport } from "./account/export/index.ts";
import { purgeInbox } from "./account/inboxes/index.ts";
import { sendPairingLetter } from "./account/pairing/index.ts";
import { scheduleNotes, sendNotes } from "./account/product-notes/index.ts";
import { sendRecoveryLetter, sendRecoveryNotice } from "./account/recovery/index.ts";
import { purgeWorkspace } from "./account/workspaces/index.ts";
import type { JobKind } from "./catalogue/jobs.ts";
import { LIMITS } from "./catalogue/limits.ts";
import { deliverWebhook, giveUpDelivery } from "./events/webhooks/index.ts";
import type { Services } from "./kernel/context.ts";
import type { EarlyClaim } from "./kernel/jobs/early-claims.ts";
import { type GiveUp, settleOrLeave } from "./kernel/jobs/failing-job.ts";
import { endJob, LeaseLost } from "./kernel/jobs/job-lease.ts";
import { createLeaseKeeper, type LeaseKeeper } from "./kernel/jobs/lease-keeper.ts";
import {
  begin,
  claimEarly,
  emptyPlaces,
  endLook,
  freeOf,
  giveBack,
  type Places,
  stop,
  wake,
} from "./kernel/jobs/places.ts";
import { countContacts, scheduleContacts } from "./mailbox/contacts/index.ts";
import { collectBlobs } from "./mailbox/messages/index.ts";
import { endUpload } from "./mailbox/uploads/index.ts";
import { iso } from "./model/fields.ts";
import type { JobRecord } from "./model/jobs.ts";
import { askAnew, expireApproval, withdrawApprovals } from "./owners/approvals/index.ts";
import { sendGathered, sendKeysLeft, sendPasskeysLetter, sendSignInLetter } from "./owners/sessions/index.ts";
import { endLease } from "./owners/tasks/index.ts";
import { expireQuestion, sendDueDigest } from "./owners/updates/index.ts";
import { finishBuying, giveNumberBack, settleCall } from "./phone/telephony/index.ts";
import { sweepExpired } from "./sweep.ts";
import { expireExpectation } from "./traffic/expectations/index.ts";
import { checkForwarding, sendForwardingLetter } from "./traffic/forwarding/index.ts";
import {
  addWaitingTranscript,
  fetchRecording,
  releaseApproved,
  sendPostmasterLetter,
} from "./traffic/inbound/index.ts";
import { checkRules, forwardMail, sendAutoReply } from "./traffic/rules/index.ts";
import {
  giveUpDraft,
  giveUpMessage,
  placeCall,
  sendCanaryLetter,
  sendDueDraft,
  sendMessage,
  sendText,
} from "./traffic/sending/index.ts";

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
  "upload.end": endUpload,
  "inbox.purge": purgeInbox,
  "workspace.purge": purgeWorkspace,
  "account.erase": eraseAccount,
  "draft.send": sendDueDraft,
  "approval.expire": expireApproval,
  "approval.ask": askAnew,
  "approval.withdraw": withdrawApprovals,
  "approvals.gather": sendGathered,
  "message.release": releaseApproved,
  "task.lease": endLease,
  "digest.send": sendDueDigest,
  "question.expire": expireQuestion,
  "lifecycle.notes": sendNotes,
  "session.letter": sendSignInLetter,
  "recovery.letter": sendRecoveryLetter,
  "recovery.notice": sendRecoveryNotice,
  "pairing.letter": sendPairingLetter,
  "authority.notice": sendKeysLeft,
  "account.export": makeExport,
  "domain.check": checkDomain,
  "domain.letter": sendDomainLetter,
  "domain.clear": clearDeleted,
  "postmaster.letter": sendPostmasterLetter,
  "canary.letter": sendCanaryLetter,
  "passkeys.letter": sendPasskeysLetter,
  "expectation.expire": expireExpectation,
  "rule.reply": sendAutoReply,
  "contacts.count": countContacts,
  "rule.check": checkRules,
  "forwarding.letter": sendForwardingLetter,
  "forwarding.check": checkForwarding,
  "forwarding.send": forwardMail,
  "recording.fetch": fetchRecording,
  "recording.transcript": addWaitingTranscript,
  "phone.buy": finishBuying,
  "phone.release": giveNumberBack,
  "call.place": placeCall,
  "call.settle": settleCall,
};

/** The consequences when a job of these kinds is given up; the others just end. */
const givingUp: Partial<Record<JobKind, GiveUp>> = {
  "message.send": giveUpMessage,
  "sms.send": giveUpMessage,
  "draft.send": giveUpDraft,
  "webhook.deliver": giveUpDelivery,
};

/**
 * Told of each job that a worker has done or tried: `failed` is tried again, `given_up` never. It must not throw.
 */
export type JobObserver = (kind: JobKind, status: "done" | "failed" | "given_up") => void;

const jobsAtOnce = 200;
/** A job that takes longer waits for somebody else, and needs no place for that. */
const placeMs = 1000;
/** Jobs that may be under way; with so many, each keeps its place until it ends. */
const maxUnderWay = 1000;

/**
 * Does due jobs at each wake-up, many at once, until the answered function is called; that waits for those
 * under way. `observe` is told what becomes of each.
 */
export function startWorker(services: Services, observe: JobObserver = unobserved): () => Promise<void> {
  const running = new Map<string, Promise<void>>();
  /**
   * Jobs that seemed due while they were under way here: the wall clock was set, or they put themselves off.
   */
  const overdue = new Set<string>();
  const keeper = createLeaseKeeper(services);
  let places = emptyPlaces(jobsAtOnce);
  /** Early claims whose transaction is under way, or that are being given back. */
  let unsettled = 0;
  const allSettled = Promise.withResolvers<void>();
  let looking: Promise<void> | undefined;

  const start = (job: JobRecord) => {
    let hasPlace = true;
    places = begin(places, 1);
    const freePlace = () => {
      if (!hasPlace) return;
      hasPlace = false;
      void change(giveBack(places, 1));
    };
    const stopTimer = services.clock.after(placeMs, () => {
      if (running.size <= maxUnderWay) freePlace();
    });
    const done = runJob(services, job, keeper, { observe, freePlace }).finally(() => {
      stopTimer();
      running.delete(job.id);
      freePlace();
      if (overdue.delete(job.id)) void look();
    });
    running.set(job.id, done);
  };

  /** Claims places and jobs for a transaction that is about to write them. */
  const claimJobsEarly = (count: number): EarlyClaim | undefined => {
    const claimed = claimEarly(places, count);
    if (claimed === undefined) return undefined;
    places = claimed;
    let held = count;
    unsettled++;
    const givePlacesBack = () => {
      void change(giveBack(places, held));
      held = 0;
    };
    const settle = () => {
      if (--unsettled === 0 && places.stopped) allSettled.resolve();
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
        if (places.stopped) return void unclaim(services, claim, jobs).then(settle);
        settle();
        // After a commit that took as long as a lease another worker may have them.
        if (claim.due_at > iso(services.clock.now())) jobs.forEach(start);
        else void look();
      },
    };
  };

  /** Claims due jobs until none is left, or no place is. */
  const drain = async (): Promise<void> => {
    while (!places.stopped && freeOf(places) > 0) {
      const jobs = await claimDue(services, freeOf(places), running, overdue);
      jobs.forEach(start);
      if (jobs.length > 0) continue;
      places = endLook(places, true);
      return places.looking ? undefined : wakeForNext(services, running);
    }
    // Every place is taken: the next to come free looks again. A wake-up for what is due already would only
    // come straight back.
    places = endLook(places, false);
  };

  const lookUntilDone = async (): Promise<void> => {
    // Jobs mostly end together: the places of all of them are filled at once.
    await Promise.resolve();
    while (places.looking)
      await drain().catch((error: unknown) => {
        // Whatever it didn't see is looked for when the next place comes free, or at the next wake-up.
        places = { ...endLook(places, true), short: true };
        services.log.error({ error }, "looking for due work failed");
      });
    looking = undefined;
  };

  /** Takes over a state of the places, and looks if that asks for it. One look at a time. */
  const change = (changed: Places): Promise<void> => {
    places = changed;
    if (places.looking) looking ??= lookUntilDone();
    return looking ?? Promise.resolve();
  };
  const look = (): Promise<void> => change(wake(places));

  const stopClaiming = services.earlyClaims.serve(claimJobsEarly);
  const stopWork = services.queue.work(look);
  return async () => {
    places = stop(places);
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
 * Leases due jobs: a worker gets a job by moving `due_at`, and two that see the same job can't both move it. Jobs
 * already running here are left alone, however late the clock says it is, and noted in `overdue`: a clock set an hour
 * ahead sends no mail twice.
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

/** Returns the columns that a claim writes to its jobs. */
const newClaim = ({ clock, makeId }: Pick<Services, "clock" | "makeId">) => ({
  due_at: iso(new Date(clock.now().getTime() + LIMITS.job_lease_ms)),
  lease: makeId("req"),
});

async function runJob(
  services: Services,
  job: JobRecord,
  keeper: LeaseKeeper,
  {
    observe = unobserved,
    freePlace = () => undefined,
  }: { observe?: JobObserver; freePlace?: () => void } = {},
): Promise<void> {
  const letGo = keeper.hold(job);
  try {
    await handlers[job.kind](services, job, freePlace);
    observe(job.kind, "done");
  } catch (error) {
    if (error instanceof LeaseLost) return;
    observe(job.kind, await settleOrLeave(services, job, error, givingUp[job.kind] ?? justEnd));
  } finally {
    letGo();
  }
}

const unobserved: JobObserver = () => undefined;

async function justEnd({ storage }: Services, job: JobRecord): Promise<undefined> {
  await endJob(storage, job);
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

/** Deletes what has had its time, in small steps, has new mail counted, and wakes workers for what is due. */
export async function sweep(services: Services): Promise<void> {
  await sweepExpired(services);
  await scheduleNotes(services);
  await scheduleContacts(services);
  await wakeForNext(services);
}
