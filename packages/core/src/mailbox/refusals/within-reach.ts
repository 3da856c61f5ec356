import { type AccountCaller, callerId } from "../../kernel/access/caller.ts";

/**
 * The refusals that a caller may see, as a condition and, if not all inboxes, the inboxes that they are about: a person
 * who has charge of single inboxes sees what happened there, and a key or an app that is limited to inboxes its own.
 */
export function refusalsFor(caller: AccountCaller): {
  own: { account_id: string } | { caller_id: string };
  within: readonly string[] | undefined;
} {
  const { account_id, inbox_ids, type } = caller;
  if (inbox_ids === null) return { own: { account_id }, within: undefined };
  if (type === "owner") return { own: { account_id }, within: inbox_ids };
  return { own: { caller_id: callerId(caller) }, within: undefined };
}
