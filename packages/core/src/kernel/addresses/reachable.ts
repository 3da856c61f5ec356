import { LIMITS } from "../../catalogue/limits.ts";
import { addressKey } from "../../model/address.ts";
import { iso } from "../../model/fields.ts";
import { addressToOwner } from "../../model/owners.ts";
import type { StorageWriter } from "../../ports/storage.ts";
import type { Work } from "../work.ts";

/**
 * Notes that mail to an address came back for good. A verified owner there counts as unreachable from the third
 * time on: that slows updates and digests alone, and is told by `owner.unreachable`.
 */
export async function noteHardBounce(
  work: Pick<Work, "update" | "publish">,
  { account_id, email }: { account_id: string; email: string },
  now: Date,
): Promise<void> {
  const counted = await work.update(
    "owners",
    { account_id, email, status: "verified" },
    { hard_bounces: { add: 1 } },
  );
  for (const owner of counted) {
    const { id, inbox_id, hard_bounces, unreachable_since } = owner;
    if (hard_bounces < LIMITS.unreachable_bounces || unreachable_since !== null) continue;
    const since = iso(now);
    await work.update("owners", { id }, { unreachable_since: since });
    work.publish({
      type: "owner.unreachable",
      inbox_id,
      data: { owner_id: id, inbox_id, email: addressToOwner(owner), unreachable_since: since },
    });
  }
}

/**
 * Notes a sign of life of a person: they signed in, answered or followed a link, or a letter reached them. They are
 * not unreachable any more, in any account.
 */
export async function isHeardOf(writer: Pick<StorageWriter, "update">, email: string): Promise<void> {
  await writer.update(
    "owners",
    { email: addressKey(email), hard_bounces: { gt: 0 } },
    { hard_bounces: 0, unreachable_since: null },
  );
}
