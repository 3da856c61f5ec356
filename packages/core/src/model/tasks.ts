import { z } from "zod";
import { Timestamp } from "./fields.ts";
import { MessageAuth } from "./messages.ts";
import { Answer } from "./questions.ts";

/** How far a task is. Every move is allowed. */
export const TaskStatus = z.enum(["pending", "in_progress", "done"]);

/** Work that an owner or an allowlisted sender gave the agent, as shown (decisions, section 7). */
export const Task = z.object({
  object: z.literal("task").default("task"),
  id: z.string(),
  inbox_id: z.string(),
  /**
   * The mail that gave it; null when it came of an answer on the owner's page, or of a question's own
   * default.
   */
  message_id: z.string().nullable(),
  thread_id: z.string(),
  /** The update thread that it answers, or null. */
  task_id: z.string().nullable(),
  /** The update that it answers, or null. */
  answers_update_id: z.string().nullable(),
  /**
   * What it answers to that update's question; null where there was none, or its sender is not to be
   * believed.
   */
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
  /** While a worker holds it: until when. */
  claim: z.object({ expires_at: Timestamp }).nullable(),
  /** How often a worker took it. */
  attempts: z.int(),
  /** Why the newest attempt failed. */
  last_error: z.string().nullable(),
  result: z.string().nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Task = z.infer<typeof Task>;

/** A task as stored. */
export const TaskRecord = Task.omit({ object: true, content_trust: true }).extend({
  /** Null where the words are those of the message that gave it, which spares storing them twice. */
  text: z.string().nullable(),
  account_id: z.string(),
  /**
   * The hash of the newest claim's token; it stays when the work ends, so that a repeated report is told the
   * same.
   */
  claim_token: z.string().nullable(),
});
export type TaskRecord = z.infer<typeof TaskRecord>;

/** What a worker gets: a task of its own and the token that it reports with, or neither. */
export const TaskClaim = z.object({
  object: z.literal("task_claim").default("task_claim"),
  task: Task.nullable(),
  claim_token: z.string().nullable(),
});
