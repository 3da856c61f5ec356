import { z } from "zod";
import { JOB_KINDS } from "../catalogue/jobs.ts";
import { Timestamp } from "./fields.ts";
/** A job as stored. A worker leases it by moving `due_at` to the end of the lease. */
export const JobRecord = z.object({
  id: z.string().describe("The job's id."),
  kind: z.enum(JOB_KINDS).describe("What is to be done."),
  due_at: Timestamp.describe("When it is due; while a worker holds it, the end of the lease."),
  subject_id: z.string().describe("The id of the record that the job is about."),
  payload: z
    .record(z.string(), z.unknown())
    .describe("What the job needs besides its subject; secrets in it are encrypted."),
  attempts: z.int().describe("How often it was tried."),
  lease: z
    .string()
    .nullable()
    .describe("Identifies the lease, under which alone a result is written; null while nobody holds it."),
  created_at: Timestamp.describe("When it was written (ISO 8601, UTC)."),
});

export type JobRecord = z.infer<typeof JobRecord>;
