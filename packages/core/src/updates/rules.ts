import type { OwnerRecord } from "../model/owners.ts";
import type { UpdateDeliveryRecord } from "../model/updates.ts";

/** How an update reaches an owner. */
export type Plan = Pick<UpdateDeliveryRecord, "mode" | "status" | "reason">;

/**
 * How an update reaches an owner; `send` when it goes out at once unless that is too often. `suppressed`:
 * mail to them bounces.
 */
export function planFor(
  owner: Pick<OwnerRecord, "digest" | "unsubscribed_at">,
  suppressed: boolean,
): Plan | "send" {
  const mode = owner.digest === "daily" ? "digest" : "immediate";
  if (owner.unsubscribed_at !== null) return { mode, status: "skipped", reason: "unsubscribed" };
  if (suppressed) return { mode, status: "skipped", reason: "recipient_suppressed" };
  if (owner.digest === "daily") return { mode: "digest", status: "queued", reason: null };
  return "send";
}

/** An update that would be one too many goes into the digest; it is not lost. */
export const rateLimited: Plan = { mode: "digest", status: "queued", reason: "rate_limited" };
