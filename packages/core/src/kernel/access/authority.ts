import { fail } from "../../catalogue/errors.ts";
import { addressKey } from "../../model/address.ts";
import { iso } from "../../model/fields.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import { asksAuthority } from "../../model/outbound.ts";
import type { AuthorityRecord } from "../../model/people.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { endPersons, takeForPerson } from "../addresses/address-registry.ts";
import { isOutside, outsideOf } from "../addresses/inbox-domain.ts";
import type { Services } from "../context.ts";
import type { Work } from "../work.ts";
import { rootAccount } from "./root-account.ts";

/** The most authorities that are read for one account or person. */
const MAX_AUTHORITIES = 200;
/** The most records that are read of the people at some addresses: an owner may have one for each inbox. */
const MAX_IN_CHARGE = 10_000;

type Reader = Pick<StorageReader, "find" | "get">;
type Own = Parameters<typeof isOutside>[0];

/** An account, or one of its inboxes, that someone may have authority over. */
export interface Ruled {
  account_id: string;
  inbox_id: string | null;
}

/**
 * Returns the authorities over an inbox: its own, the account's and, in a workspace's sub-account, those of the parent
 * account's owners. With `inbox_id` null, its own are left out. Only outside addresses count, and this is checked on
 * every call, because a domain may have become one of this service's.
 */
export async function authoritiesOver(
  own: Own,
  storage: Reader,
  { account_id, inbox_id }: Ruled,
): Promise<AuthorityRecord[]> {
  const [here, account] = await Promise.all([
    authoritiesIn(storage, account_id),
    storage.get("accounts", account_id),
  ]);
  const parent = account?.parent_account_id ?? null;
  const above = parent === null ? [] : await authoritiesIn(storage, parent);
  return outsideOf(own, storage, [
    ...here.filter((each) => each.inbox_id === null || each.inbox_id === inbox_id),
    ...above.filter((each) => each.inbox_id === null),
  ]);
}

const authoritiesIn = (storage: Reader, account_id: string): Promise<AuthorityRecord[]> =>
  storage.find("authorities", {
    where: { account_id },
    order: { by: "id", direction: "asc" },
    limit: MAX_AUTHORITIES,
  });

/** Returns a person's authorities in every account. */
export async function authoritiesOf(own: Own, storage: Reader, email: string): Promise<AuthorityRecord[]> {
  if (!(await isOutside(own, storage, email))) return [];
  return storage.find("authorities", {
    where: { email },
    order: { by: "id", direction: "asc" },
    limit: MAX_AUTHORITIES,
  });
}

/** Ends the exports that a person requested as an account owner, ready or not. */
export async function endExportsOf(
  work: Pick<Work, "update">,
  { account_id, email }: { account_id: string; email: string },
  now: Date,
): Promise<void> {
  const where = { account_id, asked_by: email, expires_at: { gt: iso(now) } };
  await work.update("exports", where, { expires_at: iso(now) });
}

/** The addresses that get a copy of each mail of an inbox: of everybody with authority over it, in one order. */
export async function ownerCopiesOf(
  own: Own,
  storage: Reader,
  { id, account_id, owner_copy }: Pick<InboxRecord, "id" | "account_id" | "owner_copy">,
): Promise<string[]> {
  if (owner_copy === "off") return [];
  const in_charge = await authoritiesOver(own, storage, { account_id, inbox_id: id });
  return [...new Set(in_charge.map(({ email }) => email))].toSorted();
}

/** The addresses that may decide for an account or inbox; `noted` is the first address while nobody has charge. */
export interface Deciders {
  emails: string[];
  noted: string | null;
}

/**
 * Returns the people who may decide for an inbox, or with `inbox_id` null for its account: everyone with authority over
 * it and, until the account has an account owner, the first outside address that was verified in it.
 */
