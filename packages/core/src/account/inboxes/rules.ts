import { fail } from "../../catalogue/errors.ts";
import { inWords, looksLikeId } from "../../catalogue/ids.ts";
import { REPORTS_NAME } from "../../catalogue/own-addresses.ts";
import { holdsAny, type Permission } from "../../catalogue/permissions.ts";
import { mergeMetadata } from "../../kernel/input/metadata.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { ApproveWith } from "../../model/outbound.ts";
import type { ReleaseBy, ScreeningMode } from "../../model/screening.ts";

type Metadata = InboxRecord["metadata"];

/** Reserved names, besides those that look like an id or a bounce address. */
const RESERVED_NAMES = new Set([
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
  "no-reply",
  "do-not-reply",
  "donotreply",
  "letterslot",
  "support",
  "help",
  "account",
  "accounts",
  "login",
  "auth",
  "billing",
  "info",
  "r",
  REPORTS_NAME,
]);
const BOUNCE_FORM = /^bounces?(?:[._-]|$)/;
const MAX_USERNAME_CHARS = 64;

/** The rules for usernames, each with its advice for whoever broke it. */
const USERNAME_RULES: readonly { keeps(username: string): boolean; fix: string }[] = [
  {
    keeps: ({ length }) => length > 0 && length <= MAX_USERNAME_CHARS,
    fix: "Use 1 to 64 characters.",
  },
  {
    keeps: (username) => /^[a-z0-9._-]*$/.test(username),
    fix: "Use only a-z, 0-9, dots, underscores and hyphens.",
  },
  {
    keeps: (username) => /^[a-z0-9](?:.*[a-z0-9])?$/.test(username),
    fix: "Start and end with a letter or digit.",
  },
  {
    // RFC 5321: an address with two dots in a row would have to be quoted.
    keeps: (username) => !username.includes(".."),
    fix: "Use no two dots in a row.",
  },
];

/** Why nobody can take a lower-case username; null when it is allowed. */
export function objectionTo(username: string): "invalid" | "reserved" | null {
  if (USERNAME_RULES.some(({ keeps }) => !keeps(username))) return "invalid";
  if (RESERVED_NAMES.has(username) || BOUNCE_FORM.test(username) || looksLikeId(username)) return "reserved";
  return null;
}

/** Fails with `invalid_username` or `username_reserved` when the name is not allowed. */
export function checkUsername(username: string, param = "username"): void {
  const objection = objectionTo(username);
  const fix = USERNAME_RULES.filter(({ keeps }) => !keeps(username)).map((rule) => rule.fix);
  if (objection === "invalid") throw fail("invalid_username", { param, fix: fix.join(" ") });
  if (objection === "reserved") throw fail("username_reserved", { param });
}

const MAX_STEM_CHARS = 50;

/** Alternatives to a username, best first; they may be taken themselves. */
export function nameSuggestions(username: string): string[] {
  const plain = username
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]+/g, "-");
  const stem = plain.replace(/^-/, "").slice(0, MAX_STEM_CHARS).replace(/-$/, "");
  if (stem === "") return [];
  return [stem, ...["agent", "mail", "inbox", "2", "3"].map((tail) => `${stem}-${tail}`)];
}

/** Returns the metadata after a change of an inbox: null removes all of it. */
export function metadataAfter(
  before: Metadata,
  change: Record<string, string | number | boolean | null> | null | undefined,
): Metadata {
  if (change === undefined) return before;
  return change === null ? {} : mergeMetadata(before, change);
}

/** The settings that decide how strictly mail is checked. */
export interface Security {
  screening: ScreeningMode;
  require_sender_auth: boolean;
  sms_tasks: boolean;
  release_by: ReleaseBy;
  approve_with: ApproveWith;
}

/** The default settings of an inbox. */
export const DEFAULT_SECURITY: Security = {
  screening: "observe",
  require_sender_auth: true,
  sms_tasks: false,
  release_by: "key",
  approve_with: "session",
};

const STRICTNESS: Record<ScreeningMode, number> = { off: 0, observe: 1, hold: 2 };

/** Whether mail is checked less strictly after a change. */
export function isLaxer(before: Security, after: Security): boolean {
  return (
    STRICTNESS[after.screening] < STRICTNESS[before.screening] ||
    (before.require_sender_auth && !after.require_sender_auth) ||
    (!before.sms_tasks && after.sms_tasks) ||
    (before.release_by === "authority" && after.release_by === "key") ||
    (before.approve_with === "passkey" && after.approve_with === "session")
  );
}

/** Only callers with owner_manage may make the checks less strict. Fails with `permission_denied`. */
export function checkSecurity(
  permissions: readonly Permission[] | null,
  before: Security,
  after: Security,
): void {
  if (isLaxer(before, after)) checkOwnerManage(permissions);
}

/** Whether a change ends the copies that those in charge get; whether recipients see them is no matter of safety. */
export const endsCopies = ({ owner_copy }: Pick<InboxRecord, "owner_copy">, asked: unknown): boolean =>
  owner_copy !== "off" && asked === "off";

/** Fails with `permission_denied` for callers without owner_manage. */
export function checkOwnerManage(permissions: readonly Permission[] | null): void {
  if (!holdsAny(permissions, ["owner_manage"])) throw fail("permission_denied", { param: "owner_manage" });
}

/** The changed columns for a new status; pausing again keeps the first `paused_at`. */
export function statusChange(
  inbox: Pick<InboxRecord, "status" | "paused_at">,
  status: InboxRecord["status"],
  now: string,
) {
  if (status === "active") return { status, paused_at: null };
  return { status, paused_at: inbox.status === "paused" ? inbox.paused_at : now };
}

/** `approval_required` for the end of these inboxes. */
export const approvalRequired = (inbox_ids: readonly string[], param: string): Error =>
  fail("approval_required", { param, message: `An owner must approve the end of ${inWords(inbox_ids)}.` });

/** Whether the inbox's username, address or display name contains a lower-case search word. */
export function matchesQuery(
  inbox: Pick<InboxRecord, "username" | "email" | "display_name">,
  word: string,
): boolean {
  return [inbox.username, inbox.email, inbox.display_name ?? ""].some((text) =>
    text.toLowerCase().includes(word),
  );
}
