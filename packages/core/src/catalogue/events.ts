/** Every event type: the interface's, then ours (decisions, section 9). */
export const eventTypes = [
  "message.received",
  "message.held",
  "message.sent",
  "message.blocked",
  "message.bounced",
  "message.complained",
  "task.received",
  "owner.reply",
  "domain.verified",
  "message.delivered",
  "message.failed",
  "draft.created",
  "approval.requested",
  "approval.decided",
  "owner.verified",
  "owner.unsubscribed",
  "task.updated",
  "webhook.disabled",
  "webhook.test",
  "inbox.security_changed",
  "thread.loop_stopped",
  "phone.call_updated",
] as const;

/** The type of an event. */
export type EventType = (typeof eventTypes)[number];
