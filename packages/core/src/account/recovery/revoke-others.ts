import type { Work } from "../../kernel/work.ts";
import { iso } from "../../model/fields.ts";
import type { AuthorityRecord } from "../../model/people.ts";
import { endGrants } from "../../owners/oauth-grants/index.ts";

const PAGE = 200;

/** The counts of what was revoked for a recovered key. */
export interface Revoked {
  keys_revoked: number;
  apps_revoked: number;
  sessions_ended: number;
}

/** The result when the person didn't ask to revoke anything. */
export const NOTHING_REVOKED: Revoked = { keys_revoked: 0, apps_revoked: 0, sessions_ended: 0 };

/**
 * Revokes every key and app that an authority covers, including those in the account's workspaces, in the caller's
 * transaction, and ends all sessions of its person except the current one.
 */
export async function revokeOthers(
  work: Work,
  authority: AuthorityRecord,
  session_id: string | null,
  now: Date,
): Promise<Revoked> {
  const { email, inbox_id } = authority;
  const revoked: Revoked = { ...NOTHING_REVOKED };
  for (const account_id of await accountsUnder(work, authority)) {
    const place = inbox_id === null ? { account_id } : { account_id, inbox_id };
    const keys = await work.update("keys", { ...place, revoked_at: null }, { revoked_at: iso(now) });
    revoked.keys_revoked += keys.length;
    revoked.apps_revoked += await endApps(work, place, now);
  }
  revoked.sessions_ended = await work.delete("sessions", { email, id: { not: session_id ?? "" } });
  return revoked;
}

/** Ends the grants of apps in an account, or in one of its inboxes; returns how many. */
async function endApps(
  work: Work,
  place: { account_id: string; inbox_id?: string },
  now: Date,
): Promise<number> {
  for (let ended = 0; ; ) {
    const grants = await work.find("oauth_grants", {
      where: place,
      order: { by: "id", direction: "asc" },
      limit: PAGE,
    });
    await endGrants(work, grants, now);
    ended += grants.length;
    if (grants.length < PAGE) return ended;
  }
}

/** The account that an authority covers, and those of its workspaces; for an inbox its account alone. */
async function accountsUnder(work: Work, { account_id, inbox_id }: AuthorityRecord): Promise<string[]> {
  const accounts = [account_id];
  for (let after = ""; inbox_id === null; ) {
    const workspaces = await work.find("workspaces", {
      where: { parent_account_id: account_id, id: { gt: after } },
      order: { by: "id", direction: "asc" },
      limit: PAGE,
    });
    accounts.push(...workspaces.map((workspace) => workspace.account_id));
    after = workspaces.at(-1)?.id ?? "";
    if (workspaces.length < PAGE) break;
  }
  return accounts;
}
