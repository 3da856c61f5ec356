import { iso } from "../model/fields.ts";
import type { AuthorityRecord } from "../model/people.ts";
import type { StorageReader } from "../ports/storage.ts";
import type { Services } from "./context.ts";
import { isOutside, outsideOf } from "./inbox-domain.ts";
import { rootAccount } from "./root-account.ts";
import type { Work } from "./work.ts";

/** How many authorities of one account or person are looked at. */
const MAX_AUTHORITIES = 200;

type Reader = Pick<StorageReader, "find" | "get">;
type Own = Parameters<typeof isOutside>[0];

/** An account, or one of its inboxes. */
export interface Ruled {
  account_id: string;
  inbox_id: string | null;
}

/**
 * The authorities over an inbox: its own, the account's, and in a workspace's sub-account those of the parent's
 * account owners; with `inbox_id` null all but its own. Only at outside addresses, which is asked anew each
 * time, because a domain may have become one of this service's.
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

/** What a person has authority over, in every account. */
export async function authoritiesOf(own: Own, storage: Reader, email: string): Promise<AuthorityRecord[]> {
  if (!(await isOutside(own, storage, email))) return [];
  return storage.find("authorities", {
    where: { email },
    order: { by: "id", direction: "asc" },
    limit: MAX_AUTHORITIES,
  });
}

/** Whether an address holds authority anywhere in the service, whether it is outside or not. */
export async function hasAuthority(storage: Pick<Reader, "find">, email: string): Promise<boolean> {
  return (await storage.find("authorities", { where: { email }, limit: 1 })).length > 0;
}

/** Ends what a person asked for as an account owner: their exports, ready or not. */
export async function endExportsOf(
  work: Pick<Work, "update">,
  { account_id, email }: { account_id: string; email: string },
  now: Date,
): Promise<void> {
  const where = { account_id, asked_by: email, expires_at: { gt: iso(now) } };
  await work.update("exports", where, { expires_at: iso(now) });
}

/** The addresses that may decide for an account or inbox; `noted` is the first address while nobody has charge. */
export interface Deciders {
  emails: string[];
  noted: string | null;
}

/**
 * Who may decide for an inbox, or with `inbox_id` null for its account: every authority over it, and, until
 * the account has an account owner, the first outside address that was verified in it.
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
  // Writing the account's row makes a second caller wait, who then sees the first one's authority.
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
  };
  work.append("authorities", [authority]);
  return authority;
}
