import type { InboxRecord } from "../../model/inboxes.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { approvalRequired } from "./rules.ts";

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
 * Checks that inboxes may end other than by their own held deletions: by an expiry, or together with others. Fails
 * with `approval_required`, which names all that may not.
 */
export async function checkMayEnd(
  storage: Pick<StorageReader, "find">,
  inboxes: readonly Pick<InboxRecord, "id" | "send_mode">[],
  param: string,
): Promise<void> {
  const held = await Promise.all(inboxes.map((inbox) => needsApprovalToEnd(storage, inbox)));
  const ids = inboxes.flatMap(({ id }, index) => (held[index] === true ? [id] : []));
  if (ids.length > 0) throw approvalRequired(ids, param);
}
