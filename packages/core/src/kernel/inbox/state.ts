import type { InboxRecord } from "../../model/inboxes.ts";

/** What an inbox can do now: an expired one neither receives nor sends, whatever its status says. */
export function stateOf(
  inbox: Pick<InboxRecord, "status" | "expires_at">,
  now: Date,
): "active" | "paused" | "expired" {
  if (inbox.expires_at !== null && inbox.expires_at <= now.toISOString()) return "expired";
  return inbox.status;
}
