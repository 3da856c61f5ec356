import type { EventType, Permission } from "@letterslot/client";

/** What each permission of a key allows, by what it is about. */
export const permissionGroups = [
  [
    "Mail",
    {
      message_read: "Read mail, search it, and see threads and contacts",
      message_send: "Write mail and answer it",
      message_update: "Mark mail and label it",
      message_delete: "Put mail into the trash",
      message_release: "Let held mail in, where the inbox leaves that to keys",
      message_inject: "Put mail into an inbox as if it had arrived",
      thread_update: "Move and assign threads",
      draft_read: "Read drafts and approvals",
      draft_write: "Write drafts",
      draft_send: "Send drafts",
    },
  ],
  [
    "Inboxes",
    {
      inbox_read: "See inboxes",
      inbox_create: "Make new inboxes",
      inbox_update: "Change inboxes and their rules",
      inbox_delete: "Delete inboxes",
    },
  ],
  [
    "Tasks and people",
    {
      task_read: "See tasks",
      task_write: "Take tasks and finish them",
      update_send: "Report to the people in charge",
      owner_read: "See who owns inboxes",
      owner_manage: "Invite and remove owners, and decide who gives tasks",
    },
  ],
  [
    "Events",
    {
      event_read: "Follow what happens",
      webhook_read: "See webhooks and their deliveries",
      webhook_write: "Add and change webhooks",
      metrics_read: "See usage",
    },
  ],
  [
    "Lists",
    {
      list_read: "See allow and block lists",
      list_write: "Change allow and block lists",
      suppression_read: "See who gets no mail",
      suppression_write: "Change who gets no mail",
    },
  ],
  [
    "Phone",
    {
      phone_read: "See phone numbers",
      phone_write: "Get phone numbers and give them back",
      sms_send: "Send text messages",
      call_place: "Place calls",
    },
  ],
  [
    "Account",
    {
      domain_read: "See domains",
      domain_write: "Add and change domains",
      workspace_read: "See workspaces",
      workspace_write: "Make and change workspaces",
      key_read: "See keys",
      key_write: "Create and revoke keys",
      grant_read: "See apps",
      grant_write: "End the access of apps",
    },
  ],
] as const satisfies readonly (readonly [string, Partial<Record<Permission, string>>])[];

/** What each kind of event says. */
export const eventTypes: Record<EventType, string> = {
  "message.received": "Mail arrived",
  "message.held": "Mail was held back",
  "message.sent": "Mail left",
  "message.blocked": "A list kept mail out",
  "message.bounced": "Mail came back",
  "message.complained": "Mail was marked as spam",
  "message.delivered": "Mail was delivered",
  "message.failed": "Mail could not be sent",
  "task.received": "A task came in",
  "task.updated": "A task changed",
  "owner.reply": "An owner replied",
  "owner.verified": "An owner confirmed their address",
  "owner.unsubscribed": "An owner turned updates off",
  "owner.unreachable": "Mail doesn't reach an owner",
  "owner.paired": "An agent was let in",
  "domain.verified": "A domain was verified",
  "domain.degraded": "A domain's records are gone",
  "draft.created": "A draft was written",
  "approval.requested": "An approval was asked for",
  "approval.decided": "An approval was decided",
  "webhook.disabled": "A webhook was switched off",
  "webhook.test": "A webhook was tested",
  "key.leaked": "A key was about to leave with mail",
  "inbox.security_changed": "An inbox became less strict",
  "thread.loop_stopped": "A loop of automatic mail was stopped",
  "thread.folder_updated": "A thread was moved",
  "thread.assigned": "A thread was assigned",
  "canary.tripped": "A canary was about to leave with mail",
  "expectation.met": "Expected mail came",
  "expectation.expired": "Expected mail did not come",
  "rule.disabled": "A rule was switched off",
  "forwarding.verified": "Forwarding was allowed",
  "forwarding.failed": "Forwarding ended",
  "recover.key_created": "A lost key was recovered",
  "phone.call_updated": "A call changed",
};
