import { z } from "zod";
import type { EventType } from "../catalogue/events.ts";
import { Approval, VersionChange } from "./approvals.ts";
import { Domain } from "./domains.ts";
import { Draft } from "./drafts.ts";
import { ExpectationKind } from "./expectations.ts";
import { Timestamp } from "./fields.ts";
import { Forwarding } from "./forwardings.ts";
import { Inbox } from "./inboxes.ts";
import { Key } from "./keys.ts";
import { MessageRecord, MessageSummary } from "./messages.ts";
import { Owner } from "./owners.ts";
import { Pairing } from "./pairings.ts";
import { Answer } from "./questions.ts";
import { Safety } from "./screening.ts";
import { Task, TaskRecord } from "./tasks.ts";
import { ThreadFolder } from "./threads.ts";
import { Webhook } from "./webhooks.ts";

/**
 * The part of its message that an event stores: the fields that may change later. The rest is read from the message.
 */
export const MessageSnapshot = MessageRecord.pick({
  thread_id: true,
  labels: true,
  status: true,
  provider: true,
  delivery_events: true,
}).extend({
  feedback: Safety.shape.feedback.unwrap().nullable(),
  duration_seconds: MessageSummary.shape.duration_seconds.optional(),
});
export type MessageSnapshot = z.infer<typeof MessageSnapshot>;

/** The part of a task created by a mail that an event stores: the fields that may change later. */
export const TaskSnapshot = TaskRecord.pick({
  id: true,
  thread_id: true,
  status: true,
  claim: true,
  attempts: true,
  last_error: true,
  updated_at: true,
}).extend({ result: Task.shape.result });
export type TaskSnapshot = z.infer<typeof TaskSnapshot>;

/** A message that was deleted after its event: its ids and outcome, and none of its text. */
export const DeletedMessage = MessageSnapshot.omit({ feedback: true })
  .extend({
    object: z.literal("message"),
    id: z.string().describe("The message's id."),
    inbox_id: z.string().nullable().describe("The inbox that it was in; null if that is gone too."),
    from: z.null().describe("Null: what the mail said is deleted."),
    subject: z.null().describe("Null: what the mail said is deleted."),
    extracted_text: z.null().describe("Null: what the mail said is deleted."),
    preview: z.null().describe("Null: what the mail said is deleted."),
    deleted: z.literal(true).describe("Always true: the message was deleted after the event."),
  })
  .meta({ title: "DeletedMessageInEvent" });
export type DeletedMessage = z.infer<typeof DeletedMessage>;

/** A task that was deleted, with its mail, after its event: its ids and status, and none of the mail's text. */
export const DeletedTask = TaskSnapshot.extend({
  object: z.literal("task"),
  inbox_id: z.string().nullable().describe("The inbox that it was in; null if that is gone too."),
  message_id: z.string().describe("The mail that it came from."),
  sender: z.null().describe("Null: what the mail said is deleted."),
  subject: z.null().describe("Null: what the mail said is deleted."),
  text: z.null().describe("Null: what the mail said is deleted."),
  deleted: z.literal(true).describe("Always true: the task was deleted, with its mail, after the event."),
}).meta({ title: "DeletedTaskInEvent" });
export type DeletedTask = z.infer<typeof DeletedTask>;

const EventMessage = z
  .union([MessageSummary, DeletedMessage])
  .describe("The message as it was then; only its ids and outcome once it is deleted.");
type EventMessage = z.infer<typeof EventMessage>;
const EventTask = z
  .union([Task, DeletedTask])
  .describe("The task as it was then; only its ids and status once it is deleted.");
type EventTask = z.infer<typeof EventTask>;

const OfMessage = z.object({ message: EventMessage });
const OfTask = z.object({ task: EventTask });
const OfApproval = z.object({ approval: Approval.describe("The approval as it was then.") });
const OfOwner = z.object({ owner: Owner.describe("The owner as they were then.") });
const OfDomain = z.object({
  domain: Domain.omit({ idempotent: true }).meta({
    title: "DomainInEvent",
    description: "The domain as it was then.",
  }),
});
const OfReport = z
  .object({
    message_id: z.string().describe("The message that the report is about."),
    inbox_id: z.string().describe("The inbox that sent it."),
    thread_id: z.string().describe("The thread that it is in."),
    bounce_type: z
      .string()
      .nullable()
      .describe(
        "For a bounce `hard` or `soft`; for a complaint the feedback type of its report; null if the report doesn't say.",
      ),
    recipients: z.array(z.string()).describe("The addresses that the report names."),
  })
  .meta({ title: "DeliveryReport" });
const EventDraft = Draft.omit({ html: true, html_truncated: true }).meta({ title: "DraftInEvent" });
const Security = Inbox.pick({
  screening: true,
  require_sender_auth: true,
  send_mode: true,
  outbound: true,
  release_by: true,
  approve_with: true,
  sms_tasks: true,
  owner_copy: true,
}).partial();

