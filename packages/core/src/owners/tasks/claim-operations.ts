import { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { InboxId, TaskId } from "../../catalogue/id-inputs.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { AGENTS, inboxesWithinReach } from "../../kernel/access/caller.ts";
import type { AccountContext } from "../../kernel/context.ts";
import { checkInbox } from "../../kernel/inbox/check.ts";
import { operation } from "../../kernel/operation.ts";
import { hashSecret } from "../../kernel/secrets.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import { inPlace, waitFor } from "../../kernel/waiting.ts";
import type { Work } from "../../kernel/work.ts";
import { channels } from "../../kernel/work.ts";
import { leaseForTask } from "../../mailbox/threads/index.ts";
import { iso, WaitSeconds } from "../../model/fields.ts";
import { Task, TaskClaim, type TaskRecord, TaskResultInput } from "../../model/tasks.ts";
import { type ClaimedTask, claimTask, leaseOf } from "./claim.ts";
import { findTask } from "./find.ts";
import { changeTask } from "./move.ts";
import { afterFailure, checkClaim, repeatsReport } from "./rules.ts";
import { wordTask } from "./show.ts";

const LeaseSeconds = z
  .int()
  .min(1)
  .max(LIMITS.task_lease_max_seconds)
  .default(LIMITS.task_lease_default_seconds)
  .describe(`How long the worker holds the task, from 1 to ${LIMITS.task_lease_max_seconds} seconds.`);
const held = z.object({
  task_id: TaskId,
  claim_token: z.string().min(1).max(200).describe("The token that the claim returned."),
});

/** Tasks as a work queue: each pending task goes to one worker, which reports with its claim token. */
export const claims = {
  claim: operation({
    summary:
      "Claims the oldest pending task for this worker, for the time of its lease. With wait it waits for one.",
    when: "Several workers share the tasks: each gets one and reports with its claim_token.",
    example: { lease_seconds: 300, wait: 20 },
    scope: "filtered",
    callers: AGENTS,
    effect: "write",
    allow: ["task_write"],
    tool: {
      name: "claim_task",
      description:
        "Take the oldest pending task so that no other worker does; then complete_task or fail_task with its claim_token.",
      fields: { lease_seconds: "How long you hold it" },
    },
    input: z.object({
      inbox_id: InboxId.optional().describe("Only this inbox's tasks; all by default."),
      lease_seconds: LeaseSeconds,
      wait: WaitSeconds(0, LIMITS.task_wait_max_seconds),
    }),
    output: TaskClaim,
    async run(ctx, { inbox_id, lease_seconds, wait }) {
      await checkInbox(ctx, inbox_id);
      const look = async (): Promise<ClaimedTask | undefined> => {
        if (ctx.signal?.aborted === true) return undefined; // the worker is gone
        const now = ctx.clock.now();
        return unitOfWork(ctx, ctx.account_id, now, (work) =>
          claimTask({ ...ctx, now }, work, inbox_id, lease_seconds),
        );
      };
      const scopes = inboxesWithinReach(ctx.caller, inbox_id) ?? [ctx.account_id];
      const waited = () => waitFor(ctx, { channels: scopes.map(channels.tasks), seconds: wait, look });
      const claimed = await inPlace(ctx, wait, waited);
      if (claimed === undefined) return { task: null, claim_token: null };
      return { ...claimed, task: await wordTask(ctx.storage, claimed.task) };
    },
  }),

  heartbeat: operation({
    summary: "Extends the lease on a task. Fails with claim_lost when the worker no longer holds it.",
    when: "The work takes longer than the lease: call it before the lease ends.",
    example: { lease_seconds: 300 },
    errors: ["claim_lost"],
    scope: "filtered",
    callers: AGENTS,
    effect: "write",
    allow: ["task_write"],
    input: held.extend({ lease_seconds: LeaseSeconds }),
    output: Task,
    run: (ctx, { task_id, claim_token, lease_seconds }) =>
      report(ctx, task_id, async (work, task) => {
        const hash = hashSecret(claim_token);
        checkClaim(task, hash, iso(ctx.now));
        const claim = leaseOf(ctx.now, lease_seconds);
        const thread = task.thread_id === null ? undefined : await work.get("threads", task.thread_id);
        await leaseForTask(work, thread, { hash, until: claim.expires_at, now: ctx.now });
        return changeTask(work, task, { claim }, ctx.now);
      }),
  }),

  complete: operation({
    summary: "Completes a claimed task, optionally with a result.",
    when: "The work is done.",
    example: { result: { order: "A-1001", boxes: 2 } },
    errors: ["claim_lost", "invalid_result"],
    scope: "filtered",
    callers: AGENTS,
    effect: "write",
    allow: ["task_write"],
    tool: {
      name: "complete_task",
      description: "Finish a claimed task.",
      hints: { idempotent: true },
      fields: { result: "Any JSON" },
    },
    input: held.extend({
      result: TaskResultInput.optional().describe(
        "What came of it: any JSON of at most 16 KB, 64 levels deep; null by default.",
      ),
    }),
    output: Task,
    run: (ctx, { task_id, claim_token, result = null }) =>
      report(ctx, task_id, async (work, task) => {
        if (repeatsReport(task, hashSecret(claim_token), "done")) return task;
        checkClaim(task, hashSecret(claim_token), iso(ctx.now));
        return changeTask(work, task, { status: "done", claim: null, result, last_error: null }, ctx.now);
      }),
  }),

  fail: operation({
    summary:
      "Returns a claimed task with a reason. After the fifth attempt it is done, with the result failed.",
    when: "The work failed and should be tried again, by this or another worker.",
    example: { reason: "The shop did not answer." },
    errors: ["claim_lost"],
    scope: "filtered",
    callers: AGENTS,
    effect: "write",
    allow: ["task_write"],
    tool: {
      name: "fail_task",
      description: "Give a claimed task back, to be tried again.",
      hints: { idempotent: true },
      fields: { reason: "" },
    },
    input: held.extend({
      reason: z
        .string()
        .min(1)
        .max(LIMITS.task_reason_chars)
        .describe(`Why, 1 to ${LIMITS.task_reason_chars} characters.`),
    }),
    output: Task,
    run: (ctx, { task_id, claim_token, reason }) =>
      report(ctx, task_id, async (work, task) => {
        const after = afterFailure(task);
        if (repeatsReport(task, hashSecret(claim_token), after.status === "done" ? "done" : "pending"))
          return task;
        checkClaim(task, hashSecret(claim_token), iso(ctx.now));
        return changeTask(work, task, { ...after, claim: null, last_error: reason }, ctx.now);
      }),
  }),
};

/** Applies a worker's report to its task as it is within the transaction. */
async function report(
  ctx: AccountContext,
  task_id: string,
  act: (work: Work, task: TaskRecord) => Promise<TaskRecord | undefined>,
): Promise<z.input<typeof Task>> {
  await findTask(ctx, ctx.storage, task_id);
  const reported = await ctx.transaction(async (work) => act(work, await findTask(ctx, work, task_id)));
  if (reported === undefined) throw fail("task_not_found");
  return wordTask(ctx.storage, reported);
}
