import type { Parts } from "../context.ts";
import { fail } from "../errors.ts";
import { iso } from "../schema.ts";
import { hashSecret } from "../secrets.ts";
import { unitOfWork } from "../unit-of-work.ts";
import type { OwnerRecord } from "./schema.ts";
import { shownOwner } from "./show.ts";

/** Ends update mail to the owner who holds the token; rights and other letters stay. Once more changes nothing. Fails with `confirm_invalid`. */
export async function unsubscribeOwner(parts: Parts, token: string, now: Date): Promise<OwnerRecord> {
  const [owner] = await parts.storage.find("owners", { where: { page_hash: hashSecret(token) }, limit: 1 });
  if (owner === undefined) throw fail("confirm_invalid", { param: "token" });
  const { id, account_id, inbox_id } = owner;
  return unitOfWork(parts, account_id, now, async (work) => {
    const [left] = await work.update("owners", { id, unsubscribed_at: null }, { unsubscribed_at: iso(now) });
    const account = await work.get("accounts", account_id);
    if (left === undefined || account === undefined) return (await work.get("owners", id)) ?? owner;
    work.publish({ type: "owner.unsubscribed", inbox_id, data: { owner: shownOwner(left, account) } });
    return left;
  });
}
