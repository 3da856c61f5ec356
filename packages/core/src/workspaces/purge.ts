import { eraseRecords } from "../inboxes/index.ts";
import type { Services } from "../kernel/context.ts";
import { endJob, postponeJob } from "../kernel/jobs/job-lease.ts";
import { unitOfWork } from "../kernel/unit-of-work.ts";
import type { AnyRecord } from "../model/belonging.ts";
import type { JobRecord } from "../model/jobs.ts";
import { listName } from "../model/lists.ts";
import type { TableName } from "../model/tables.ts";

const RECORDS_PER_STEP = 200;
const STEPS_PER_RUN = 20;

/** What is left of a sub-account, with the column that its records are in order of. */
const PURGED: readonly (readonly [TableName, string])[] = [
  ["webhooks", "id"],
  ["consumers", "id"],
  ["suppressions", "id"],
  ["events", "sequence"],
  ["event_floors", "account_id"],
  ["sending_days", "day"],
  ["metric_counts", "name"],
  ["recipients", "address"],
  ["idempotency", "key"],
];

/**
 * Deletes what a deleted workspace left behind, in small transactions so that other writers get their turn;
 * `subject_id` is its sub-account. Its inboxes have jobs of their own; its addresses stay, so that nobody else
 * gets them, and its keys, so that they are answered as revoked.
 */
export async function purgeWorkspace(services: Services, job: JobRecord): Promise<void> {
  const account_id = job.subject_id;
  for (let step = 0; step < STEPS_PER_RUN; step++)
    if (!(await purgeStep(services, account_id))) return endJob(services.storage, job);
  await postponeJob(services.storage, job, services.clock.now());
  await services.queue.send(services.clock.now());
}

/** Deletes some records of each table, and tells whether there may be more. */
async function purgeStep(services: Services, account_id: string): Promise<boolean> {
  const now = services.clock.now();
  return unitOfWork(services, account_id, now, async (work) => {
    let more = false;
    for (const [table, by] of PURGED) {
      const records = await (work as unknown as AnyReader).find(table, {
        where: { account_id },
        order: { by, direction: "asc" },
        limit: RECORDS_PER_STEP,
      });
      if (records.length > 0) await eraseRecords(work, records, now, table);
      more ||= records.length > 0;
    }
    for (const list of listsOf(account_id)) await work.delete("list_entries", { list });
    return more;
  });
}

/** Reads without the tables' types, for code that goes over several tables. */
interface AnyReader {
  find(
    table: TableName,
    query: { where: AnyRecord; order: { by: string; direction: "asc" }; limit: number },
  ): Promise<AnyRecord[]>;
}

/** The account's own lists; those of its inboxes went with them. */
const listsOf = (account_id: string): string[] =>
  (["send", "receive", "reply"] as const).flatMap((direction) =>
    (["allow", "block"] as const).map((type) => listName(account_id, direction, type)),
  );
