import type { OwnerRecord } from "../../model/owners.ts";
import type { UpdateDeliveryRecord } from "../../model/updates.ts";

/** The delivery of an update to an owner. */
export type Plan = Pick<UpdateDeliveryRecord, "mode" | "status" | "reason">;

/**
 * Plans the delivery of an update to an owner; `send` means now, rate limits permitting. An unreachable owner gets
 * only questions at once, and everything else in a rare digest.
 */
export function planFor(
  owner: Pick<OwnerRecord, "digest" | "unsubscribed_at" | "unreachable_since">,
  asks: boolean,
): Plan | "send" {
  const mode = owner.digest === "daily" ? "digest" : "immediate";
  if (owner.unsubscribed_at !== null) return { mode, status: "skipped", reason: "unsubscribed" };
  if (owner.digest === "daily") return { mode: "digest", status: "queued", reason: null };
  if (owner.unreachable_since !== null && !asks)
    return { mode: "digest", status: "queued", reason: "owner_unreachable" };
  return "send";
}

/** An update beyond the rate limits goes into the digest. */
export const RATE_LIMITED: Plan = { mode: "digest", status: "queued", reason: "rate_limited" };
