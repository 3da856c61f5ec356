import { limits } from "../catalogue/limits.ts";
import type { Services } from "../kernel/context.ts";
import { endJob, postponeJob } from "../kernel/jobs/job-lease.ts";
import { unitOfWork } from "../kernel/unit-of-work.ts";
import type { Work } from "../kernel/work.ts";
import { deleteMessages } from "../messages/index.ts";
import { iso } from "../model/fields.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import type { JobRecord } from "../model/jobs.ts";
import { dropDraft } from "../sending/index.ts";
import { closeInbox } from "./close.ts";

const stepRecords = 100;
const stepsPerTurn = 20;

/**
 * Deletes what a deleted inbox left behind, in small transactions so that other writers get their turn;
 * `subject_id` is the inbox. An inbox that is still there is closed first when it has been expired for as
 * long as it is kept, and is left alone otherwise.
 */
export async function purgeInbox(services: Services, job: JobRecord): Promise<void> {
  const inbox = await services.storage.get("inboxes", job.subject_id);
  const now = services.clock.now();
  if (inbox !== undefined && !(await closeExpired(services, inbox, now)))
    return endJob(services.storage, job);

  const noted = job.payload["account_id"];
  const account_id = inbox?.account_id ?? (typeof noted === "string" ? noted : "");
  for (let step = 0; step < stepsPerTurn; step++) {
    const left = await unitOfWork(services, account_id, now, (work) => purgeStep(work, job.subject_id, now));
    if (!left) return endJob(services.storage, job);
  }
  await postponeJob(services.storage, job, services.clock.now(), { account_id });
  await services.queue.send(services.clock.now());
}

/**
 * Closes an inbox whose time has run out; the expiry is the guard, since its owner may have moved it
 * meanwhile.
 */
async function closeExpired(
  services: Services,
  { id, account_id }: InboxRecord,
  now: Date,
): Promise<boolean> {
  const keptSince = iso(new Date(now.getTime() - limits.expired_inbox_kept_ms));
  return unitOfWork(services, account_id, now, async (work) => {
    const inbox = await work.get("inboxes", id);
    if (inbox === undefined) return true;
    if (inbox.expires_at === null || inbox.expires_at > keptSince) return false;
    await closeInbox(work, inbox, now);
    return true;
  });
}

/** Deletes up to `stepRecords` of each kind; answers whether there may be more. */
async function purgeStep(work: Work, inbox_id: string, now: Date): Promise<boolean> {
  const messages = await work.find("messages", {
    where: { inbox_id },
    order: { by: "id", direction: "asc" },
    limit: stepRecords,
  });
  if (messages.length > 0) {
    await work.delete("jobs", { subject_id: { in: messages.map(({ id }) => id) } });
    await deleteMessages(work, messages, now);
  }
  const drafts = await work.find("drafts", {
    where: { inbox_id },
    order: { by: "id", direction: "asc" },
    limit: stepRecords,
  });
  for (const draft of drafts) await dropDraft(work, draft, now);

  const approvals = await work.find("approvals", {
    where: { inbox_id },
    order: { by: "id", direction: "asc" },
    limit: stepRecords,
  });
  if (approvals.length > 0) {
    const ids = approvals.map(({ id }) => id);
    await work.delete("jobs", { subject_id: { in: ids } });
    await work.delete("approval_letters", { approval_id: { in: ids } });
    await work.delete("approvals", { id: { in: ids } });
  }
  const threads = await work.find("threads", {
    where: { inbox_id },
    order: { by: "last_message_id", direction: "asc" },
    limit: stepRecords,
  });
  if (threads.length > 0) await work.delete("threads", { id: { in: threads.map(({ id }) => id) } });

  const updates = await work.find("updates", {
    where: { inbox_id },
    order: { by: "id", direction: "asc" },
    limit: stepRecords,
  });
  if (updates.length > 0) {
    const ids = updates.map(({ id }) => id);
    await work.delete("jobs", { subject_id: { in: ids } });
    await work.delete("update_letters", { update_id: { in: ids } });
    await work.delete("update_deliveries", { update_id: { in: ids } });
    await work.delete("updates", { id: { in: ids } });
  }
  const events = await work.find("events", {
    where: { inbox_id },
    order: { by: "sequence", direction: "asc" },
    limit: stepRecords,
  });
  if (events.length > 0)
    await work.delete("events", { inbox_id, sequence: { in: events.map(({ sequence }) => sequence) } });

  return [messages, drafts, approvals, threads, updates, events].some(
    (found) => found.length === stepRecords,
  );
}
