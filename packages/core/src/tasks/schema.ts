import { z } from "zod";
import { MessageAuth } from "../messages/schema.ts";
import { Timestamp } from "../schema.ts";

/** How far a task is. Every move is allowed. */
export const TaskStatus = z.enum(["pending", "in_progress", "done"]);

/** Work that an owner or an allowlisted sender gave the agent, as shown (decisions, section 7). */
export const Task = z.object({
  object: z.literal("task").default("task"),
  id: z.string(),
  inbox_id: z.string(),
  message_id: z.string(),
  thread_id: z.string(),
  /** The update thread that it answers, or null. */
  task_id: z.string().nullable(),
  status: TaskStatus,
  /** A verified owner's or allowlisted sender's mail that passed authentication. */
  trusted: z.boolean(),
  injected: z.boolean(),
  owner_id: z.string().nullable(),
  sender: z.string(),
  subject: z.string(),
  text: z.string(),
  text_truncated: z.boolean(),
  auth: MessageAuth,
  content_trust: z.literal("untrusted_data").default("untrusted_data"),
  claim: z.object({ expires_at: Timestamp }).nullable(),
  result: z.string().nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Task = z.infer<typeof Task>;

/** A task as stored. */
export const TaskRecord = Task.omit({ object: true, content_trust: true }).extend({ account_id: z.string() });
export type TaskRecord = z.infer<typeof TaskRecord>;
