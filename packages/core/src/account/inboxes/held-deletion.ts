import { waitsForPeople } from "../../kernel/access/authority.ts";
import type { Services } from "../../kernel/context.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { approvalRequired } from "./rules.ts";

type Own = Pick<Services, "options">;

/**
 * Whether an inbox is deleted only with an approval: changes of it wait for people, or somebody has authority over
 * this very inbox (an account owner's doesn't count; they have it over all).
 */
export async function needsApprovalToEnd(
  own: Own,
  storage: Pick<StorageReader, "find" | "get">,
  inbox: InboxRecord,
): Promise<boolean> {
  if (await waitsForPeople(own, storage, inbox)) return true;
  return (await storage.find("authorities", { where: { inbox_id: inbox.id }, limit: 1 })).length > 0;
}

/**
 * Checks that inboxes may end other than by their own held deletions: by an expiry, or together with others. Fails
 * with `approval_required`, which names all that may not.
 */
export async function checkMayEnd(
  own: Own,
  storage: Pick<StorageReader, "find" | "get">,
  inboxes: readonly InboxRecord[],
  param: string,
): Promise<void> {
  const held = await Promise.all(inboxes.map((inbox) => needsApprovalToEnd(own, storage, inbox)));
  const ids = inboxes.flatMap(({ id }, index) => (held[index] === true ? [id] : []));
  if (ids.length > 0) throw approvalRequired(ids, param);
}
