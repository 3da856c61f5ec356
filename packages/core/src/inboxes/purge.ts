import { LIMITS } from "../catalogue/limits.ts";
import type { Services } from "../kernel/context.ts";
import { endJob, postponeJob } from "../kernel/jobs/job-lease.ts";
import { unitOfWork } from "../kernel/unit-of-work.ts";
import type { Work } from "../kernel/work.ts";
import { deleteMessages } from "../messages/index.ts";
import { type AnyRecord, tablesClosedBy, tablesOf } from "../model/belonging.ts";
import type { DraftRecord } from "../model/drafts.ts";
import { iso } from "../model/fields.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import type { JobRecord } from "../model/jobs.ts";
import type { MessageRecord } from "../model/messages.ts";
import { type TableName, tables } from "../model/tables.ts";
import { deleteDraft } from "../sending/index.ts";
import { closeInbox } from "./close.ts";

const RECORDS_PER_STEP = 100;
const STEPS_PER_RUN = 20;

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
  for (let step = 0; step < STEPS_PER_RUN; step++) {
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
  const keptSince = iso(new Date(now.getTime() - LIMITS.expired_inbox_kept_ms));
  return unitOfWork(services, account_id, now, async (work) => {
    const inbox = await work.get("inboxes", id);
    if (inbox === undefined) return true;
    if (inbox.expires_at === null || inbox.expires_at > keptSince) return false;
    await closeInbox(work, inbox, now);
    return true;
  });
}

const PURGED = tablesClosedBy("purge");

/** Deletes up to `RECORDS_PER_STEP` of each table; returns whether there may be more. */
async function purgeStep(work: Work, inbox_id: string, now: Date): Promise<boolean> {
  const storage = work as unknown as AnyWork;
  let more = false;
  for (const { table, order } of PURGED) {
    const records = await storage.find(table, {
      where: { inbox_id },
      order: { by: order, direction: "asc" },
      limit: RECORDS_PER_STEP,
    });
    if (records.length > 0) await (ERASE[table] ?? eraseRecords)(work, records, now, table);
    more ||= records.length === RECORDS_PER_STEP;
  }
  return more;
}

/** The verbs without their tables' types, for code that goes over all tables. */
interface AnyWork {
  find(
    table: TableName,
    query: { where: AnyRecord; order: { by: string; direction: "asc" }; limit: number },
  ): Promise<AnyRecord[]>;
  delete(table: TableName, where: AnyRecord): Promise<number>;
}

type Erase = (work: Work, records: AnyRecord[], now: Date, table: TableName) => Promise<void>;

/** Records with more than rows to delete: blobs, filter words and the search index. */
const ERASE: Partial<Record<TableName, Erase>> = {
  async messages(work, records, now) {
    const messages = records as unknown as MessageRecord[];
    await work.delete("jobs", { subject_id: { in: messages.map(({ id }) => id) } });
    await deleteMessages(work, messages, now);
  },
  async drafts(work, records, now) {
    for (const draft of records as unknown as DraftRecord[]) await deleteDraft(work, draft, now);
  },
};

/** Deletes records with their jobs and all that belongs to them. */
async function eraseRecords(work: Work, records: AnyRecord[], _now: Date, table: TableName): Promise<void> {
  const storage = work as unknown as AnyWork;
  const key = tables[table].key as readonly string[];
  const last = key.at(-1) as string;
  const values = records.map((record) => record[last]);
  if (last === "id") {
    await storage.delete("jobs", { subject_id: { in: values } });
    for (const child of tablesOf(table))
      await storage.delete(child.table, { [child.column]: { in: values } });
  }
  const others = Object.fromEntries(key.slice(0, -1).map((column) => [column, records[0]?.[column]]));
  await storage.delete(table, { ...others, [last]: { in: values } });
}
