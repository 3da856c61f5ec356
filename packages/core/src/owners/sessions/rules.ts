import { LIMITS } from "../../catalogue/limits.ts";
import { PERMISSION_NAMES, type Permission } from "../../catalogue/permissions.ts";
import { addressGroup } from "../../kernel/client-address.ts";
import type { AuthorityRecord, SessionRecord } from "../../model/people.ts";

/** The permissions for the whole account, which authority over single inboxes doesn't give. */
const ACCOUNT_ONLY: readonly Permission[] = [
  "inbox_create",
  "webhook_read",
  "webhook_write",
  "domain_read",
  "domain_write",
  "workspace_read",
  "workspace_write",
  "key_read",
  "key_write",
];

/** The permissions of a person with authority over single inboxes. */
export const INBOX_OWNER_PERMISSIONS: readonly Permission[] = PERMISSION_NAMES.filter(
  (name) => !ACCOUNT_ONLY.includes(name),
);

/** Returns when a session used now ends: in 30 days, and at most 90 days after it was made. */
export function sessionEnd({ created_at }: Pick<SessionRecord, "created_at">, now: Date): Date {
  const last = new Date(created_at).getTime() + LIMITS.session_longest_ms;
  return new Date(Math.min(now.getTime() + LIMITS.session_idle_ms, last));
}

/** Whether the use of a session is written down: at most once a minute. */
export const isNoted = ({ last_seen_at }: Pick<SessionRecord, "last_seen_at">, now: Date): boolean =>
  new Date(last_seen_at).getTime() + LIMITS.session_seen_ms > now.getTime();

/** Whether a sign-in is recent enough for what needs more than an open session. */
export const isRecent = ({ created_at }: Pick<SessionRecord, "created_at">, now: Date): boolean =>
  new Date(created_at).getTime() + LIMITS.recent_sign_in_ms > now.getTime();

/** Returns the accounts of a person, each with whether they are an account owner there. */
export function accountsOf(authorities: readonly AuthorityRecord[]): Map<string, boolean> {
  const accounts = new Map<string, boolean>();
  for (const { account_id, inbox_id } of authorities)
    accounts.set(account_id, accounts.get(account_id) === true || inbox_id === null);
  return accounts;
}

/** Returns the network of an address, by which a person is recognised: its /24, or the /64 of an IPv6 address. */
export function networkOf(ip: string): string {
  const group = addressGroup(ip);
  return group.includes(":") ? group : `${group.split(".").slice(0, 3).join(".")}.0/24`;
}
