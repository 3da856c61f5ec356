import { z } from "zod";
import { Timestamp } from "./fields.ts";

/** A conversation within one inbox (decisions, section 6). */
export const Thread = z.object({
  object: z.literal("thread").default("thread"),
  id: z.string(),
  inbox_id: z.string(),
  subject: z.string(),
  preview: z.string(),
  participants: z.array(z.object({ address: z.string(), name: z.string() })),
  message_count: z.int(),
  unread_count: z.int(),
  attachment_count: z.int(),
  last_message_id: z.string(),
  labels: z.array(z.string()),
  untrusted: z.boolean(),
  received_at: Timestamp.nullable(),
  sent_at: Timestamp.nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Thread = z.infer<typeof Thread>;

/** A thread as stored. */
export const ThreadRecord = Thread.omit({ object: true }).extend({
  account_id: z.string(),
  /** The update thread in this mail thread, or null. */
  update_task_id: z.string().nullable(),
  /** Set while the thread is stopped because of a loop of automatic mail. */
  loop_stopped_at: Timestamp.nullable(),
  /** The latest message from a person; later ones are between machines. */
  last_human_message_id: z.string().nullable(),
});
export type ThreadRecord = z.infer<typeof ThreadRecord>;
