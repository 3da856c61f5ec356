import type { Work } from "../kernel/work.ts";
import type { AccountRecord } from "../model/accounts.ts";
import { iso } from "../model/fields.ts";

import type { OwnerRecord } from "../model/owners.ts";
import { shownOwner } from "./show.ts";

/**
 * Ends update mail to an owner, in the caller's transaction: what is queued for them is skipped, rights and
 * other letters stay. Once more changes nothing.
 */
export async function unsubscribeOwner(
  work: Work,
  { id, account_id, inbox_id }: OwnerRecord,
  now: Date,
): Promise<void> {
  const [left] = await work.update("owners", { id, unsubscribed_at: null }, { unsubscribed_at: iso(now) });
  const account: AccountRecord | undefined = await work.get("accounts", account_id);
  if (left === undefined || account === undefined) return;
  await work.update(
    "update_deliveries",
    { owner_id: id, status: "queued" },
    { status: "skipped", reason: "unsubscribed" },
  );
  work.publish({ type: "owner.unsubscribed", inbox_id, data: { owner: shownOwner(left, account) } });
}
