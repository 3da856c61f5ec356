import { z } from "zod";
import { jobKinds } from "../catalogue/jobs.ts";
import { Timestamp } from "./fields.ts";
/** Due work as stored: whoever moves `due_at` to the end of a lease holds the job until then. */
export const JobRecord = z.object({
  id: z.string(),
  kind: z.enum(jobKinds),
  due_at: Timestamp,
  /** The id of the record that the job is about. */
  subject_id: z.string(),
  /** What the job needs beyond its subject; secrets in it are sealed. */
  payload: z.record(z.string(), z.unknown()),
  attempts: z.int(),
  /** Names the holder of the lease; a result is written only under it. */
  lease: z.string().nullable(),
  created_at: Timestamp,
});

export type JobRecord = z.infer<typeof JobRecord>;
