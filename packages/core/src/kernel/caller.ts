import type { Permission } from "../catalogue/permissions.ts";
import type { KeyRecord } from "../model/keys.ts";

/** What a caller with credentials can reach within one account. */
interface Reach {
  account_id: string;
  /** Null: all of them. */
  permissions: readonly Permission[] | null;
  /** The inboxes that the caller is held to. Null: the whole account. */
  inbox_ids: readonly string[] | null;
  ip: string | null;
}

/** An agent, with an API key. */
export interface KeyCaller extends Reach {
  type: "key";
  key: KeyRecord;
}

/** An app that a person let in (OAuth), with what its grant allows. */
export interface AppCaller extends Reach {
  type: "app";
  grant_id: string;
  client_id: string;
}

/** A person with authority over an account or over some of its inboxes. */
export interface OwnerCaller extends Reach {
  type: "owner";
  email: string;
  /** Authority over the whole account; otherwise over `inbox_ids` alone. */
  account_owner: boolean;
  /** Null for an embedder that vouches for its own sign-in. */
  session_id: string | null;
}

/** Anybody without credentials; the token of a letter may stand in the input. */
export interface PublicCaller {
  type: "public";
  ip: string | null;
}

/** A caller who acts within an account. */
export type AccountCaller = KeyCaller | AppCaller | OwnerCaller;

/** Who asks. */
export type Caller = AccountCaller | PublicCaller;

/** The kinds of caller. */
export type CallerType = Caller["type"];

/** Callers that speak for an agent. */
export const AGENTS = ["key", "app"] as const satisfies readonly CallerType[];

/** Callers that an act of the owner is open to: a session, or the token of a letter. */
export const OWNERS = ["owner", "public"] as const satisfies readonly CallerType[];

/** Names a caller among those of its account, for limits that each has of its own. */
export function callerId(caller: AccountCaller): string {
  if (caller.type === "key") return caller.key.id;
  return caller.type === "app" ? caller.grant_id : (caller.session_id ?? caller.email);
}

/** Whether a caller may know of a record: its account's and, for one held to inboxes, theirs. */
export function reaches(
  { account_id, inbox_ids }: Pick<AccountCaller, "account_id" | "inbox_ids">,
  record: { account_id: string; inbox_id: string | null } | undefined,
): boolean {
  return record?.account_id === account_id && reachesInbox({ inbox_ids }, record.inbox_id);
}

/** Whether a caller is let to an inbox of its account; null is the account itself. */
export function reachesInbox(
  { inbox_ids }: Pick<AccountCaller, "inbox_ids">,
  inbox_id: string | null,
): boolean {
  return inbox_ids === null || (inbox_id !== null && inbox_ids.includes(inbox_id));
}

/** Which records a list shows: those of the named inbox, else all that the caller reaches. */
export function withinReach(
  { account_id, inbox_ids }: Pick<AccountCaller, "account_id" | "inbox_ids">,
  inbox_id?: string,
): { account_id: string } | { inbox_id: string } | { inbox_id: { in: string[] } } {
  if (inbox_id !== undefined) return { inbox_id };
  if (inbox_ids === null) return { account_id };
  return inbox_ids.length === 1 ? { inbox_id: inbox_ids[0] as string } : { inbox_id: { in: [...inbox_ids] } };
}

/**
 * The inboxes that a reader is limited to: the named one, else those the caller is held to. Undefined: none.
 */
export function inboxesWithinReach(
  { inbox_ids }: Pick<AccountCaller, "inbox_ids">,
  inbox_id?: string,
): readonly string[] | undefined {
  return inbox_id === undefined ? (inbox_ids ?? undefined) : [inbox_id];
}
