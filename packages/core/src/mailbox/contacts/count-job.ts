import { idFloor } from "../../catalogue/ids.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import type { Services } from "../../kernel/context.ts";
import { endJob, noteOnJob } from "../../kernel/jobs/job-lease.ts";
import { iso } from "../../model/fields.ts";
import type { JobRecord } from "../../model/jobs.ts";
import { countInbox, JOB_ID, nextMessages, positionOf } from "./count.ts";

/** Messages, or inboxes, that are read together. */
const PAGE = 50;
const PAGES_PER_RUN = 20;
const DAY_MS = 24 * 3600_000;

/** Mail is counted a minute after it came: until then a transaction with an earlier id may be under way, here or by a later clock. */
const horizon = (now: Date): string => idFloor("msg", new Date(now.getTime() - LIMITS.contacts_behind_ms));

/** Has new mail counted, if there is some. */
export async function scheduleContacts({
  storage,
  clock,
}: Pick<Services, "storage" | "clock">): Promise<void> {
  const now = clock.now();
  const job = await storage.get("jobs", JOB_ID);
  const id = { gt: positionOf(job), lt: horizon(now) };
  const [fresh] = await nextMessages(storage, { id }, 1);
  if (fresh === undefined) return;
  const { inserted } = await storage.insert("jobs", walk(now, now, "msg_"));
  if (inserted) return;
  const waits = { id: JOB_ID, lease: null, due_at: { gt: iso(now) } };
  await storage.update("jobs", waits, { due_at: iso(now) });
}

const walk = (now: Date, due_at: Date, after: string): JobRecord => ({
  ...{ id: JOB_ID, kind: "contacts.count", subject_id: JOB_ID, payload: { after } },
  ...{ due_at: iso(due_at), attempts: 0, lease: null, created_at: iso(now) },
});

/**
 * Has all mail of an account counted anew, once some was brought in: a part of it may have been counted before older mail
 * came in.
 */
export async function countImported(
  { storage, clock, makeId, queue }: Pick<Services, "storage" | "clock" | "makeId" | "queue">,
  account_id: string,
): Promise<void> {
  const now = clock.now();
  await storage.insert("jobs", {
    ...{ id: makeId("job"), kind: "contacts.count", subject_id: account_id, payload: {} },
    ...{ due_at: iso(now), attempts: 0, lease: null, created_at: iso(now) },
  });
  await queue.send(now);
}

/**
 * Counts new mail for contacts: of all inboxes, or of those of the account that `subject_id` names. A run that is killed is
 * resumed: what is counted is written with how far it is, inbox by inbox.
 */
export async function countContacts(services: Services, job: JobRecord): Promise<void> {
  const { storage, clock, queue } = services;
  const before = horizon(clock.now());
  if (job.subject_id !== JOB_ID) return countAnew(services, job, before);
  let after = positionOf(job);
  let more = true;
  for (let read = 0; more && read < PAGES_PER_RUN; read++) {
    const page = await nextMessages(storage, { id: { gt: after, lt: before } }, PAGE);
    for (const inbox_id of new Set(page.map((message) => message.inbox_id)))
      await countWhole(services, inbox_id, before);
    after = page.at(-1)?.id ?? after;
    more = page.length === PAGE;
    await noteOnJob(storage, job, { after });
  }
  const now = clock.now();
  // A new record, so that attempts aren't added up over its whole life. The sweep wakes it when mail has come.
  const next = walk(now, more ? now : new Date(now.getTime() + DAY_MS), after);
  await storage.transaction(async (tx) => {
    await endJob(tx, job);
    await tx.insert("jobs", next);
  });
  if (more) await queue.send(now);
}

/** Counts all mail of an account anew, inbox by inbox; the job notes which one has begun. */
async function countAnew(services: Services, job: JobRecord, before: string): Promise<void> {
  const { storage } = services;
  const { after: done = "", begun } = job.payload;
  let after = String(done);
  for (;;) {
    const inboxes = await storage.find("inboxes", {
      where: { account_id: job.subject_id, id: { gt: after } },
      order: { by: "id", direction: "asc" },
      limit: PAGE,
    });
    for (const { id: inbox_id } of inboxes) {
      if (inbox_id !== begun)
        await storage.transaction(async (tx) => {
          await noteOnJob(tx, job, { after, begun: inbox_id });
          await tx.delete("contacts", { inbox_id });
          await tx.delete("contact_cursors", { inbox_id });
        });
      await countWhole(services, inbox_id, before);
      after = inbox_id;
    }
    if (inboxes.length < PAGE) return endJob(storage, job);
  }
}

async function countWhole(services: Services, inbox_id: string, before: string): Promise<void> {
  while (await countInbox(services, inbox_id, before)) await services.yieldToEventLoop();
}
