import type { Calls, OperationName } from "@letterslot/core";

/** An operation's method, path and encoding over HTTP, and all other facts that a client needs. */
export interface Route {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Path fields are written `:field`. The others go in the query of GET and DELETE, else in the JSON body. */
  path: `/api/v1/${string}`;
  /** Fields sent as headers instead, with the header's name in lower case. */
  headers?: Readonly<Record<string, string>>;
  /** The status of success; default 200. */
  status?: 201 | 202;
  /** Fixed query parameters, which tell it from the other operation at the same path. */
  query?: Readonly<Record<string, string>>;
  /** The response is a download, one that may be larger than memory, or server-sent events; default JSON. */
  answers?: "bytes" | "file" | "stream";
  /** Supports an Idempotency-Key. */
  idempotent?: true;
  /** Returns one page of a list; the next one starts at `next_cursor`. */
  pages?: true;
}

type CallNamed<N> = N extends `${infer G}.${infer V}`
  ? G extends keyof Calls
    ? Calls[G][V & keyof Calls[G]]
    : never
  : never;

/** A fact of an operation, which its route repeats: a missing or different one is a type error. */
type Fact<O, K extends string> = O extends { [P in K]?: infer F }
  ? [F] extends [undefined]
    ? { [P in K]?: undefined }
    : { [P in K]: NonNullable<F> }
  : { [P in K]?: undefined };

type FactsOf<N> = Fact<CallNamed<N>, "pages"> &
  Fact<CallNamed<N>, "idempotent"> &
  Fact<CallNamed<N>, "answers">;

/**
 * The wire table: every operation's method and path. The server mounts it, the client calls it, and the
 * OpenAPI document prints it. An operation without a line here is a type error.
 */
