import { LIMITS } from "../../catalogue/limits.ts";
import type { Services } from "../../kernel/context.ts";
import { endJob, postponeJob } from "../../kernel/jobs/job-lease.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import type { Work } from "../../kernel/work.ts";
import { deleteMessages, purgeTrash } from "../../mailbox/messages/index.ts";
import { deleteUpload } from "../../mailbox/uploads/index.ts";
import { type AnyRecord, tablesClosedBy, tablesOf } from "../../model/belonging.ts";
import { iso } from "../../model/fields.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { JobRecord } from "../../model/jobs.ts";
import { type TableName, tables } from "../../model/tables.ts";
import type { TrashRecord } from "../../model/trash.ts";
import type { UploadRecord } from "../../model/uploads.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { deleteDraft } from "../../traffic/sending/index.ts";
import { closeInbox } from "./close.ts";

/** Records of each table that are read together; all of a page is in memory at once. */
const RECORDS_PER_PAGE = 50;
/** Characters of the records that one transaction deletes, at most, but for a single longer record. */
const CHARS_PER_STEP = 1_000_000;
const PAGES_PER_RUN = 40;

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
  if (await eraseClosedInbox(services, { id: job.subject_id, account_id }, now))
    return endJob(services.storage, job);
  await postponeJob(services.storage, job, services.clock.now(), { account_id });
  await services.queue.send(services.clock.now());
}

/**
 * Deletes what a closed inbox left behind, as much as one run of a job should, in small transactions. Returns
 * whether that was all of it.
 */
export async function eraseClosedInbox(
  services: Services,
  { id, account_id }: Pick<InboxRecord, "id" | "account_id">,
  now: Date,
): Promise<boolean> {
  for (let read = 0; read < PAGES_PER_RUN; read++) {
    const page = await nextPage(services.storage, id);
    for (const step of stepsOf(page))
      await unitOfWork(services, account_id, now, (work) => erase(work, step, now));
    if (!page.some(([, records]) => records.length === RECORDS_PER_PAGE)) return true;
  }
  return false;
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

/** Records of an inbox by their tables. */
type Found = [TableName, AnyRecord[]][];

/**
 * Reads up to `RECORDS_PER_PAGE` records of each table, before the transactions that delete them, since reading long
 * ones within a transaction would block the event loop. Nobody can reach them any more, so only operations already
 * under way can change them.
 */
async function nextPage(reader: StorageReader, inbox_id: string): Promise<Found> {
  const storage = reader as unknown as AnyReader;
  const page: Found = [];
  for (const { table, order } of PURGED) {
    const records = await storage.find(table, {
      where: { inbox_id },
      order: { by: order, direction: "asc" },
      limit: RECORDS_PER_PAGE,
    });
    page.push([table, records]);
  }
  return page;
}

/** A page in parts of at most `CHARS_PER_STEP` characters, or of one record; each is for one transaction. */
function* stepsOf(page: Found): Generator<Found> {
  let step: Found = [];
  let left = CHARS_PER_STEP;
  for (const [table, records] of page) {
    let from = 0;
    for (const [index, record] of records.entries()) {
      left -= charsOf(record);
      if (left > 0) continue;
      yield [...step, [table, records.slice(from, index + 1)]];
      [step, left, from] = [[], CHARS_PER_STEP, index + 1];
    }
    if (from < records.length) step.push([table, records.slice(from)]);
  }
  if (step.length > 0) yield step;
}

const charsOf = (record: AnyRecord): number =>
  Object.values(record).reduce<number>(
    (sum, value) => sum + (typeof value === "string" ? value.length : 0),
    0,
  );

async function erase(work: Work, found: Found, now: Date): Promise<void> {
  for (const [table, records] of found) await (ERASE[table] ?? eraseRecords)(work, records, now, table);
}

/** Reads without the tables' types, for code that goes over all tables. */
interface AnyReader {
  find(
    table: TableName,
    query: { where: AnyRecord; order: { by: string; direction: "asc" }; limit: number },
  ): Promise<AnyRecord[]>;
}

type Erase = (work: Work, records: AnyRecord[], now: Date, table: TableName) => Promise<void>;

/** Records with more than rows to delete: blobs, filter words and the search index. */
const ERASE: Partial<Record<TableName, Erase>> = {
  async messages(work, records, now) {
    const ids = idsOf(records);
    await work.delete("jobs", { subject_id: { in: ids } });
    // As they are now: what was being sent may have got further blobs.
    const messages = await work.find("messages", { where: { id: { in: ids } }, limit: ids.length });
    await deleteMessages(work, messages, now);
  },
  async drafts(work, records, now) {
    const ids = idsOf(records);
    for (const draft of await work.find("drafts", { where: { id: { in: ids } }, limit: ids.length }))
      await deleteDraft(work, draft, now);
  },
  async uploads(work, records, now) {
    for (const upload of records as unknown as UploadRecord[]) await deleteUpload(work, upload, now);
  },
  async trash(work, records, now) {
    await purgeTrash(work, records as unknown as TrashRecord[], now);
  },
};

const idsOf = (records: AnyRecord[]): string[] => records.map(({ id }) => id as string);

/** Deletes records with their jobs and all that belongs to them. */
export async function eraseRecords(
  work: Work,
  records: AnyRecord[],
  _now: Date,
  table: TableName,
): Promise<void> {
  const storage = work as unknown as { delete(table: TableName, where: AnyRecord): Promise<number> };
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
