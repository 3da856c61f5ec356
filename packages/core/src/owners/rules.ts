import { fail } from "../catalogue/errors.ts";
import { limits } from "../catalogue/limits.ts";
import type { AccountRecord } from "../model/accounts.ts";
import type { Owner, OwnerRecord } from "../model/owners.ts";

/** The style in which an owner is written to: their own choice, else the account's, else concise. */
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

/**
 * What a try of the code comes to, the code itself aside. Fails with `confirm_invalid`, `confirm_locked` or
 * `confirm_expired`.
 */
export function checkCodeOpen(
  owner: Pick<OwnerRecord, "code_hash" | "code_tries" | "code_expires_at">,
  now: string,
): void {
  if (owner.code_hash === null) throw fail("confirm_invalid", { param: "code" });
  if (owner.code_tries >= limits.owner_code_tries) throw fail("confirm_locked", { param: "code" });
  if (owner.code_expires_at === null || owner.code_expires_at <= now)
    throw fail("confirm_expired", { param: "code" });
}

/**
 * Holds a link to its 24 hours; a verified owner's link goes on showing that they are. Fails with
 * `confirm_expired`.
 */
export function checkLinkOpen(owner: Pick<OwnerRecord, "status" | "link_expires_at">, now: string): void {
  if (owner.status === "verified") return;
  if (owner.link_expires_at === null || owner.link_expires_at <= now)
    throw fail("confirm_expired", { param: "token" });
}

/**
 * Holds a change of style to owners who have not chosen on their own page. Fails with `owner_style_locked`.
 */
export function checkStyleChange(owner: Pick<OwnerRecord, "style_locked">, changes_style: boolean): void {
  if (owner.style_locked && changes_style) throw fail("owner_style_locked");
}