export const routes = {
  "accounts.onboard": { method: "POST", path: "/api/v1/onboard" },
  "account.update": { method: "PATCH", path: "/api/v1/account" },
  "account.delete": { method: "DELETE", path: "/api/v1/account" },
  "me.get": { method: "GET", path: "/api/v1/me" },
  "me.update": { method: "PATCH", path: "/api/v1/me" },
  "overview.get": { method: "GET", path: "/api/v1/overview" },

  "keys.create": { method: "POST", path: "/api/v1/keys" },
  "keys.createForInbox": { method: "POST", path: "/api/v1/inboxes/:inbox_id/keys" },
  "keys.list": { method: "GET", path: "/api/v1/keys", pages: true },
  "keys.get": { method: "GET", path: "/api/v1/keys/:key_id" },
  "keys.update": { method: "PATCH", path: "/api/v1/keys/:key_id" },
  "keys.delete": { method: "DELETE", path: "/api/v1/keys/:key_id" },

  "grants.list": { method: "GET", path: "/api/v1/oauth/grants" },
  "grants.get": { method: "GET", path: "/api/v1/oauth/grants/:client_id" },
  "grants.delete": { method: "DELETE", path: "/api/v1/oauth/grants/:client_id" },

  "domains.list": { method: "GET", path: "/api/v1/domains", pages: true },
  "domains.create": { method: "POST", path: "/api/v1/domains", idempotent: true },
  "domains.get": { method: "GET", path: "/api/v1/domains/:domain_id" },
  "domains.update": { method: "PATCH", path: "/api/v1/domains/:domain_id" },
  "domains.delete": { method: "DELETE", path: "/api/v1/domains/:domain_id" },
  "domains.verify": { method: "POST", path: "/api/v1/domains/:domain_id/verify" },
  "domains.zoneFile": { method: "GET", path: "/api/v1/domains/:domain_id/zone-file", answers: "bytes" },
  "domains.reports": { method: "GET", path: "/api/v1/domains/:domain_id/reports", pages: true },
  "domains.rotateDkim": { method: "POST", path: "/api/v1/domains/:domain_id/rotate-dkim" },
  "phoneNumbers.list": { method: "GET", path: "/api/v1/phone-numbers", pages: true },
  "phoneNumbers.listAvailable": { method: "GET", path: "/api/v1/phone-numbers/available" },
  "phoneNumbers.create": {
    method: "POST",
    path: "/api/v1/inboxes/:inbox_id/phone-number",
    idempotent: true,
  },
  "phoneNumbers.get": { method: "GET", path: "/api/v1/inboxes/:inbox_id/phone-number" },
  "phoneNumbers.delete": { method: "DELETE", path: "/api/v1/inboxes/:inbox_id/phone-number" },
  "workspaces.list": { method: "GET", path: "/api/v1/workspaces", pages: true },
  "workspaces.create": { method: "POST", path: "/api/v1/workspaces", idempotent: true },
  "workspaces.get": { method: "GET", path: "/api/v1/workspaces/:workspace_id" },
  "workspaces.update": { method: "PATCH", path: "/api/v1/workspaces/:workspace_id" },
  "workspaces.delete": { method: "DELETE", path: "/api/v1/workspaces/:workspace_id" },
  "workspaces.inboxes": { method: "GET", path: "/api/v1/workspaces/:workspace_id/inboxes", pages: true },
  "workspaces.deleteInbox": {
    method: "DELETE",
    path: "/api/v1/workspaces/:workspace_id/inboxes/:workspace_inbox_id",
  },

  "exports.create": { method: "POST", path: "/api/v1/account/export" },
  "exports.get": { method: "GET", path: "/api/v1/account/export/:export_id" },
  "exports.download": {
    method: "GET",
    path: "/api/v1/account/export/:export_id/download",
    answers: "file",
  },

  "inboxes.list": { method: "GET", path: "/api/v1/inboxes", pages: true },
  "inboxes.create": { method: "POST", path: "/api/v1/inboxes", idempotent: true },
  "inboxes.createBatch": { method: "POST", path: "/api/v1/inboxes/batch", idempotent: true },
  "inboxes.get": { method: "GET", path: "/api/v1/inboxes/:inbox_id" },
  "inboxes.update": { method: "PATCH", path: "/api/v1/inboxes/:inbox_id" },
  "inboxes.delete": { method: "DELETE", path: "/api/v1/inboxes/:inbox_id" },
  "inboxes.restore": { method: "POST", path: "/api/v1/inboxes/:inbox_id/restore" },
  "attachments.link": {
    method: "GET",
    path: "/api/v1/inboxes/:inbox_id/messages/:message_id/attachments/:attachment_id/link",
  },
  "messages.view": { method: "POST", path: "/api/v1/inboxes/:inbox_id/messages/:message_id/view" },
  "messages.rawLink": { method: "GET", path: "/api/v1/inboxes/:inbox_id/messages/:message_id/raw/link" },
  "uploads.create": { method: "POST", path: "/api/v1/inboxes/:inbox_id/uploads", status: 201 },
  "uploads.get": { method: "GET", path: "/api/v1/inboxes/:inbox_id/uploads/:upload_id" },
  "uploads.delete": { method: "DELETE", path: "/api/v1/inboxes/:inbox_id/uploads/:upload_id" },
  "contacts.list": { method: "GET", path: "/api/v1/contacts", pages: true },
  "contacts.get": { method: "GET", path: "/api/v1/contacts/:address" },
  "contacts.update": { method: "PATCH", path: "/api/v1/contacts/:address" },
  "expectations.create": {
    method: "POST",
    path: "/api/v1/inboxes/:inbox_id/expectations",
    status: 201,
    idempotent: true,
  },
  "expectations.list": { method: "GET", path: "/api/v1/inboxes/:inbox_id/expectations", pages: true },
  "expectations.get": { method: "GET", path: "/api/v1/inboxes/:inbox_id/expectations/:expectation_id" },
  "expectations.cancel": { method: "DELETE", path: "/api/v1/inboxes/:inbox_id/expectations/:expectation_id" },
  "forwarding.create": {
    method: "POST",
    path: "/api/v1/inboxes/:inbox_id/forwarding",
    status: 202,
    idempotent: true,
  },
  "forwarding.list": { method: "GET", path: "/api/v1/inboxes/:inbox_id/forwarding", pages: true },
  "forwarding.get": { method: "GET", path: "/api/v1/inboxes/:inbox_id/forwarding/:forwarding_id" },
  "forwarding.delete": { method: "DELETE", path: "/api/v1/inboxes/:inbox_id/forwarding/:forwarding_id" },
  "forwarding.confirmation": { method: "GET", path: "/api/v1/forwarding/confirm" },
  "forwarding.confirm": { method: "POST", path: "/api/v1/forwarding/confirm" },
  "rules.create": { method: "POST", path: "/api/v1/inboxes/:inbox_id/rules", status: 201, idempotent: true },
  "rules.list": { method: "GET", path: "/api/v1/inboxes/:inbox_id/rules" },
  "rules.get": { method: "GET", path: "/api/v1/inboxes/:inbox_id/rules/:rule_id" },
  "rules.update": { method: "PATCH", path: "/api/v1/inboxes/:inbox_id/rules/:rule_id" },
  "rules.delete": { method: "DELETE", path: "/api/v1/inboxes/:inbox_id/rules/:rule_id" },
  "rules.reorder": { method: "POST", path: "/api/v1/inboxes/:inbox_id/rules/reorder" },
  "rules.test": { method: "POST", path: "/api/v1/inboxes/:inbox_id/rules/test" },
  "canaries.resumeSending": { method: "POST", path: "/api/v1/inboxes/:inbox_id/resume-sending" },
  "canaries.create": { method: "POST", path: "/api/v1/inboxes/:inbox_id/canaries" },
  "canaries.list": { method: "GET", path: "/api/v1/inboxes/:inbox_id/canaries", pages: true },
  "canaries.delete": { method: "DELETE", path: "/api/v1/inboxes/:inbox_id/canaries/:canary_id" },
  "usernames.check": { method: "GET", path: "/api/v1/usernames/check" },

  "messages.list": { method: "GET", path: "/api/v1/inboxes/:inbox_id/messages", pages: true },
  "messages.send": {
    method: "POST",
    path: "/api/v1/inboxes/:inbox_id/messages",
    idempotent: true,
  },
  "messages.sendSms": { method: "POST", path: "/api/v1/inboxes/:inbox_id/sms", idempotent: true },
  "messages.get": { method: "GET", path: "/api/v1/inboxes/:inbox_id/messages/:message_id" },
  "messages.marked": {
    method: "GET",
    path: "/api/v1/inboxes/:inbox_id/messages/:message_id",
    query: { view: "marked" },
  },
  "messages.update": { method: "PATCH", path: "/api/v1/inboxes/:inbox_id/messages/:message_id" },
  "messages.delete": { method: "DELETE", path: "/api/v1/inboxes/:inbox_id/messages/:message_id" },
  "messages.restore": { method: "POST", path: "/api/v1/inboxes/:inbox_id/messages/:message_id/restore" },
  "messages.reply": {
    method: "POST",
    path: "/api/v1/inboxes/:inbox_id/messages/:message_id/reply",
    idempotent: true,
  },
  "messages.replyAll": {
    method: "POST",
    path: "/api/v1/inboxes/:inbox_id/messages/:message_id/reply-all",
    status: 201,
    idempotent: true,
  },
  "messages.forward": {
    method: "POST",
    path: "/api/v1/inboxes/:inbox_id/messages/:message_id/forward",
    idempotent: true,
  },
  "messages.call": {
    method: "POST",
    path: "/api/v1/inboxes/:inbox_id/calls",
    status: 201,
    idempotent: true,
  },
  "messages.batchUpdate": { method: "POST", path: "/api/v1/inboxes/:inbox_id/messages/batch-update" },
  "messages.batchGet": { method: "POST", path: "/api/v1/inboxes/:inbox_id/messages/batch-get" },
  "messages.read": { method: "POST", path: "/api/v1/inboxes/:inbox_id/messages/:message_id/read" },
  "messages.search": { method: "GET", path: "/api/v1/inboxes/:inbox_id/messages/search", pages: true },
  "messages.release": { method: "POST", path: "/api/v1/inboxes/:inbox_id/messages/:message_id/release" },
  "messages.screeningFeedback": {
    method: "POST",
    path: "/api/v1/inboxes/:inbox_id/messages/:message_id/screening-feedback",
  },
  "messages.explain": { method: "GET", path: "/api/v1/inboxes/:inbox_id/messages/:message_id/explain" },
  "messages.raw": {
    method: "GET",
    path: "/api/v1/inboxes/:inbox_id/messages/:message_id/raw",
    answers: "bytes",
  },
  "messages.inject": { method: "POST", path: "/api/v1/inboxes/:inbox_id/inbound", idempotent: true },
  "messages.wait": { method: "GET", path: "/api/v1/inboxes/:inbox_id/wait" },
  "messages.waitForCode": { method: "GET", path: "/api/v1/inboxes/:inbox_id/wait-for-code" },
  "threads.list": { method: "GET", path: "/api/v1/inboxes/:inbox_id/threads", pages: true },
  "threads.listAll": { method: "GET", path: "/api/v1/threads", pages: true },
  "threads.get": { method: "GET", path: "/api/v1/inboxes/:inbox_id/threads/:thread_id" },
  "threads.update": { method: "PATCH", path: "/api/v1/inboxes/:inbox_id/threads/:thread_id" },
  "threads.move": { method: "POST", path: "/api/v1/inboxes/:inbox_id/threads/move" },
  "threads.assign": { method: "POST", path: "/api/v1/inboxes/:inbox_id/threads/:thread_id/assign" },
  "threads.unassign": { method: "DELETE", path: "/api/v1/inboxes/:inbox_id/threads/:thread_id/assign" },
  "threads.delete": { method: "DELETE", path: "/api/v1/inboxes/:inbox_id/threads/:thread_id" },
  "threads.restore": { method: "POST", path: "/api/v1/inboxes/:inbox_id/threads/:thread_id/restore" },
  "threads.search": { method: "GET", path: "/api/v1/inboxes/:inbox_id/threads/search", pages: true },
  "threads.attachment": {
    method: "GET",
    path: "/api/v1/inboxes/:inbox_id/threads/:thread_id/attachments/:attachment_id",
    answers: "bytes",
  },
  "attachments.get": {
    method: "GET",
    path: "/api/v1/inboxes/:inbox_id/messages/:message_id/attachments/:attachment_id",
    answers: "bytes",
  },
  "attachments.text": {
    method: "GET",
    path: "/api/v1/inboxes/:inbox_id/messages/:message_id/attachments/:attachment_id/text",
    answers: "bytes",
  },
  "drafts.list": { method: "GET", path: "/api/v1/inboxes/:inbox_id/drafts", pages: true },
  "drafts.listAll": { method: "GET", path: "/api/v1/drafts", pages: true },
  "drafts.create": { method: "POST", path: "/api/v1/inboxes/:inbox_id/drafts", idempotent: true },
  "drafts.get": { method: "GET", path: "/api/v1/inboxes/:inbox_id/drafts/:draft_id" },
  "drafts.update": { method: "PATCH", path: "/api/v1/inboxes/:inbox_id/drafts/:draft_id" },
  "drafts.delete": { method: "DELETE", path: "/api/v1/inboxes/:inbox_id/drafts/:draft_id" },
  "drafts.restore": { method: "POST", path: "/api/v1/inboxes/:inbox_id/drafts/:draft_id/restore" },
  "drafts.send": {
    method: "POST",
    path: "/api/v1/inboxes/:inbox_id/drafts/:draft_id/send",
    idempotent: true,
  },
  "drafts.attachment": {
    method: "GET",
    path: "/api/v1/inboxes/:inbox_id/drafts/:draft_id/attachments/:attachment_id",
    answers: "bytes",
  },
  "approvals.list": { method: "GET", path: "/api/v1/approvals", pages: true },
  "approvals.get": { method: "GET", path: "/api/v1/approvals/:approval_id" },
  "passkeys.options": { method: "POST", path: "/api/v1/owners/passkeys/options" },
  "passkeys.create": { method: "POST", path: "/api/v1/owners/passkeys" },
  "passkeys.list": { method: "GET", path: "/api/v1/owners/passkeys" },
  "passkeys.delete": {
    method: "DELETE",
    path: "/api/v1/owners/passkeys/:passkey_id",
    headers: { confirm: "x-passkey-confirm" },
  },
  "sessions.passkeyOptions": { method: "POST", path: "/api/v1/owners/session/passkey/options" },
  "authority.update": { method: "PATCH", path: "/api/v1/owners/authority/:authority_id" },
  "approvals.decideOptions": { method: "POST", path: "/api/v1/approvals/:approval_id/decide/options" },
  "approvals.receipt": { method: "GET", path: "/api/v1/approvals/:approval_id/receipt" },
  "approvals.cancel": { method: "POST", path: "/api/v1/approvals/:approval_id/cancel" },
  "approvals.review": { method: "GET", path: "/api/v1/owners/approve" },
  "approvals.reviewAttachment": {
    method: "GET",
    path: "/api/v1/owners/approve/attachments/:attachment_id",
    answers: "bytes",
  },
  "approvals.decide": { method: "POST", path: "/api/v1/owners/approve" },
  "approvals.content": { method: "GET", path: "/api/v1/approvals/:approval_id/content" },
  "approvals.view": { method: "POST", path: "/api/v1/approvals/:approval_id/view" },
  "approvals.canonical": {
    method: "GET",
    path: "/api/v1/approvals/:approval_id/content",
    query: { format: "canonical" },
    answers: "bytes",
  },
  "approvals.decideInSession": { method: "POST", path: "/api/v1/approvals/:approval_id/decide" },
  "search.messages": { method: "GET", path: "/api/v1/search", pages: true },

  "owners.list": { method: "GET", path: "/api/v1/inboxes/:inbox_id/owners", pages: true },
  "owners.create": { method: "POST", path: "/api/v1/inboxes/:inbox_id/owners", idempotent: true },
  "owners.get": { method: "GET", path: "/api/v1/inboxes/:inbox_id/owners/:owner_id" },
  "owners.update": { method: "PATCH", path: "/api/v1/inboxes/:inbox_id/owners/:owner_id" },
  "owners.delete": { method: "DELETE", path: "/api/v1/inboxes/:inbox_id/owners/:owner_id" },
  "owners.confirmWithCode": { method: "POST", path: "/api/v1/inboxes/:inbox_id/owners/:owner_id/confirm" },
  "owners.confirmation": { method: "GET", path: "/api/v1/owners/confirm" },
  "owners.confirm": { method: "POST", path: "/api/v1/owners/confirm" },
  "owners.unsubscribe": { method: "POST", path: "/api/v1/owners/unsubscribe" },
  "owners.preferences": { method: "GET", path: "/api/v1/owners/style" },
  "owners.choose": { method: "POST", path: "/api/v1/owners/style" },
  "owners.updateMine": { method: "PATCH", path: "/api/v1/owners/me/:owner_id" },
  "owners.deleteMine": { method: "DELETE", path: "/api/v1/owners/me/:owner_id" },
  "sessions.start": { method: "POST", path: "/api/v1/owners/session/start" },
  "sessions.create": { method: "POST", path: "/api/v1/owners/session" },
  "sessions.get": { method: "GET", path: "/api/v1/owners/session" },
  "sessions.end": { method: "DELETE", path: "/api/v1/owners/session" },
  "sessions.list": { method: "GET", path: "/api/v1/owners/sessions" },
  "sessions.endOther": { method: "DELETE", path: "/api/v1/owners/sessions/:session_id" },
  "recovery.start": { method: "POST", path: "/api/v1/recover" },
  "recovery.review": { method: "GET", path: "/api/v1/recover/confirm" },
  "recovery.confirm": { method: "POST", path: "/api/v1/recover/confirm" },
  "pairings.create": { method: "POST", path: "/api/v1/owners/pairings" },
  "pairings.list": { method: "GET", path: "/api/v1/owners/pairings" },
  "pairings.delete": { method: "DELETE", path: "/api/v1/owners/pairings/:pairing_id" },
  "pairings.pair": { method: "POST", path: "/api/v1/pair" },
  "refusals.list": { method: "GET", path: "/api/v1/refusals", pages: true },
  "authority.create": { method: "POST", path: "/api/v1/owners/authority" },
  "authority.list": { method: "GET", path: "/api/v1/owners/authority" },
  "authority.delete": { method: "DELETE", path: "/api/v1/owners/authority/:authority_id" },
  "questions.review": { method: "GET", path: "/api/v1/owners/answer" },
  "questions.answer": { method: "POST", path: "/api/v1/owners/answer" },
  "ownerMessages.create": { method: "POST", path: "/api/v1/inboxes/:inbox_id/owner-messages" },
  "questions.answerInSession": { method: "POST", path: "/api/v1/updates/:update_id/answer" },
  "allowlist.list": { method: "GET", path: "/api/v1/inboxes/:inbox_id/allowlist", pages: true },
  "allowlist.create": { method: "POST", path: "/api/v1/inboxes/:inbox_id/allowlist", idempotent: true },
  "allowlist.delete": { method: "DELETE", path: "/api/v1/inboxes/:inbox_id/allowlist/:entry" },

  "lists.list": { method: "GET", path: "/api/v1/lists/:direction/:type", pages: true },
  "lists.create": { method: "POST", path: "/api/v1/lists/:direction/:type", idempotent: true },
  "lists.get": { method: "GET", path: "/api/v1/lists/:direction/:type/:entry" },
  "lists.delete": { method: "DELETE", path: "/api/v1/lists/:direction/:type/:entry" },
  "lists.listForInbox": {
    method: "GET",
    path: "/api/v1/inboxes/:inbox_id/lists/:direction/:type",
    pages: true,
  },
  "lists.createForInbox": {
    method: "POST",
    path: "/api/v1/inboxes/:inbox_id/lists/:direction/:type",
    idempotent: true,
  },
  "lists.getForInbox": { method: "GET", path: "/api/v1/inboxes/:inbox_id/lists/:direction/:type/:entry" },
  "lists.deleteForInbox": {
    method: "DELETE",
    path: "/api/v1/inboxes/:inbox_id/lists/:direction/:type/:entry",
  },
  "suppressions.list": { method: "GET", path: "/api/v1/suppressions", pages: true },
  "suppressions.create": { method: "POST", path: "/api/v1/suppressions", idempotent: true },
  "suppressions.delete": { method: "DELETE", path: "/api/v1/suppressions/:address" },

  "updates.create": { method: "POST", path: "/api/v1/updates", idempotent: true },
  "updates.notify": { method: "POST", path: "/api/v1/inboxes/:inbox_id/notify", idempotent: true },
  "digests.flush": { method: "POST", path: "/api/v1/digests/flush" },
  "lifecycle.subscription": { method: "GET", path: "/api/v1/lifecycle/unsubscribe" },
  "lifecycle.unsubscribe": { method: "POST", path: "/api/v1/lifecycle/unsubscribe" },
  "updates.list": { method: "GET", path: "/api/v1/updates", pages: true },
  "updates.get": { method: "GET", path: "/api/v1/inboxes/:inbox_id/updates/:update_id" },
  "tasks.list": { method: "GET", path: "/api/v1/tasks", pages: true },
  "tasks.stream": {
    method: "GET",
    path: "/api/v1/tasks/stream",
    headers: { last_event_id: "last-event-id" },
    answers: "stream",
  },
  "tasks.get": { method: "GET", path: "/api/v1/tasks/:task_id" },
  "tasks.update": { method: "PATCH", path: "/api/v1/tasks/:task_id" },
  "tasks.claim": { method: "POST", path: "/api/v1/tasks/claim" },
  "tasks.heartbeat": { method: "POST", path: "/api/v1/tasks/:task_id/heartbeat" },
  "tasks.complete": { method: "POST", path: "/api/v1/tasks/:task_id/complete" },
  "tasks.fail": { method: "POST", path: "/api/v1/tasks/:task_id/fail" },
  "tasks.reply": { method: "POST", path: "/api/v1/tasks/:task_id/reply", idempotent: true },

  "webhooks.list": { method: "GET", path: "/api/v1/webhooks", pages: true },
  "webhooks.create": { method: "POST", path: "/api/v1/webhooks", idempotent: true },
  "webhooks.get": { method: "GET", path: "/api/v1/webhooks/:webhook_id" },
  "webhooks.update": { method: "PATCH", path: "/api/v1/webhooks/:webhook_id" },
  "webhooks.delete": { method: "DELETE", path: "/api/v1/webhooks/:webhook_id" },
  "webhooks.rotateSecret": { method: "POST", path: "/api/v1/webhooks/:webhook_id/rotate-secret" },
  "webhooks.deliveries": { method: "GET", path: "/api/v1/webhooks/:webhook_id/deliveries", pages: true },
  "webhooks.test": { method: "POST", path: "/api/v1/webhooks/:webhook_id/test", idempotent: true },
  "webhooks.redeliver": {
    method: "POST",
    path: "/api/v1/webhooks/:webhook_id/deliveries/:delivery_id/redeliver",
    idempotent: true,
  },

  "events.list": { method: "GET", path: "/api/v1/events" },
  "events.listInbox": { method: "GET", path: "/api/v1/inboxes/:inbox_id/events" },
  "events.stream": {
    method: "GET",
    path: "/api/v1/events/stream",
    headers: { last_event_id: "last-event-id" },
    answers: "stream",
  },
  "metrics.events": { method: "GET", path: "/api/v1/metrics/events" },
  "metrics.usage": { method: "GET", path: "/api/v1/metrics/usage" },
  "metrics.rates": { method: "GET", path: "/api/v1/metrics/rates" },
  "consumers.create": { method: "POST", path: "/api/v1/events/consumers", idempotent: true },
  "consumers.list": { method: "GET", path: "/api/v1/events/consumers", pages: true },
  "consumers.get": { method: "GET", path: "/api/v1/events/consumers/:consumer_id" },
  "consumers.poll": { method: "GET", path: "/api/v1/events/consumers/:consumer_id/poll" },
  "consumers.commit": { method: "POST", path: "/api/v1/events/consumers/:consumer_id/commit" },
  "consumers.delete": { method: "DELETE", path: "/api/v1/events/consumers/:consumer_id" },
} as const satisfies { [N in OperationName]: Route & FactsOf<N> };

/** The type of the wire table, with its literal paths. */
export type Routes = typeof routes;
