import type { AccountContext } from "../context.ts";
import { notFound } from "../gate.ts";

/** Fails with `inbox_not_found` when an inbox is named that is not the account's. */
export async function checkInbox(
  { storage, account_id }: AccountContext,
  inbox_id: string | undefined,
): Promise<void> {
  if (inbox_id === undefined) return;
  const inbox = await storage.get("inboxes", inbox_id);
  if (inbox?.account_id !== account_id) throw notFound("inbox_not_found", "inb", inbox_id);
}
