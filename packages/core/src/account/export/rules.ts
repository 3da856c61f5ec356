import { LIMITS } from "../../catalogue/limits.ts";
import type { AccountCaller } from "../../kernel/access/caller.ts";
import type { Cap } from "../../kernel/rate.ts";
import type { ExportRecord } from "../../model/exports.ts";
import { iso } from "../../model/fields.ts";
import type { KeyRecord } from "../../model/keys.ts";

const DAY_MS = 24 * 3600_000;

/** Whether a caller may have all of its account: an account owner, or a key with all permissions and inboxes. */
export const mayExport = ({ permissions, inbox_ids }: AccountCaller): boolean =>
  permissions === null && inbox_ids === null;

/** Returns the identity that an export belongs to: a key's id, or a person's address, whichever session they use. */
export function askerOf(caller: AccountCaller): string {
  if (caller.type === "key") return caller.key.id;
  return caller.type === "owner" ? caller.email : caller.grant_id;
}

/**
 * Limits the exports of an account and its workspaces per day. All keys share one limit, so they can't use up a
 * person's.
 */
export const exportsCap = (caller: AccountCaller, root_id: string): Cap => ({
  name: `exports:${root_id}:${caller.type === "owner" ? caller.email : "keys"}`,
  max: LIMITS.exports_per_day,
  window_ms: DAY_MS,
});

/** Whether an export is the caller's and hasn't expired. */
export const isReachable = (
  { account_id, asked_by, expires_at }: ExportRecord,
  caller: AccountCaller,
  now: Date,
): boolean => account_id === caller.account_id && asked_by === askerOf(caller) && expires_at > iso(now);

/** Whether an export is still to be made: nobody ended it. */
export const isWanted = ({ status, expires_at }: ExportRecord, now: Date): boolean =>
  status === "pending" && expires_at > iso(now);

/** Whether a key that asked for an export could still have it. */
export const keyMayExport = (key: KeyRecord | undefined, now: Date): boolean =>
  key !== undefined &&
  key.revoked_at === null &&
  (key.expires_at === null || key.expires_at > iso(now)) &&
  key.permissions === null &&
  key.inbox_id === null;
