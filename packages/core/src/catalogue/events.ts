/** Every event type and when it happens; `/docs` and the OpenAPI document print it. */
export const eventCatalogue = {
  "message.received": "A mail was stored, or a held message was released.",
  "message.held": "A mail was stored but held back as suspicious: its text is withheld.",
  "message.sent": "A message was handed over to the recipients' mail servers.",
  "message.blocked": "An allow list or block list dropped a mail.",
  "message.bounced": "A report says that a message could not be delivered to these recipients.",
  "message.complained": "A report says that these recipients marked a message as spam.",
  "task.received": "An owner or an allowlisted sender gave the agent a task.",
  "owner.reply": "An owner replied by mail or on an answer page.",
  "domain.verified": "A domain was verified. Belongs to no inbox.",
  "domain.degraded": "A required record of a verified domain has been gone for a day. Belongs to no inbox.",
  "message.delivered": "A report says that a message reached a recipient.",
  "message.failed": "A message or a scheduled draft could not be sent.",
  "draft.created": "A draft was created.",
  "approval.requested": "The owners were asked to approve something.",
  "approval.decided": "An approval was decided, expired or cancelled.",
  "owner.verified": "An owner confirmed their address.",
  "owner.unsubscribed": "An owner turned updates off.",
  "owner.unreachable": "Mail to an owner came back for good, three times: updates to them get rare.",
  "task.updated": "A task changed its status.",
  "webhook.disabled": "A webhook was disabled because its deliveries kept failing.",
  "webhook.test": "Somebody asked for a test of a webhook.",
  "key.leaked": "A working key stood in what was to leave, and didn't leave: revoke it. Belongs to no inbox.",
  "inbox.security_changed": "An inbox now checks its senders or its own mail less strictly.",
  "thread.loop_stopped": "Two automatic senders answered each other too often: replies in the thread stop.",
  "thread.folder_updated": "A thread was moved to another folder, or mail brought it back from the archive.",
  "canary.tripped": "A canary was about to leave with mail, which was stopped.",
  "expectation.met": "Expected mail came.",
  "expectation.expired": "Expected mail did not come in time.",
  "recover.key_created": "A person recovered a lost key: a new one works.",
  "owner.paired": "An agent was let in with a code that a person made.",
  "phone.call_updated": "A phone call changed its status.",
};

/** The type of an event. */
export type EventType = keyof typeof eventCatalogue;
export const EVENT_TYPES = Object.keys(eventCatalogue) as [EventType, ...EventType[]];
