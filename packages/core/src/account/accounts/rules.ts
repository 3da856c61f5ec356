import { fail } from "../../catalogue/errors.ts";
import type { Options } from "../../catalogue/options.ts";
import { holdsAny } from "../../catalogue/permissions.ts";
import type { AccountCaller } from "../../kernel/access/caller.ts";
import { type SendMode, strictestSendMode } from "../../model/outbound.ts";

/** Fails with `onboarding_closed` when the service accepts no sign-ups, or none by agents alone. */
export function checkOnboarding(onboarding: Options["onboarding"], by: "agent" | "person"): void {
  if (onboarding === "closed") throw fail("onboarding_closed");
  if (onboarding === "paired" && by === "agent")
    throw fail("onboarding_closed", {
      message: "Here a person opens the account, and lets the agent in with a code.",
      fix: "Ask the person for a pairing code, and use it with POST /api/v1/pair.",
    });
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

/** Lets only account owners at what belongs to the whole account. Fails with `permission_denied`. */
export function checkWholeAccount(caller: AccountCaller): void {
  if (caller.type !== "owner" || caller.account_owner) return;
  throw fail("permission_denied", {
    message: "Only an account owner sees and changes what is the whole account's.",
    fix: "Ask an account owner, or name the account that you are an account owner of.",
  });
}

/**
 * Who may move the floor under an account's inboxes: whoever manages owners of the whole account raises it, if there
 * is somebody to ask; only an account owner lowers it. Fails with `permission_denied` or `owner_required`.
 */
export function checkFloor(
  caller: AccountCaller,
  { before, after, people, root }: { before: SendMode; after: SendMode; people: boolean; root: boolean },
): void {
  if (!root)
    throw fail("permission_denied", {
      param: "send_mode_floor",
      message: "The floor is the whole account's, not a workspace's.",
      fix: "Change it with a key of the account that has the workspace.",
    });
  if (caller.type === "owner") return checkWholeAccount(caller);
  if (before !== after && strictestSendMode(before, after) === before)
    throw fail("permission_denied", {
      param: "send_mode_floor",
      message: "Only an account owner lowers the floor.",
      fix: "Ask an account owner to lower it in their own session.",
    });
  if (!holdsAny(caller.permissions, ["owner_manage"]))
    throw fail("permission_denied", { param: "owner_manage" });
  if (caller.inbox_ids !== null)
    throw fail("permission_denied", {
      message: "This key is limited to single inboxes; the floor is the whole account's.",
    });
  if (after !== "direct" && !people) throw fail("owner_required", { param: "send_mode_floor" });
}
