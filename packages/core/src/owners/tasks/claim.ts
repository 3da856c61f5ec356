import { LIMITS } from "../../catalogue/limits.ts";
import { withinReach } from "../../kernel/access/caller.ts";
import type { AccountContext, Services } from "../../kernel/context.ts";
import { endJob, postponeJob } from "../../kernel/jobs/job-lease.ts";
import { hashSecret, newToken } from "../../kernel/secrets.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import type { Work } from "../../kernel/work.ts";
import { endTaskLease, leaseForTask } from "../../mailbox/threads/index.ts";
import { iso } from "../../model/fields.ts";
import type { JobRecord } from "../../model/jobs.ts";
import type { TaskRecord } from "../../model/tasks.ts";
import type { ThreadRecord } from "../../model/threads.ts";
import { findOpenTasks } from "./find-open.ts";
import { changeTask } from "./move.ts";
import { afterFailure, isClaimed } from "./rules.ts";

/** The tasks that are looked at in one go. */
const BATCH = 20;
const BATCHES = LIMITS.tasks_looked_at / BATCH;

/** A claimed task, and the token with which its worker reports. */
export interface ClaimedTask {
  task: TaskRecord;
  claim_token: string;
}

/**
 * Claims the oldest pending task for some seconds; undefined when there is none among those that are looked at. No two workers get the same
 * task.
 */
export async function claimTask(
  { now, caller }: Pick<AccountContext, "now" | "caller">,
  work: Work,
  inbox_id: string | undefined,
  lease_seconds: number,
): Promise<ClaimedTask | undefined> {
  const within = { ...withinReach(caller, inbox_id), status: "pending" } as const;
  const claim_token = newToken();
  const claim = leaseOf(now, lease_seconds);
  const held = {
    status: "in_progress",
    claim,
    claim_token: hashSecret(claim_token),
    updated_at: iso(now),
  } as const;
  const lease = { hash: held.claim_token, until: claim.expires_at, now };
  let after: string | undefined;
  for (let batch = 0; batch < BATCHES; batch++) {
    const pending = await findOpenTasks(work, within, "asc", after, BATCH);
    const threads = await threadsOf(work, pending);
    for (const before of pending) {
      // Whoever answers in its thread meanwhile goes on alone.
      if (!(await leaseForTask(work, threads.get(before.thread_id ?? ""), lease))) continue;
      // The condition on the status guards against another worker claiming the task since it was read.
      const [taken] = await work.update(
        "tasks",
        { id: before.id, status: "pending" },
        { ...held, attempts: { add: 1 } },
      );
      if (taken === undefined) {
        await endTaskLease(work, before.thread_id, held.claim_token);
        continue;
      }
      const task = await changeTask(work, before, {}, now);
      work.job({ kind: "task.lease", subject_id: before.id, due_at: new Date(claim.expires_at) });
      return { task: task ?? taken, claim_token };
    }
    if (pending.length < BATCH) return undefined;
    after = pending.at(-1)?.id;
  }
  return undefined;
}

/** The threads of tasks, by their ids. */
async function threadsOf(
  work: Work,
  tasks: readonly Pick<TaskRecord, "thread_id">[],
): Promise<Map<string, ThreadRecord>> {
  const ids = [...new Set(tasks.flatMap(({ thread_id }) => thread_id ?? []))];
  if (ids.length === 0) return new Map();
  const threads = await work.find("threads", { where: { id: { in: ids } }, limit: ids.length });
  return new Map(threads.map((thread) => [thread.id, thread]));
}

/** A lease that starts now. */
export const leaseOf = (now: Date, seconds: number): { expires_at: string } => ({
  expires_at: iso(new Date(now.getTime() + seconds * 1000)),
});

/**
 * Takes a task back from a worker whose lease has expired. If it was extended, checks again at its new end.
 */
export async function endLease(services: Services, job: JobRecord): Promise<void> {
  const task = await services.storage.get("tasks", job.subject_id);
  if (task === undefined) return endJob(services.storage, job);
  const now = services.clock.now();
  await unitOfWork(services, task.account_id, now, async (work) => {
    const current = await work.get("tasks", task.id);
    if (current?.claim == null) return endJob(work, job);
    if (isClaimed(current, iso(now))) return postponeJob(work, job, new Date(current.claim.expires_at));
    await endJob(work, job);
    const change = {
      ...afterFailure(current),
      claim: null,
      claim_token: null,
      last_error: "The worker's lease expired.",
    };
    await changeTask(work, current, change, now);
  });
}
