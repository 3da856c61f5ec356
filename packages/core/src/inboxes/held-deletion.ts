import { fail } from "../catalogue/errors.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import type { StorageReader } from "../ports/storage.ts";

/**
 * Whether an inbox is deleted only with an approval: it is in approval mode, or somebody has authority over
 * this very inbox (an account owner's doesn't count; they have it over all).
 */
export async function needsApprovalToEnd(
  storage: Pick<StorageReader, "find">,
  { id, send_mode }: Pick<InboxRecord, "id" | "send_mode">,
): Promise<boolean> {
  if (send_mode === "approval") return true;
  return (await storage.find("authorities", { where: { inbox_id: id }, limit: 1 })).length > 0;
}

/**
 * Checks that an inbox may end otherwise than by its own held deletion, such as by an expiry. Fails with
 * `approval_required`, which names the inbox.
 */
export async function checkMayEnd(
  storage: Pick<StorageReader, "find">,
  inbox: Pick<InboxRecord, "id" | "send_mode">,
): Promise<void> {
  if (await needsApprovalToEnd(storage, inbox))
    throw fail("approval_required", {
      param: "expires_at",
      message: `An owner must approve the deletion of ${inbox.id}.`,
    });
}
