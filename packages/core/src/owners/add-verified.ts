import type { Services } from "../kernel/context.ts";
import type { Work } from "../kernel/work.ts";
import type { AccountRecord } from "../model/accounts.ts";
import { iso } from "../model/fields.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import type { OwnerRecord } from "../model/owners.ts";
import { NEW_OWNER, shownOwner } from "./rules.ts";

/**
 * Makes a person whose mailbox was just proved the verified owner of a new inbox, in the caller's transaction:
 * no letter is sent.
 */
export function addVerifiedOwner(
  { makeId }: Pick<Services, "makeId">,
  work: Work,
  { account, inbox, email }: { account: AccountRecord; inbox: InboxRecord; email: string },
  now: Date,
): void {
  const owner: OwnerRecord = {
    ...NEW_OWNER,
    id: makeId("own"),
    account_id: account.id,
    inbox_id: inbox.id,
    email,
    given_email: null,
    status: "verified",
    digest: "immediate",
    created_at: iso(now),
    verified_at: iso(now),
    code_hash: null,
    code_expires_at: null,
    code_tries: 0,
    link_hash: null,
    link_expires_at: null,
  };
  work.append("owners", [owner]);
  work.publish({ type: "owner.verified", inbox_id: inbox.id, data: { owner: shownOwner(owner, account) } });
}
