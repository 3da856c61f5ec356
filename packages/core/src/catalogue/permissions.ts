import { z } from "zod";

/** Every permission that a key can have. A key whose permissions are null has them all. */
export const PERMISSION_NAMES = [
  "inbox_read",
  "inbox_create",
  "inbox_update",
  "inbox_delete",
  "message_read",
  "message_send",
  "message_update",
  "message_delete",
  "message_release",
  "message_inject",
  "draft_read",
  "draft_write",
  "draft_send",
  "thread_update",
  "owner_read",
  "owner_manage",
  "update_send",
  "task_read",
  "task_write",
  "webhook_read",
  "webhook_write",
  "event_read",
  "list_read",
  "list_write",
  "suppression_read",
  "suppression_write",
  "domain_read",
  "domain_write",
  "workspace_read",
  "workspace_write",
  "phone_read",
  "phone_write",
  "sms_send",
  "call_place",
  "metrics_read",
  "key_read",
  "key_write",
  "grant_read",
  "grant_write",
] as const;

/** The closed set of permission names. */
export type Permission = (typeof PERMISSION_NAMES)[number];

/** One permission name; any other word is `invalid_permission`. */
export const Permission = z.enum(PERMISSION_NAMES, { error: "invalid_permission" });

/** The permissions that no app is ever given, even if it requests them. */
const NEVER_FOR_APPS: readonly Permission[] = ["key_write", "grant_write", "owner_manage", "workspace_write"];

/** Every permission that an app may hold. */
export const APP_PERMISSIONS: readonly Permission[] = PERMISSION_NAMES.filter(
  (name) => !NEVER_FOR_APPS.includes(name),
);

/** The permissions of an app that requests no scope. */
export const APP_DEFAULT_PERMISSIONS: readonly Permission[] = [
  "inbox_read",
  "message_read",
  "thread_update",
  "draft_read",
  "draft_write",
  "task_read",
  "task_write",
  "update_send",
  "event_read",
  "message_send",
];

/** The permissions that reading each kind of record, by `object`, requires: any one of them. */
export const READ_PERMISSIONS = {
  inbox: ["inbox_read"],
  message: ["message_read"],
  thread: ["message_read"],
  expectation: ["message_read"],
  inbox_rule: ["message_read"],
  forwarding: ["message_read"],
  draft: ["draft_read", "message_read"],
  approval: ["draft_read"],
  owner: ["owner_read", "owner_manage"],
  allowlist_entry: ["owner_read"],
  update: ["owner_read"],
  task: ["task_read"],
  api_key: ["key_read"],
  oauth_grant: ["key_read", "grant_read"],
  list_entry: ["list_read"],
  suppression: ["suppression_read"],
  webhook: ["webhook_read", "webhook_write"],
  webhook_delivery: ["webhook_read", "webhook_write"],
  event_consumer: ["event_read"],
  refusal: ["event_read"],
  workspace: ["workspace_read"],
  domain: ["domain_read"],
  domain_report: ["domain_read"],
  phone_number: ["phone_read"],
} as const satisfies Record<string, readonly Permission[]>;

/** Whether the permissions `held` (null: all) include at least one of `allowed`. */
export function holdsAny(held: readonly Permission[] | null, allowed: readonly Permission[]): boolean {
  return held === null || allowed.some((permission) => held.includes(permission));
}
