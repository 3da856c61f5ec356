import { describe, expect, test } from "vitest";
import type { Operation } from "./operation.ts";
import { operations } from "./operations.ts";
import { holdsAny } from "./permissions.ts";

/** Which permissions open which operation: any one of them is enough (decisions, section 12c). */
const expected: Record<string, readonly string[] | "any" | "public"> = {
  "accounts.onboard": "public",
  "me.get": "any",
  "me.update": "any",
  "keys.create": "public",
  "keys.list": ["key_read"],
  "keys.get": "any",
  "keys.update": "any",
  "keys.delete": "any",
  "keys.createForInbox": ["key_write"],
  "inboxes.list": ["inbox_read"],
  "inboxes.get": ["inbox_read"],
  "inboxes.create": ["inbox_create"],
  "inboxes.createBatch": ["inbox_create"],
  "inboxes.update": ["inbox_update"],
  "inboxes.delete": ["inbox_delete"],
  "usernames.check": "any",
  "messages.list": ["message_read"],
  "messages.get": ["message_read"],
  "messages.raw": ["message_read"],
  "messages.explain": ["message_read"],
  "messages.wait": ["message_read"],
  "messages.waitForCode": ["message_read"],
  "messages.send": ["message_send"],
  "messages.reply": ["message_send"],
  "messages.replyAll": ["message_send"],
  "messages.forward": ["message_send"],
  "messages.update": ["message_update"],
  "messages.batchUpdate": ["message_update"],
  "messages.batchGet": ["message_read"],
  "messages.read": ["message_update"],
  "messages.search": ["message_read"],
  "messages.delete": ["message_delete", "message_send"],
  "messages.release": ["message_release"],
  "messages.inject": ["message_inject"],
  "threads.list": ["message_read"],
  "threads.listAll": ["message_read"],
  "threads.get": ["message_read"],
  "threads.update": ["thread_update"],
  "threads.delete": ["message_delete"],
  "threads.search": ["message_read"],
  "threads.attachment": ["message_read"],
  "attachments.get": ["message_read"],
  "drafts.list": ["draft_read", "message_read"],
  "drafts.listAll": ["draft_read", "message_read"],
  "drafts.get": ["draft_read", "message_read"],
  "drafts.attachment": ["draft_read", "message_read"],
  "drafts.create": ["message_send", "draft_write"],
  "drafts.update": ["message_send", "draft_write"],
  "drafts.delete": ["message_delete", "message_send", "draft_write"],
  "drafts.send": ["message_send", "draft_send"],
  "approvals.list": ["draft_read"],
  "approvals.get": ["draft_read"],
  "approvals.cancel": ["draft_write", "message_send"],
  "approvals.review": "public",
  "approvals.reviewAttachment": "public",
  "approvals.decide": "public",
  "attachments.text": ["message_read"],
  "search.messages": ["message_read"],
  "owners.list": ["owner_read", "owner_manage"],
  "owners.get": ["owner_read", "owner_manage"],
  "owners.create": ["owner_manage"],
  "owners.update": ["owner_manage"],
  "owners.delete": ["owner_manage"],
  "owners.confirm": ["owner_manage"],
  "owners.confirmation": "public",
  "owners.confirmPublic": "public",
  "owners.unsubscribe": "public",
  "allowlist.list": ["owner_read"],
  "allowlist.create": ["owner_manage"],
  "allowlist.delete": ["owner_manage"],
  "lists.list": ["list_read"],
  "lists.create": ["list_write"],
  "lists.get": ["list_read"],
  "lists.delete": ["list_write"],
  "lists.listForInbox": ["list_read"],
  "lists.createForInbox": ["list_write"],
  "lists.getForInbox": ["list_read"],
  "lists.deleteForInbox": ["list_write"],
  "suppressions.list": ["suppression_read"],
  "suppressions.create": ["suppression_write"],
  "suppressions.delete": ["suppression_write"],
  "updates.create": ["update_send"],
  "updates.list": ["owner_read"],
  "tasks.list": ["task_read"],
  "tasks.stream": ["task_read"],
  "tasks.get": ["task_read"],
  "tasks.update": ["task_write"],
  "tasks.reply": ["message_send"],
  "webhooks.list": ["webhook_read", "webhook_write"],
  "webhooks.get": ["webhook_read", "webhook_write"],
  "webhooks.create": ["webhook_write"],
  "webhooks.update": ["webhook_write"],
  "webhooks.delete": ["webhook_write"],
  "webhooks.rotateSecret": ["webhook_write"],
  "webhooks.deliveries": ["webhook_read", "webhook_write"],
  "webhooks.test": ["webhook_write"],
  "webhooks.redeliver": ["webhook_write"],
  "events.list": ["event_read"],
  "events.listInbox": ["event_read"],
  "events.stream": ["event_read"],
  "consumers.create": ["event_read"],
  "consumers.list": ["event_read"],
  "consumers.get": ["event_read"],
  "consumers.poll": ["event_read"],
  "consumers.commit": ["event_read"],
  "consumers.delete": ["event_read"],
};

const actual = Object.fromEntries(
  Object.entries(operations).flatMap(([group, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => {
      const { scope, allow } = operation as unknown as Operation;
      return [`${group}.${verb}`, scope === "public" ? "public" : allow];
    }),
  ),
);

describe("permissions", () => {
  test("each operation asks for what the table says, and none is left out", () => {
    expect(actual).toEqual(expected);
  });

  test("any one is enough, null is all of them, and none is none", () => {
    expect(holdsAny(null, ["key_read"])).toBe(true);
    expect(holdsAny(["task_read", "key_read"], ["key_read"])).toBe(true);
    expect(holdsAny(["task_read"], ["key_read"])).toBe(false);
    expect(holdsAny([], ["key_read"])).toBe(false);
  });
});
