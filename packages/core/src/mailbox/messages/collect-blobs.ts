import type { Services } from "../../kernel/context.ts";
import { endJob, postponeJob } from "../../kernel/jobs/job-lease.ts";
import type { Work } from "../../kernel/work.ts";
import type { JobRecord } from "../../model/jobs.ts";

const BLOB_GRACE_MS = 3600_000;

/**
 * Schedules the deletion of blobs once nothing uses them. The job runs an hour later, so that a mail arriving
 * meanwhile with the same bytes keeps them.
 */
export function scheduleBlobCollection(work: Work, hashes: readonly string[], now: Date): void {
  for (const hash of new Set(hashes))
    work.job({ kind: "blobs.collect", subject_id: hash, due_at: new Date(now.getTime() + BLOB_GRACE_MS) });
}

/**
 * Deletes an unused blob with its extracted text. A blob stored within the last hour may be about to be used: it is
 * checked again an hour later.
 */
export async function collectBlobs(services: Services, job: JobRecord): Promise<void> {
  const used = await services.storage.count("blob_uses", { hash: job.subject_id }, 1);
  if (used === 0) {
    await services.storage.delete("attachment_texts", { hash: job.subject_id });
    const now = services.clock.now().getTime();
    if (!(await services.blobs.delete(job.subject_id, new Date(now - BLOB_GRACE_MS))))
      return postponeJob(services.storage, job, new Date(now + BLOB_GRACE_MS));
  }
  await endJob(services.storage, job);
}

/** Pieces of an export that one transaction deletes. */
const PARTS_PER_STEP = 200;

/**
 * Deletes some pieces of an export's zip; their bytes are collected later unless something else uses them. Returns
 * whether there may be more.
 */
export async function eraseExportParts(work: Work, export_id: string, now: Date): Promise<boolean> {
  const parts = await work.find("export_parts", {
    where: { export_id },
    order: { by: "number", direction: "asc" },
    limit: PARTS_PER_STEP,
  });
  if (parts.length === 0) return false;
  const hashes = parts.map(({ hash }) => hash);
  await work.delete("export_parts", { export_id, number: { in: parts.map(({ number }) => number) } });
  await work.delete("blob_uses", { hash: { in: hashes }, message_id: export_id });
  scheduleBlobCollection(work, hashes, now);
  return parts.length === PARTS_PER_STEP;
}

/**
 * Deletes an export, or some of its pieces if it has many, and returns whether there may be more. One that is being
 * made stops: nothing is added to it any more.
 */
export async function eraseExport(work: Work, export_id: string, now: Date): Promise<boolean> {
  await work.update("exports", { id: export_id }, { status: "failed", pending_for: null });
  if (await eraseExportParts(work, export_id, now)) return true;
  await work.delete("exports", { id: export_id });
  await work.delete("jobs", { subject_id: export_id });
  return false;
}
