import type { KeyCaller } from "../caller.ts";
import { type ErrorCode, fail } from "../errors.ts";
import type { Options } from "../options.ts";
import { holdsAny } from "../permissions.ts";
import type { AccountRecord } from "./schema.ts";

/** Fails with `onboarding_closed` when the service takes no sign-ups. */
export function checkOnboarding(onboarding: Options["onboarding"]): void {
  if (onboarding === "closed") throw fail("onboarding_closed");
}

/**
 * What an account may not do yet: in the mode `claimed`, one without a confirmed owner outside this service
 * sends nothing.
 */
export function restrictionsOf(
  account: Pick<AccountRecord, "claimed">,
  onboarding: Options["onboarding"],
): ErrorCode[] {
  return onboarding === "claimed" && !account.claimed ? ["account_unclaimed"] : [];
}

/** Fails with `account_unclaimed` when the account may send nothing but confirmation letters. */
export function checkClaimed(
  account: Pick<AccountRecord, "claimed">,
  onboarding: Options["onboarding"],
): void {
  if (restrictionsOf(account, onboarding).includes("account_unclaimed")) throw fail("account_unclaimed");
}

/**
 * Holds a change of the account's style to unscoped keys with owner_manage (interface, "Authentication").
 * Fails with `permission_denied`.
 */
export function checkStyleChange({
  permissions,
  inbox_id,
}: Pick<KeyCaller, "permissions" | "inbox_id">): void {
  if (!holdsAny(permissions, ["owner_manage"])) throw fail("permission_denied", { param: "owner_manage" });
  if (inbox_id !== null) throw fail("permission_denied", { param: "inbox_id" });
}
