import { fail } from "../catalogue/errors.ts";
import { looksLikeId } from "../catalogue/ids.ts";
import { limits } from "../catalogue/limits.ts";
import { holdsAny, type Permission } from "../catalogue/permissions.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import type { ScreeningMode } from "../model/screening.ts";

type Metadata = InboxRecord["metadata"];

/**
 * Names that no inbox can take, beside those that begin like an id or like a bounce address (decisions,
 * section 4).
 */
const reservedNames = new Set([
  "batch",
  "postmaster",
  "abuse",
  "mailer-daemon",
  "admin",
  "administrator",
  "hostmaster",
  "webmaster",
  "security",
  "root",
  "noreply",
]);
const bounceForm = /^bounces?(?:[._-]|$)/;
const usernameForm = /^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/;

/**
 * What stands against a lower-case username, whoever has it: `invalid`, `reserved`, or null when it may be
 * taken.
 */
export function objectionTo(username: string): "invalid" | "reserved" | null {
  if (!usernameForm.test(username) || username.includes("..")) return "invalid";
  if (reservedNames.has(username) || bounceForm.test(username) || looksLikeId(username)) return "reserved";
  return null;
}

/** Fails with `invalid_username` or `username_reserved` when nobody could take the name. */
export function checkUsername(username: string, param = "username"): void {
  const objection = objectionTo(username);
  if (objection === "invalid") throw fail("invalid_username", { param });
  if (objection === "reserved") throw fail("username_reserved", { param });
}

const suggestionChars = 50;

/** Names like one that can't be taken, best first; whether anybody has them is not known here. */
export function nameSuggestions(username: string): string[] {
  const plain = username
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]+/g, "-");
  const stem = plain.replace(/^-/, "").slice(0, suggestionChars).replace(/-$/, "");
  if (stem === "") return [];
  return [stem, ...["agent", "mail", "inbox", "2", "3"].map((tail) => `${stem}-${tail}`)];
}

/**
 * The metadata after a change: a null value removes its key. Fails with `invalid_metadata` beyond the
 * interface's limits.
 */
export function mergeMetadata(
  before: Metadata,
  change: Record<string, string | number | boolean | null>,
): Metadata {
  const merged = new Map<string, string | number | boolean>(Object.entries(before));
  for (const [key, value] of Object.entries(change)) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  const metadata = Object.fromEntries(merged);
  if (merged.size > limits.metadata_keys) throw fail("invalid_metadata", { param: "metadata" });
  if ([...merged.keys()].some((key) => key.length > limits.metadata_key_chars))
    throw fail("invalid_metadata", { param: "metadata" });
  if (Buffer.byteLength(JSON.stringify(metadata)) > limits.metadata_json_bytes)
    throw fail("invalid_metadata", { param: "metadata" });
  return metadata;
}

/** What decides how far mail is believed. */
export interface Security {
  screening: ScreeningMode;
  require_sender_auth: boolean;
}

/** What an inbox has that says nothing. */
export const defaultSecurity: Security = { screening: "observe", require_sender_auth: true };

const strictness: Record<ScreeningMode, number> = { off: 0, observe: 1, hold: 2 };

/** Whether mail is believed more easily after the change than before. */
export function isLaxer(before: Security, after: Security): boolean {
  return (
    strictness[after.screening] < strictness[before.screening] ||
    (before.require_sender_auth && !after.require_sender_auth)
  );
}

/**
 * Fails with `permission_denied` when the change makes mail believed more easily and the caller may not
 * manage owners.
 */
export function checkSecurity(
  permissions: readonly Permission[] | null,
  before: Security,
  after: Security,
): void {
  if (isLaxer(before, after) && !holdsAny(permissions, ["owner_manage"]))
    throw fail("permission_denied", { param: "owner_manage" });
}

/** The columns that a change of status writes; pausing again keeps the first `paused_at`. */
export function statusChange(
  inbox: Pick<InboxRecord, "status" | "paused_at">,
  status: InboxRecord["status"],
  now: string,
) {
  if (status === "active") return { status, paused_at: null };
  return { status, paused_at: inbox.status === "paused" ? inbox.paused_at : now };
}

/** Fails with `owner_required` when approvals are asked for and nobody could give them. */
export function checkSendMode(send_mode: InboxRecord["send_mode"], has_verified_owner: boolean): void {
  if (send_mode === "approval" && !has_verified_owner) throw fail("owner_required", { param: "send_mode" });
}

/**
 * Holds the changes of an inbox in approval mode to what needs no owner: to leave the mode is asked alone,
 * and a nearer end would be a deletion by another name. Fails with `invalid_request` or `approval_required`.
 */
export function checkUnderApproval(
  before: Pick<InboxRecord, "expires_at">,
  {
    send_mode,
    expires_at,
    ...others
  }: {
    send_mode?: InboxRecord["send_mode"] | undefined;
    expires_at?: string | null | undefined;
    [field: string]: unknown;
  },
): void {
  const more = [expires_at, ...Object.values(others)].some((value) => value !== undefined);
  if (send_mode === "direct" && more) {
    throw fail("invalid_request", {
      param: "send_mode",
      message: "To leave approval mode is asked of an owner: change nothing else with it.",
    });
  }
  if (expires_at == null) return;
  if (before.expires_at === null || expires_at < before.expires_at)
    throw fail("approval_required", { param: "expires_at" });
}

/** Whether a search word, in lower case, is part of the inbox's name, address or display name. */
export function matchesQuery(
  inbox: Pick<InboxRecord, "username" | "email" | "display_name">,
  word: string,
): boolean {
  return [inbox.username, inbox.email, inbox.display_name ?? ""].some((text) =>
    text.toLowerCase().includes(word),
  );
}