export async function decidersOver(own: Own, storage: Reader, ruled: Ruled): Promise<Deciders> {
  const authorities = await authoritiesOver(own, storage, ruled);
  const emails = [...new Set(authorities.map(({ email }) => email))];
  if (authorities.some(({ inbox_id }) => inbox_id === null)) return { emails, noted: null };
  const first = (await rootAccount(storage, ruled.account_id))?.first_owner_email ?? null;
  const noted = first !== null && (await isOutside(own, storage, first)) ? first : null;
  return { emails: [...new Set(noted === null ? emails : [...emails, noted])], noted };
}

/**
 * Whether changes that would take control from people wait for one of them: in approval mode always; in an inbox that
 * may otherwise ask about its mail, once there is somebody to ask.
 */
export async function waitsForPeople(
  own: Own,
  storage: Reader,
  inbox: Pick<InboxRecord, "id" | "account_id" | "effective_send_mode" | "effective_outbound" | "release_by">,
): Promise<boolean> {
  if (inbox.effective_send_mode === "approval") return true;
  if (!asksAuthority(inbox)) return false;
  const { emails } = await decidersOver(own, storage, { account_id: inbox.account_id, inbox_id: inbox.id });
  return emails.length > 0;
}

/**
 * Replaces the noted first address of an account (null: none), in the caller's transaction. Fails with
 * `address_is_inbox`, or with `account_not_found` once the account is being erased.
 */
export async function moveNote(
  own: Own,
  work: Work,
  { account_id, email }: { account_id: string; email: string | null },
  now: Date,
): Promise<void> {
  // Writing the account's row serialises callers: the second one returns what the first one noted.
  const here = { id: account_id, deleted_at: null };
  const [account] = await work.update("accounts", here, { event_sequence: { add: 0 } });
  if (account === undefined) throw fail("account_not_found");
  const before = account.first_owner_email;
  if (email !== null) await takeForPerson(own, work, email, now);
  await work.update("accounts", { id: account_id }, { first_owner_email: email });
  await endPersons(work, before === null ? [] : [before]);
}

/**
 * Makes the first outside address of an account its first account owner, in the caller's transaction; for a
 * workspace's sub-account it is its parent's. Undefined when the account has an account owner, or when it is
 * another address.
 */
export async function takeCharge(
  { makeId, options }: Pick<Services, "makeId" | "options">,
  work: Work,
  { account_id: named, email }: { account_id: string; email: string },
  now: Date,
): Promise<AuthorityRecord | undefined> {
  const account_id = (await rootAccount(work, named))?.id ?? named;
  // Writing the account's row serialises callers: the second one sees the first one's authority.
  await work.update("accounts", { id: account_id, first_owner_email: email }, { claimed: true });
  const { noted } = await decidersOver({ options }, work, { account_id, inbox_id: null });
  if (noted !== email) return undefined;
  const authority: AuthorityRecord = {
    id: makeId("aut"),
    account_id,
    inbox_id: null,
    email,
    since: now.toISOString(),
    given_by: email,
    passkeys_off_at: null,
  };
  await takeForPerson({ options }, work, email, now);
  work.append("authorities", [authority]);
  return authority;
}

/**
 * Returns those of the addresses whose people have a say in an account: its verified owners, everyone with authority
 * over it or its inboxes, and the noted first address. In canonical form. They are never suppressed.
 */
export async function inChargeAmong(
  storage: Reader,
  account_id: string,
  addresses: readonly string[],
): Promise<Set<string>> {
  const keys = [...new Set(addresses.map(addressKey))];
  if (keys.length === 0) return new Set();
  const root = await rootAccount(storage, account_id);
  const email = { in: keys };
  const over = { in: [...new Set([account_id, root?.id ?? account_id])] };
  const [owners, authorities] = await Promise.all([
    storage.find("owners", { where: { email, account_id, status: "verified" }, limit: MAX_IN_CHARGE }),
    storage.find("authorities", { where: { email, account_id: over }, limit: MAX_IN_CHARGE }),
  ]);
  const in_charge = new Set([...owners, ...authorities].map(({ email: each }) => each));
  if (root?.first_owner_email != null) in_charge.add(root.first_owner_email);
  return new Set(keys.filter((key) => in_charge.has(key)));
}
