import { fail } from "../../catalogue/errors.ts";
import type { Options } from "../../catalogue/options.ts";
import { holdsAny } from "../../catalogue/permissions.ts";
import type { AccountCaller } from "../../kernel/access/caller.ts";

/** Fails with `onboarding_closed` when the service accepts no sign-ups. */
export function checkOnboarding(onboarding: Options["onboarding"]): void {
  if (onboarding === "closed") throw fail("onboarding_closed");
}

/**
 * Holds a change of the account's style to unscoped keys with owner_manage (interface, "Authentication").
 * Fails with `permission_denied`.
 */
export function checkStyleChange({
  permissions,
  inbox_ids,
}: Pick<AccountCaller, "permissions" | "inbox_ids">): void {
  if (!holdsAny(permissions, ["owner_manage"])) throw fail("permission_denied", { param: "owner_manage" });
  if (inbox_ids !== null)
    throw fail("permission_denied", {
      message: "This key is limited to single inboxes; the style is the whole account's.",
    });
}
