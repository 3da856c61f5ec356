import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import type { AccountRecord } from "../../model/accounts.ts";
import { addressToOwner, Owner, type OwnerRecord } from "../../model/owners.ts";

/** The defaults of every new owner: no style of their own, and updates as they come. */
export const NEW_OWNER = {
  email_style: null,
  email_style_note: null,
  unsubscribed_at: null,
  unreachable_since: null,
  hard_bounces: 0,
  style_locked: false,
} as const;

/** The style of emails to an owner: their own, else the account's, else concise. */
export function effectiveStyle(
  owner: Pick<OwnerRecord, "email_style" | "email_style_note" | "style_locked">,
  account: Pick<AccountRecord, "owner_email_style" | "owner_email_style_note">,
): Owner["effective_email_style"] {
  const note = owner.email_style_note ?? account.owner_email_style_note;
  if (owner.email_style !== null)
    return { style: owner.email_style, note, source: owner.style_locked ? "owner_page" : "owner" };
  if (account.owner_email_style !== null)
    return { style: account.owner_email_style, note, source: "account" };
  return { style: "concise", note, source: "default" };
}

/** The error shown to a person who waits for a code whose letter arrived in an inbox of this service. */
export const CODE_CAME_BACK = {
  message: "This code arrived in your agent's mailbox: your mail is forwarded to it.",
  fix: "Use another mailbox, one that no agent reads. Whoever runs the service can give it charge: letterslot-server accounts authority give.",
};

/**
 * Checks that an owner's code can still be used. Fails with `confirm_invalid`, `confirm_locked` or `confirm_expired`.
 */
export function checkCodeOpen(
  owner: Pick<OwnerRecord, "code_hash" | "code_tries" | "code_expires_at" | "code_voided_at">,
  now: string,
): void {
  if (owner.code_voided_at !== null) throw fail("confirm_invalid", { param: "code", ...CODE_CAME_BACK });
  if (owner.code_hash === null) throw fail("confirm_invalid", { param: "code" });
  if (owner.code_tries >= LIMITS.owner_code_tries) throw fail("confirm_locked", { param: "code" });
  if (owner.code_expires_at === null || owner.code_expires_at <= now)
    throw fail("confirm_expired", { param: "code" });
}

/**
 * Checks that a pending owner's link has not expired; it does after 24 hours. A verified owner's link always shows
 * the verified state. Fails with `confirm_expired`.
 */
export function checkLinkOpen(owner: Pick<OwnerRecord, "status" | "link_expires_at">, now: string): void {
  if (owner.status === "verified") return;
  if (owner.link_expires_at === null || owner.link_expires_at <= now)
    throw fail("confirm_expired", { param: "token" });
}

/** The API can't change a style that the owner set on their own page. Fails with `owner_style_locked`. */
export function checkStyleChange(owner: Pick<OwnerRecord, "style_locked">, changes_style: boolean): void {
  if (owner.style_locked && changes_style) throw fail("owner_style_locked");
}

/** An owner as shown to callers, with the effective style and without codes and tokens. */
export function shownOwner(owner: OwnerRecord, account: AccountRecord): Owner {
  return Owner.parse({
    ...owner,
    email: addressToOwner(owner),
    effective_email_style: effectiveStyle(owner, account),
  });
}
