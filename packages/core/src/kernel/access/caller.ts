import { fail } from "../../catalogue/errors.ts";
import type { Permission } from "../../catalogue/permissions.ts";
import type { KeyRecord } from "../../model/keys.ts";

/** The reach of a caller with credentials within one account. */
interface Reach {
  account_id: string;
  /** Null: all of them. */
  permissions: readonly Permission[] | null;
  /** The inboxes that the caller is limited to. Null: the whole account. */
  inbox_ids: readonly string[] | null;
  ip: string | null;
}

/** An agent, with an API key. */
export interface KeyCaller extends Reach {
  type: "key";
  key: KeyRecord;
}

/** An app authorised by a person (OAuth), with the rights of its grant. */
export interface AppCaller extends Reach {
  type: "app";
  grant_id: string;
  client_id: string;
  /** The hash by which its access token is stored. */
  token_hash: string;
}

/**
 * A person who is signed in. In an operation on an account, a person with authority over it or over some of its
 * inboxes. In a public operation `account_id` may be empty, and only the address counts.
 */
export interface OwnerCaller extends Reach {
  type: "owner";
  email: string;
  /** Authority over the whole account; otherwise only over `inbox_ids`. */
  account_owner: boolean;
  /** Null when the embedding program signed the person in itself. */
  session_id: string | null;
}

/** A caller without credentials; the input may contain a letter's token. */
export interface PublicCaller {
  type: "public";
  ip: string | null;
}

/** A caller that acts within an account. */
export type AccountCaller = KeyCaller | AppCaller | OwnerCaller;

/** Any caller of an operation. */
export type Caller = AccountCaller | PublicCaller;

/** The kinds of caller. */
export type CallerType = Caller["type"];

/** Callers that act as an agent. */
export const AGENTS = ["key", "app"] as const satisfies readonly CallerType[];

/** Callers that may act as an owner: with a session, or with a letter's token. */
export const OWNERS = ["owner", "public"] as const satisfies readonly CallerType[];

/** Callers who are signed in as a person. */
export const SIGNED_IN = ["owner"] as const satisfies readonly CallerType[];

/** The caller as a person who is signed in. Fails with `session_required`. */
export function signedIn(caller: Caller): OwnerCaller {
  if (caller.type !== "owner") throw fail("session_required");
  return caller;
}

/** The caller's id within its account, for limits per caller. */
export function callerId(caller: AccountCaller): string {
  if (caller.type === "key") return caller.key.id;
  return caller.type === "app" ? caller.grant_id : (caller.session_id ?? caller.email);
}

/**
 * Whether a caller may see a record: it belongs to the caller's account and, if the caller is limited to inboxes, to
 * one of them.
 */
export function reaches(
  { account_id, inbox_ids }: Pick<AccountCaller, "account_id" | "inbox_ids">,
  record: { account_id: string; inbox_id: string | null } | undefined,
): boolean {
  return record?.account_id === account_id && reachesInbox({ inbox_ids }, record.inbox_id);
}

/** Whether a caller may access an inbox of its account; null means the account itself. */
export function reachesInbox(
  { inbox_ids }: Pick<AccountCaller, "inbox_ids">,
  inbox_id: string | null,
): boolean {
  return inbox_ids === null || (inbox_id !== null && inbox_ids.includes(inbox_id));
}

/**
 * Returns the condition for the records that a list shows: those of the named inbox, else all within the caller's
 * reach.
 */
export function withinReach(
  { account_id, inbox_ids }: Pick<AccountCaller, "account_id" | "inbox_ids">,
  inbox_id?: string,
): { account_id: string } | { inbox_id: string } | { inbox_id: { in: string[] } } {
  if (inbox_id !== undefined) return { inbox_id };
  if (inbox_ids === null) return { account_id };
  return inbox_ids.length === 1 ? { inbox_id: inbox_ids[0] as string } : { inbox_id: { in: [...inbox_ids] } };
}

/**
 * Returns the inboxes that a reader is limited to: the named one, else those the caller is limited to. Undefined: no
 * limit.
 */
export function inboxesWithinReach(
  { inbox_ids }: Pick<AccountCaller, "inbox_ids">,
  inbox_id?: string,
): readonly string[] | undefined {
  return inbox_id === undefined ? (inbox_ids ?? undefined) : [inbox_id];
}
