import { z } from "zod";
import { Timestamp } from "./schema.ts";

/** Every kind of due work. A line here needs a handler in `work.ts`. */
export const jobKinds = [
  "message.send",
  "webhook.deliver",
  "blobs.collect",
  "inbox.purge",
  "draft.send",
  "approval.expire",
  "task.lease",
  "digest.send",
  "question.expire",
  "lifecycle.notes",
] as const;
export type JobKind = (typeof jobKinds)[number];

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
