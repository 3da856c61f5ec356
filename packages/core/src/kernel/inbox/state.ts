import type { InboxRecord } from "../../model/inboxes.ts";

/** An inbox's effective state: an expired inbox neither receives nor sends, whatever its status. */
export function stateOf(
  inbox: Pick<InboxRecord, "status" | "expires_at">,
  now: Date,
): "active" | "paused" | "expired" {
  if (inbox.expires_at !== null && inbox.expires_at <= now.toISOString()) return "expired";
  return inbox.status;
}
