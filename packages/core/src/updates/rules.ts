import type { OwnerRecord } from "../model/owners.ts";
import type { UpdateDeliveryRecord } from "../model/updates.ts";

/** How an update is delivered to an owner. */
export type Plan = Pick<UpdateDeliveryRecord, "mode" | "status" | "reason">;

/**
 * How to deliver an update to an owner; `send`: now, rate limits permitting. `suppressed`: mail to the owner
 * bounces.
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

/** An update beyond the rate limits goes into the digest. */
export const RATE_LIMITED: Plan = { mode: "digest", status: "queued", reason: "rate_limited" };
