import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import type { TaskRecord } from "../../model/tasks.ts";

type Held = Pick<TaskRecord, "claim" | "claim_token" | "status">;

/** Whether a worker holds the task now. */
export function isClaimed({ claim }: Pick<TaskRecord, "claim">, now: string): boolean {
  return claim !== null && claim.expires_at > now;
}

/** Only the worker that holds the task may report, before its lease expires. Fails with `claim_lost`. */
export function checkClaim(task: Held, token_hash: string, now: string): void {
  if (task.claim_token !== token_hash || !isClaimed(task, now))
    throw fail("claim_lost", { param: "claim_token" });
}

/** Whether a report repeats the one that ended this claim, because the worker didn't get the answer. */
export function repeatsReport(task: Held, token_hash: string, ended_as: "done" | "pending"): boolean {
  return task.claim === null && task.claim_token === token_hash && task.status === ended_as;
}

/**
 * The state of a task after its worker failed or died: pending again or, after the fifth attempt, done as
 * failed.
 */
export function afterFailure({
  attempts,
}: Pick<TaskRecord, "attempts">): Pick<TaskRecord, "status" | "result"> {
  return attempts >= LIMITS.task_attempts
    ? { status: "done", result: JSON.stringify("failed") }
    : { status: "pending", result: null };
}
