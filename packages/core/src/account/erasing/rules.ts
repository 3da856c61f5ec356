import { fail } from "../../catalogue/errors.ts";
import type { AccountCaller } from "../../kernel/access/caller.ts";

/**
 * Fails with `permission_denied` for a caller who holds less than the whole account: a key with some permissions, an
 * app, or a person with authority over inboxes.
 */
export function checkMayAsk({
  permissions,
  inbox_ids,
}: Pick<AccountCaller, "permissions" | "inbox_ids">): void {
  if (permissions === null && inbox_ids === null) return;
  throw fail("permission_denied", {
    message:
      "Only a key that has every permission in the whole account, or an account owner, can ask for this.",
    fix: "Use a key whose permissions and inbox_id are null, or let an account owner do it.",
  });
}
