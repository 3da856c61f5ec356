import { lifecycleToken } from "../../packages/core/src/lifecycle/token.ts";
import type { OperationName } from "../../packages/core/src/operations.ts";
import type { TestService } from "../../packages/core/testing/index.ts";
import type { Furnished } from "./furnished-account.ts";

type Inputs = Record<OperationName, Record<string, unknown>>;

const text = "Hello.";
const direction = "send";
const type = "block";

/**
 * A good input for every operation, about the records of one account. An operation without a line here is a
 * type error.
 */
export function inputsFor(account: Furnished, { letterslot }: TestService): Inputs {
  const {
    inbox_id,
    message_id,
    thread_id,
    attachment_id,
    draft_id,
    task_id,
    webhook_id,
    consumer_id,
    friend,
  } = account;
  const inbox = { inbox_id };
  const message = { inbox_id, message_id };
  const thread = { inbox_id, thread_id };
  const draft = { inbox_id, draft_id };
  const to = [friend];
  const claimed = { task_id: account.claimed_task_id, claim_token: account.claim_token };
  const pending = { inbox_id, owner_id: account.pending_owner_id };
  const entry = `new-foe@example.org`;
  const lifecycle = { token: lifecycleToken(letterslot.parts, account.account_id) };
  const approve = { token: account.approve_token };
  const ofDraft = { inbox_id, draft_id, attachment_id: account.draft_attachment_id };

  return {
    "accounts.onboard": { username: `${account.name}-newcomer` },
    "me.get": {},
    "me.update": { lifecycle_emails: "off" },
    "keys.create": { name: "Minted" },
    "keys.createForInbox": { ...inbox, name: "Minted" },
    "keys.list": {},
    "keys.get": { key_id: account.key_id },
    "keys.update": { key_id: account.key_id, name: "Renamed" },
    "keys.delete": { key_id: account.key_id },
    "inboxes.list": {},
    "inboxes.create": { username: `${account.name}-new` },
    "inboxes.createBatch": { count: 2 },
    "inboxes.get": inbox,
    "inboxes.update": { ...inbox, display_name: "Renamed" },
    "inboxes.delete": inbox,
    "usernames.check": { username: "somebody" },
    "messages.list": inbox,
    "messages.get": message,
    "messages.raw": message,
    "messages.explain": message,
    "messages.wait": { ...inbox, wait: 0 },
    "messages.waitForCode": { ...inbox, wait: 0 },
    "messages.send": { ...inbox, to, text },
    "messages.reply": { ...message, text },
    "messages.replyAll": { ...message, text },
    "messages.forward": { ...message, to },
    "messages.update": { ...message, add_labels: ["seen"] },
    "messages.batchUpdate": { ...inbox, message_ids: [message_id], add_labels: ["seen"] },
    "messages.batchGet": { ...inbox, message_ids: [message_id] },
    "messages.read": message,
    "messages.search": { ...inbox, q: account.name },
    "messages.delete": message,
    "messages.screeningFeedback": { inbox_id, message_id: account.held_message_id, verdict: "clean" },
    "messages.release": { inbox_id, message_id: account.held_message_id },
    "messages.inject": { ...inbox, from: friend, text },
    "threads.list": inbox,
    "threads.listAll": {},
    "threads.get": thread,
    "threads.update": { ...thread, add_labels: ["seen"] },
    "threads.delete": thread,
    "threads.search": { ...inbox, q: account.name },
    "threads.attachment": { ...thread, attachment_id },
    "attachments.get": { ...message, attachment_id },
    "attachments.text": { ...message, attachment_id },
    "drafts.list": inbox,
    "drafts.listAll": {},
    "drafts.get": draft,
    "drafts.attachment": ofDraft,
    "drafts.create": { ...inbox, to, text },
    "drafts.update": { ...draft, text },
    "drafts.delete": draft,
    "drafts.send": draft,
    "approvals.list": {},
    "approvals.get": { approval_id: account.approval_id },
    "approvals.cancel": { approval_id: account.approval_id },
    "approvals.review": approve,
    "approvals.reviewAttachment": { ...approve, attachment_id: account.approved_attachment_id },
    "approvals.decide": { ...approve, decision: "approve" },
    "search.messages": { q: account.name },
    "owners.list": inbox,
    "owners.get": { inbox_id, owner_id: account.owner_id },
    "owners.create": { ...inbox, email: "new-owner@family.example.com" },
    "owners.update": { inbox_id, owner_id: account.owner_id, digest: "daily" },
    "owners.delete": { inbox_id, owner_id: account.owner_id },
    "owners.confirm": { ...pending, code: account.code },
    "owners.confirmation": { token: account.confirm_token },
    "owners.confirmPublic": { email: account.pending, code: account.code },
    "owners.unsubscribe": { token: account.unsubscribe_token },
    "owners.preferences": { token: account.style_token },
    "owners.choose": { token: account.style_token, email_style: "detailed" },
    "questions.review": { token: account.answer_token },
    "questions.answer": { token: account.answer_token, value: "yes" },
    "allowlist.list": inbox,
    "allowlist.create": { ...inbox, address: entry },
    "allowlist.delete": { ...inbox, entry: account.allowlist_entry },
    "lists.list": { direction, type },
    "lists.create": { direction, type, entry },
    "lists.get": { direction, type, entry: account.list_entry },
    "lists.delete": { direction, type, entry: account.list_entry },
    "lists.listForInbox": { ...inbox, direction, type },
    "lists.createForInbox": { ...inbox, direction, type, entry },
    "lists.getForInbox": { ...inbox, direction, type, entry: account.inbox_list_entry },
    "lists.deleteForInbox": { ...inbox, direction, type, entry: account.inbox_list_entry },
    "suppressions.list": {},
    "suppressions.create": { address: entry },
    "suppressions.delete": { address: account.suppressed },
    "updates.create": { ...inbox, kind: "progress", text },
    "updates.list": inbox,
    "updates.notify": { ...inbox, kind: "progress", text },
    "digests.flush": {},
    "lifecycle.subscription": lifecycle,
    "lifecycle.unsubscribe": lifecycle,
    "tasks.list": {},
    "tasks.stream": {},
    "tasks.get": { task_id },
    "tasks.update": { task_id, status: "in_progress" },
    "tasks.reply": { task_id, text },
    "tasks.claim": {},
    "tasks.heartbeat": claimed,
    "tasks.complete": claimed,
    "tasks.fail": { ...claimed, reason: "No time." },
    "webhooks.list": {},
    "webhooks.get": { webhook_id },
    "webhooks.create": { url: "https://new.receiver.example/hook" },
    "webhooks.update": { webhook_id, events: ["message.received"] },
    "webhooks.delete": { webhook_id },
    "webhooks.rotateSecret": { webhook_id },
    "webhooks.deliveries": { webhook_id },
    "webhooks.test": { webhook_id },
    "webhooks.redeliver": { webhook_id, delivery_id: account.delivery_id },
    "events.list": {},
    "events.listInbox": inbox,
    "events.stream": {},
    "metrics.events": {},
    "metrics.usage": {},
    "metrics.rates": {},
    "consumers.create": { client_id: "new-reader" },
    "consumers.list": {},
    "consumers.get": { consumer_id },
    "consumers.poll": { consumer_id },
    "consumers.commit": { consumer_id, cursor: "1" },
    "consumers.delete": { consumer_id },
  };
}
