import { z } from "zod";
import { JOB_KINDS } from "../catalogue/jobs.ts";
import { Timestamp } from "./fields.ts";
/** A job as stored. A worker leases it by moving `due_at` to the end of the lease. */
export const JobRecord = z.object({
  id: z.string(),
  kind: z.enum(JOB_KINDS),
  due_at: Timestamp,
  /** The id of the record that the job is about. */
  subject_id: z.string(),
  /** What the job needs besides its subject; secrets in it are encrypted. */
  payload: z.record(z.string(), z.unknown()),
  attempts: z.int(),
  /** Identifies the lease; a result is written only under it. */
  lease: z.string().nullable(),
  created_at: Timestamp,
});

export type JobRecord = z.infer<typeof JobRecord>;
