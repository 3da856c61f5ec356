import { iso } from "../../model/fields.ts";
import type { JobRecord } from "../../model/jobs.ts";
import type { StorageWriter } from "../../ports/storage.ts";

/**
 * Thrown when a worker's lease has expired and another worker has the job: its result must not be written.
 */
export class LeaseLost extends Error {
  constructor(job: JobRecord) {
    super(`the lease on ${job.kind} ${job.id} was lost`);
  }
}

/** Ends a job together with its result. Throws `LeaseLost` when another worker has it. */
export async function endJob(writer: StorageWriter, job: JobRecord): Promise<void> {
  if ((await writer.delete("jobs", { id: job.id, lease: leaseOf(job) })) === 0) throw new LeaseLost(job);
}

/**
 * Postpones a job together with its result; it keeps its payload unless a new one is given. Throws
 * `LeaseLost` when another worker has it.
 */
export async function postponeJob(
  writer: StorageWriter,
  job: JobRecord,
  due_at: Date,
  payload?: Record<string, unknown>,
): Promise<void> {
  const postponed = await writer.update(
    "jobs",
    { id: job.id, lease: leaseOf(job) },
    { due_at: iso(due_at), lease: null, ...(payload === undefined ? {} : { payload }) },
  );
  if (postponed.length === 0) throw new LeaseLost(job);
}

/** Replaces the payload of a job while working on it. Throws `LeaseLost` when another worker has it. */
export async function noteOnJob(
  writer: StorageWriter,
  job: JobRecord,
  payload: Record<string, unknown>,
): Promise<void> {
  const noted = await writer.update("jobs", { id: job.id, lease: leaseOf(job) }, { payload });
  if (noted.length === 0) throw new LeaseLost(job);
}

function leaseOf(job: JobRecord): string {
  if (job.lease === null) throw new Error(`job ${job.id} is not leased`);
  return job.lease;
}
