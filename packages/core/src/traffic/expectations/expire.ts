import type { Services } from "../../kernel/context.ts";
import { endJob } from "../../kernel/jobs/job-lease.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import { channels } from "../../kernel/work.ts";
import { iso } from "../../model/fields.ts";
import type { JobRecord } from "../../model/jobs.ts";
import { addTask, openExpiryTask } from "../../owners/tasks/index.ts";
import { expiryText } from "./rules.ts";

/**
 * Ends an expectation whose time is over, and makes the task that says so where one was asked for. Whatever ends it, does
 * so once: status, task and event are written in one transaction.
 */
export async function expireExpectation(services: Services, job: JobRecord): Promise<void> {
  const { storage, makeId } = services;
  const found = await storage.get("expectations", job.subject_id);
  if (found?.status !== "waiting") return endJob(storage, job);
  const now = services.clock.now();
  await unitOfWork(services, found.account_id, now, async (work) => {
    await endJob(work, job);
    const [expired] = await work.update(
      "expectations",
      { id: found.id, status: "waiting" },
      { status: "expired" },
    );
    if (expired === undefined) return;
    const { id: expectation_id, inbox_id, kind, on_expiry, in_reply_to, thread_id } = expired;
    const is_open = (await work.get("inboxes", inbox_id)) !== undefined;
    const task =
      on_expiry === "task" && is_open
        ? openExpiryTask(
            makeId,
            expired,
            { text: expiryText(expired), message_id: in_reply_to, thread_id },
            now,
          )
        : undefined;
    if (task !== undefined) addTask(work, task);
    const data = { expectation_id, inbox_id, kind, expired_at: iso(now), task_id: task?.id ?? null };
    work.publish({ type: "expectation.expired", inbox_id, data });
    work.wake(channels.expectation(expectation_id));
  });
}
