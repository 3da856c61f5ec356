import type { AccountContext } from "../kernel/context.ts";
import { hashSecret, randomWord } from "../kernel/secrets.ts";
import type { Work } from "../kernel/work.ts";
import { iso } from "../model/fields.ts";
import type { TaskRecord } from "../model/tasks.ts";
import { changeTask } from "./move.ts";

const tokenChars = 40;
const lookedAt = 20;

/** A task in the hands of one worker, and the word by which that worker is known. */
export interface ClaimedTask {
  task: TaskRecord;
  claim_token: string;
}

/**
 * Hands the oldest pending task to the caller for so many seconds, or answers undefined. No task goes to two
 * workers.
 */
export async function claimTask(
  { now, account_id }: Pick<AccountContext, "now" | "account_id">,
  work: Work,
  inbox_id: string | undefined,
  lease_seconds: number,
): Promise<ClaimedTask | undefined> {
  const scope = inbox_id === undefined ? { account_id } : { inbox_id };
  const pending = await work.find("tasks", {
    where: { ...scope, status: "pending" },
    order: { by: "id", direction: "asc" },
    limit: lookedAt,
  });
  const claim_token = randomWord(tokenChars);
  const claim = leaseOf(now, lease_seconds);
  const held = {
    status: "in_progress",
    claim,
    claim_token: hashSecret(claim_token),
    updated_at: iso(now),
  } as const;
  for (const before of pending) {
    // The guard is the status: another worker's transaction may have had the task since it was read.
    const [taken] = await work.update(
      "tasks",
      { id: before.id, status: "pending" },
      { ...held, attempts: { add: 1 } },
    );
    if (taken === undefined) continue;
    const task = await changeTask(work, before, {}, now);
    work.job({ kind: "task.lease", subject_id: before.id, due_at: new Date(claim.expires_at) });
    return { task: task ?? taken, claim_token };
  }
  return undefined;
}

/** A lease from now on. */
export const leaseOf = (now: Date, seconds: number): { expires_at: string } => ({
  expires_at: iso(new Date(now.getTime() + seconds * 1000)),
});
