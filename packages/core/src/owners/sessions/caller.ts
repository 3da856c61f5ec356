import { fail } from "../../catalogue/errors.ts";
import { authoritiesOf } from "../../kernel/access/authority.ts";
import type { OwnerCaller } from "../../kernel/access/caller.ts";
import type { Services } from "../../kernel/context.ts";
import { notFound } from "../../kernel/gate.ts";
import { iso } from "../../model/fields.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { accountsOf, INBOX_OWNER_PERMISSIONS } from "./rules.ts";

/** A person whose mailbox was proved: by a session, or by the program that embeds the service. */
export interface Person {
  email: string;
  /** Null: the embedding program vouches for them. */
  session_id: string | null;
  ip: string | null;
}

/** The place where a person wants to act. */
export interface Place {
  /** The account that they name. */
  account_id?: string | undefined;
  /** The inbox that the call is about, by id. */
  inbox_id?: string | undefined;
}

/** A signed-in person as the caller of public operations, where the address alone counts. */
export const personCaller = (person: Person, account_id = ""): OwnerCaller => ({
  ...person,
  type: "owner",
  account_id,
  account_owner: false,
  permissions: [],
  inbox_ids: [],
});

/**
 * Returns a signed-in person as a caller within an account, with the rights that their authorities give now: an
 * account owner reaches all of it, others their inboxes, without keys, webhooks and domains. Fails with
 * `account_required` where several accounts are possible, `account_not_found`, or `inbox_not_found`.
 */
export async function ownerCaller(
  services: Pick<Services, "storage" | "options">,
  person: Person,
  { account_id, inbox_id }: Place,
): Promise<OwnerCaller> {
  const authorities = await authoritiesOf(services, services.storage, person.email);
  const accounts = accountsOf(authorities);
  const inbox = inbox_id === undefined ? undefined : await accountOfInbox(services.storage, inbox_id);
  // An inbox that doesn't exist takes the same path as somebody else's, so that timing doesn't tell them apart.
  const named = inbox_id === undefined ? (account_id ?? onlyAccount(accounts)) : (inbox?.account_id ?? "");
  const account_owner = await standingIn(services.storage, accounts, named);
  if (inbox_id !== undefined && account_owner === undefined)
    throw notFound("inbox_not_found", "inb", inbox_id);
  if (account_owner === undefined) throw fail("account_not_found", { param: "X-Letterslot-Account" });
  return {
    ...person,
    type: "owner",
    account_id: named,
    account_owner,
    permissions: account_owner ? null : INBOX_OWNER_PERMISSIONS,
    inbox_ids: account_owner
      ? null
      : authorities
          .filter((each) => each.account_id === named)
          .map((each) => each.inbox_id)
          .filter((id) => id !== null),
  };
}

/** The account of an inbox, also of one in the trash, whose people stay. */
const accountOfInbox = async (
  storage: Services["storage"],
  id: string,
): Promise<{ account_id: string } | undefined> =>
  (await storage.get("inboxes", id)) ?? (await storage.get("trashed_inboxes", id));

/**
 * Returns a signed-in person with the current rights of their session and authorities, in the same account. Fails
 * with `session_required` when the session has ended, and like `ownerCaller`.
 */
export async function renewOwner(services: Services, caller: OwnerCaller): Promise<OwnerCaller> {
  await checkSession(services, caller);
  const { email, session_id, ip, account_id } = caller;
  return ownerCaller(services, { email, session_id, ip }, { account_id });
}

/** Checks that a person is still signed in. Fails with `session_required` when their session has ended. */
export async function checkSession(
  { storage, clock }: Pick<Services, "storage" | "clock">,
  { session_id }: Pick<OwnerCaller, "session_id">,
): Promise<void> {
  if (session_id === null) return;
  const session = await storage.get("sessions", session_id);
  if (session === undefined || session.expires_at <= iso(clock.now())) throw fail("session_required");
}

/**
 * Whether a person is an account owner in an account: its own, or in a workspace's sub-account its parent's.
 * Undefined where they have no authority at all.
 */
async function standingIn(
  storage: Pick<StorageReader, "find">,
  accounts: ReadonlyMap<string, boolean>,
  account_id: string,
): Promise<boolean | undefined> {
  const own = accounts.get(account_id);
  if (own === true) return true;
  const [workspace] = await storage.find("workspaces", { where: { account_id }, limit: 1 });
  return accounts.get(workspace?.parent_account_id ?? "") === true ? true : own;
}

function onlyAccount(accounts: ReadonlyMap<string, boolean>): string {
  const [first = "", ...others] = accounts.keys();
  if (others.length > 0) throw fail("account_required", { param: "X-Letterslot-Account" });
  return first;
}