/** The `data` of each event type, as shown. */
export const EVENT_DATA = {
  "message.received": OfMessage,
  "message.held": OfMessage.extend({
    reason: z
      .enum(["screening", "rule"])
      .optional()
      .describe("What held it: screening, or a rule of the inbox; absent on older events."),
  }),
  "message.sent": OfMessage,
  "message.blocked": z.object({
    inbox_id: z.string().describe("The inbox that the mail was for."),
    from: z.string().describe("The author's address."),
    subject: z.string().describe("The subject line."),
    direction: z
      .enum(["receive", "reply"])
      .describe("Which list dropped it: that of received mail or that of replies."),
    reason: z
      .enum(["block_list", "allow_list"])
      .describe("Whether a block list has the sender, or an allow list lacks them."),
  }),
  "message.bounced": OfReport,
  "message.complained": OfReport,
  "task.received": OfTask,
  "owner.reply": z.object({
    /** Null if the owner answered on the answer page. */
    message: EventMessage.nullable(),
    owner_id: z.string().describe("The owner who replied."),
    task_id: z.string().nullable().describe("The task that the reply became; null if it became none."),
    answers_task_id: z
      .string()
      .nullable()
      .describe("The `task_id` of the updates that it answers; null if it answers none."),
    answers_update_id: z.string().nullable().describe("The update that it answers; null if it answers none."),
    answer: Answer.nullable(),
  }),
  "domain.verified": OfDomain,
  "domain.degraded": OfDomain,
  "message.delivered": OfMessage,
  "message.failed": z.object({
    /** Null if the draft failed before it became a message. */
    message: EventMessage.nullable(),
    draft: EventDraft.optional().describe("The draft, if it failed before it became a message."),
    reason: z.string().describe("Why it could not be sent."),
  }),
  "draft.created": z.object({ draft: EventDraft.describe("The new draft.") }),
  "approval.requested": OfApproval,
  "approval.decided": OfApproval.extend({
    changes: z
      .array(VersionChange)
      .optional()
      .describe("What the person changed in the mail before they approved it; absent if nothing."),
    receipt: z
      .string()
      .optional()
      .describe("The signed receipt of the decision (JWS); absent if nobody decided."),
  }),
  "owner.verified": OfOwner,
  "owner.unsubscribed": OfOwner,
  "owner.unreachable": z.object({
    owner_id: z.string().describe("The owner whom mail doesn't reach."),
    inbox_id: z.string().describe("The inbox that they own."),
    email: z.string().describe("Their address."),
    unreachable_since: Timestamp.describe("Since when (ISO 8601, UTC)."),
  }),
  "task.updated": OfTask,
  "webhook.disabled": Webhook.pick({
    url: true,
    consecutive_failures: true,
    disabled_at: true,
    disabled_reason: true,
  }).extend({ webhook_id: z.string().describe("The webhook that was disabled.") }),
  "webhook.test": z.object({
    webhook_id: z.string().describe("The webhook that is tested."),
    url: z.string().describe("Where the test is posted."),
  }),
  "key.leaked": z.object({
    key_id: z.string().describe("The key that stood in it."),
    prefix: z.string().describe("How the key begins."),
    from_inbox_id: z.string().describe("The inbox that would have sent it."),
  }),
  "inbox.security_changed": Security.extend({
    inbox_id: z.string().describe("The inbox that changed."),
    previous: Security.describe("The settings as they were."),
  }),
  "thread.loop_stopped": z.object({
    thread_id: z.string().describe("The thread in which replies stop."),
    message_id: z.string().describe("The message that reached the limit."),
    messages_in_last_hour: z
      .int()
      .describe("How many messages between machines the thread had in the last hour."),
  }),
  "thread.folder_updated": z.object({
    thread_id: z.string().describe("The thread that was moved."),
    folder: ThreadFolder.describe("The folder that it is in now."),
    previous: ThreadFolder.describe("The folder that it was in."),
  }),
  "canary.tripped": z.object({
    canary_id: z.string().describe("The canary."),
    name: z.string().describe("Where it is planted."),
    inbox_id: z.string().describe("The inbox that was to send it."),
    watched_inbox_id: z.string().describe("The inbox that it was planted for."),
    sending_paused: z
      .boolean()
      .describe("Whether sending is paused; not where the canary had come in with mail before."),
  }),
  "expectation.met": z.object({
    expectation_id: z.string().describe("The expectation."),
    inbox_id: z.string().describe("The inbox that the mail was expected in."),
    kind: ExpectationKind.describe("What was expected."),
    message_id: z.string().describe("The mail that met it."),
    thread_id: z.string().describe("The thread of that mail."),
  }),
  "expectation.expired": z.object({
    expectation_id: z.string().describe("The expectation."),
    inbox_id: z.string().describe("The inbox that the mail was expected in."),
    kind: ExpectationKind.describe("What was expected."),
    expired_at: Timestamp.describe("When it expired (ISO 8601, UTC)."),
    task_id: z.string().nullable().describe("The task that says so; null where none was asked for."),
  }),
  "thread.assigned": z.object({
    thread_id: z.string().describe("The thread."),
    inbox_id: z.string().describe("The inbox that it is in."),
    assignee: z.string().nullable().describe("Whom it is for now; null for nobody."),
    previous: z.string().nullable().describe("Whom it was for; null for nobody."),
    claimed_until: Timestamp.nullable().describe("Until when it is theirs alone; null without a lease."),
    forced: z.boolean().describe("Whether it was taken from somebody who held it."),
  }),
  "rule.disabled": z.object({
    rule_id: z.string().describe("The rule."),
    inbox_id: z.string().describe("The inbox that it belongs to."),
    name: z.string().describe("What the rule is called."),
    last_error: z.string().describe("Why it was disabled."),
  }),
  "forwarding.verified": z.object({
    forwarding: Forwarding.describe("The forwarding, which forwards from now on."),
  }),
  "forwarding.failed": z.object({
    forwarding: Forwarding.describe("The forwarding; its `failed_reason` says why it ended."),
  }),
  "recover.key_created": z.object({
    key: Key.describe("The new key, without its secret."),
    email: z.string().describe("The person who recovered it."),
    keys_revoked: z.int().describe("How many other keys were revoked with it."),
    apps_revoked: z.int().describe("How many apps lost their access with it."),
  }),
  "owner.paired": z.object({
    pairing: Pairing.describe("The pairing, without its code."),
    key: Key.describe("The agent's key, without its secret."),
  }),
  "phone.call_updated": OfMessage,
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
