import { fail } from "../catalogue/errors.ts";
import { limits } from "../catalogue/limits.ts";
import type { TaskRecord } from "../model/tasks.ts";

type Held = Pick<TaskRecord, "claim" | "claim_token" | "status">;

/** Whether a worker holds the task at that moment. */
export function isClaimed({ claim }: Pick<TaskRecord, "claim">, now: string): boolean {
  return claim !== null && claim.expires_at > now;
}

/**
 * Holds a report to the worker that has the task: its token, before its lease has run out. Fails with
 * `claim_lost`.
 */
export function checkClaim(task: Held, token_hash: string, now: string): void {
  if (task.claim_token !== token_hash || !isClaimed(task, now))
    throw fail("claim_lost", { param: "claim_token" });
}

/**
 * Whether a report repeats the one that ended this claim: its answer was lost on the way, and is given again.
 */
export function repeatsReport(task: Held, token_hash: string, ended_as: "done" | "pending"): boolean {
  return task.claim === null && task.claim_token === token_hash && task.status === ended_as;
}

/**
 * What becomes of a task whose worker failed or vanished: it is offered again, and after the fifth attempt
 * done as failed.
 */
export function afterFailure({
  attempts,
}: Pick<TaskRecord, "attempts">): Pick<TaskRecord, "status" | "result"> {
  return attempts >= limits.task_attempts
    ? { status: "done", result: "failed" }
    : { status: "pending", result: null };
}
