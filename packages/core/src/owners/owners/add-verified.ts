import { takeForPerson } from "../../kernel/addresses/address-registry.ts";
import type { Services } from "../../kernel/context.ts";
import type { Work } from "../../kernel/work.ts";
import type { AccountRecord } from "../../model/accounts.ts";
import { iso } from "../../model/fields.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { OwnerRecord } from "../../model/owners.ts";
import { NEW_OWNER, shownOwner } from "./rules.ts";

/**
 * Makes a person whose mailbox was just proved the verified owner of a new inbox, in the caller's transaction:
 * no letter is sent.
 */
export async function addVerifiedOwner(
  { makeId, options }: Pick<Services, "makeId" | "options">,
  work: Work,
  { account, inbox, email }: { account: AccountRecord; inbox: InboxRecord; email: string },
  now: Date,
): Promise<void> {
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
    code_voided_at: null,
    link_hash: null,
    link_expires_at: null,
  };
  await takeForPerson({ options }, work, email, now);
  work.append("owners", [owner]);
  work.publish({ type: "owner.verified", inbox_id: inbox.id, data: { owner: shownOwner(owner, account) } });
}
