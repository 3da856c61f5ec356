import { z } from "zod";
import type { EventType } from "../catalogue/events.ts";
import { Approval } from "./approvals.ts";
import { Draft } from "./drafts.ts";
import { Inbox } from "./inboxes.ts";
import { MessageRecord, MessageSummary } from "./messages.ts";
import { Owner } from "./owners.ts";
import { Answer } from "./questions.ts";
import { Safety } from "./screening.ts";
import { Task, TaskRecord } from "./tasks.ts";
import { Webhook } from "./webhooks.ts";

/** What an event stores of its message: the fields that may change later. The rest is read from the message. */
export const MessageSnapshot = MessageRecord.pick({
  thread_id: true,
  labels: true,
  status: true,
  provider: true,
  delivery_events: true,
}).extend({ feedback: Safety.shape.feedback.unwrap().nullable() });
export type MessageSnapshot = z.infer<typeof MessageSnapshot>;

/** What an event stores of a task that a mail created: the fields that may change later. */
export const TaskSnapshot = TaskRecord.pick({
  id: true,
  thread_id: true,
  status: true,
  claim: true,
  attempts: true,
  last_error: true,
  result: true,
  updated_at: true,
});
export type TaskSnapshot = z.infer<typeof TaskSnapshot>;

/** A message that was deleted after its event: its ids and outcome, and none of its text. */
export const DeletedMessage = MessageSnapshot.omit({ feedback: true })
  .extend({
    object: z.literal("message"),
    id: z.string(),
    inbox_id: z.string().nullable(),
    from: z.null(),
    subject: z.null(),
    extracted_text: z.null(),
    preview: z.null(),
    deleted: z.literal(true),
  })
  .meta({ title: "DeletedMessageInEvent" });
export type DeletedMessage = z.infer<typeof DeletedMessage>;

/** A task that was deleted, with its mail, after its event: its ids and status, and none of the mail's text. */
export const DeletedTask = TaskSnapshot.extend({
  object: z.literal("task"),
  inbox_id: z.string().nullable(),
  message_id: z.string(),
  sender: z.null(),
  subject: z.null(),
  text: z.null(),
  deleted: z.literal(true),
}).meta({ title: "DeletedTaskInEvent" });
export type DeletedTask = z.infer<typeof DeletedTask>;

const EventMessage = z.union([MessageSummary, DeletedMessage]);
type EventMessage = z.infer<typeof EventMessage>;
const EventTask = z.union([Task, DeletedTask]);
type EventTask = z.infer<typeof EventTask>;

const OfMessage = z.object({ message: EventMessage });
const OfTask = z.object({ task: EventTask });
const OfApproval = z.object({ approval: Approval });
const OfOwner = z.object({ owner: Owner });
const OfReport = z.object({
  message_id: z.string(),
  inbox_id: z.string(),
  thread_id: z.string(),
  /** For a bounce `hard` or `soft`; for a complaint the feedback type of its report. */
  bounce_type: z.string().nullable(),
  recipients: z.array(z.string()),
});
const EventDraft = Draft.omit({ html: true, html_truncated: true }).meta({ title: "DraftInEvent" });
const Security = Inbox.pick({ screening: true, require_sender_auth: true, send_mode: true }).partial();
/** Nothing publishes these types yet. */
const Reserved = z.record(z.string(), z.unknown());

/** The `data` of each event type, as shown. */
export const EVENT_DATA = {
  "message.received": OfMessage,
  "message.held": OfMessage,
  "message.sent": OfMessage,
  "message.blocked": z.object({
    inbox_id: z.string(),
    from: z.string(),
    subject: z.string(),
    direction: z.enum(["receive", "reply"]),
    reason: z.enum(["block_list", "allow_list"]),
  }),
  "message.bounced": OfReport,
  "message.complained": OfReport,
  "task.received": OfTask,
  "owner.reply": z.object({
    /** Null if the owner answered on the answer page. */
    message: EventMessage.nullable(),
    owner_id: z.string(),
    task_id: z.string().nullable(),
    answers_task_id: z.string().nullable(),
    answers_update_id: z.string().nullable(),
    answer: Answer.nullable(),
  }),
  "domain.verified": Reserved,
  "message.delivered": OfMessage,
  "message.failed": z.object({
    /** Null if the draft failed before it became a message. */
    message: EventMessage.nullable(),
    draft: EventDraft.optional(),
    reason: z.string(),
  }),
  "draft.created": z.object({ draft: EventDraft }),
  "approval.requested": OfApproval,
  "approval.decided": OfApproval,
  "owner.verified": OfOwner,
  "owner.unsubscribed": OfOwner,
  "task.updated": OfTask,
  "webhook.disabled": Webhook.pick({
    url: true,
    consecutive_failures: true,
    disabled_at: true,
    disabled_reason: true,
  }).extend({ webhook_id: z.string() }),
  "webhook.test": z.object({ webhook_id: z.string(), url: z.string() }),
  "inbox.security_changed": Security.extend({ inbox_id: z.string(), previous: Security }),
  "thread.loop_stopped": z.object({
    thread_id: z.string(),
    message_id: z.string(),
    messages_in_last_hour: z.int(),
  }),
  "phone.call_updated": Reserved,
} satisfies Record<EventType, z.ZodObject | z.ZodRecord>;

/** The `data` of each event type, as shown. */
export type EventData = { [T in EventType]: z.infer<(typeof EVENT_DATA)[T]> };

/** The `data` of each event type, as stored if the event belongs to a message: snapshots of message and task. */
export type StoredEventData = {
  [T in EventType]: { [F in keyof EventData[T]]: SnapshotOf<EventData[T][F]> };
};
type SnapshotOf<Shown> = Shown extends EventMessage
  ? MessageSnapshot
  : Shown extends EventTask
    ? TaskSnapshot
    : Shown;

/** A field of `data` that depends on the event's message, and what it shows. */
export interface MessageField {
  name: string;
  shows: "message" | "task" | "answer";
}

const SHOWN_BY_MESSAGE = new Map<z.core.$ZodType, MessageField["shows"]>([
  [EventMessage, "message"],
  [EventTask, "task"],
  [Answer, "answer"],
]);

/** The fields of each type's `data` that depend on the event's message, read from `EVENT_DATA`. */
export const MESSAGE_FIELDS = Object.fromEntries(
  Object.entries(EVENT_DATA).map(([type, schema]) => [type, messageFields(schema)]),
) as { [T in EventType]: MessageField[] };

function messageFields(data: z.ZodObject | z.ZodRecord): MessageField[] {
  if (data instanceof z.ZodRecord) return [];
  return Object.entries(data.shape).flatMap(([name, schema]) => {
    const shows = SHOWN_BY_MESSAGE.get(schema instanceof z.ZodNullable ? schema.unwrap() : schema);
    return shows === undefined ? [] : [{ name, shows }];
  });
}
