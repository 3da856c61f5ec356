import { z } from "zod";
import { Timestamp } from "./fields.ts";
import { MessageAuth } from "./messages.ts";
import { Answer } from "./questions.ts";

/** The status of a task. Every change is allowed. */
export const TaskStatus = z.enum(["pending", "in_progress", "done"]);

/** Work that an owner or allowlisted sender gave the agent, as shown (decisions, section 7). */
export const Task = z.object({
  object: z.literal("task").default("task"),
  id: z.string(),
  inbox_id: z.string(),
  /** The mail that created it; null when it came from an answer page or from a question's default. */
  message_id: z.string().nullable(),
  thread_id: z.string(),
  /** The update thread that it answers, or null. */
  task_id: z.string().nullable(),
  /** The update that it answers, or null. */
  answers_update_id: z.string().nullable(),
  /** The answer to that update's question; null if there was no question, or the sender is not trusted. */
  answer: Answer.nullable(),
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
  /** Set while a worker holds it. */
  claim: z.object({ expires_at: Timestamp }).nullable(),
  /** How often workers claimed it. */
  attempts: z.int(),
  /** Why the latest attempt failed. */
  last_error: z.string().nullable(),
  result: z.string().nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Task = z.infer<typeof Task>;

/** A task as stored. */
export const TaskRecord = Task.omit({ object: true, content_trust: true }).extend({
  /** Null if the text is that of the message that created it, so that it isn't stored twice. */
  text: z.string().nullable(),
  account_id: z.string(),
  /**
   * The hash of the latest claim token. It stays after the work ends, so that a repeated report gets the same
   * response.
   */
  claim_token: z.string().nullable(),
});
export type TaskRecord = z.infer<typeof TaskRecord>;

/** What a worker gets: a task and the token to report with, or neither. */
export const TaskClaim = z.object({
  object: z.literal("task_claim").default("task_claim"),
  task: Task.nullable(),
  claim_token: z.string().nullable(),
});
