import { fail } from "../../catalogue/errors.ts";
import { inChargeAmong, moveNote } from "../../kernel/access/authority.ts";
import { isOutside } from "../../kernel/addresses/inbox-domain.ts";
import type { Services } from "../../kernel/context.ts";
import type { Work } from "../../kernel/work.ts";
import type { NotedAccount } from "../../model/accounts.ts";

/**
 * Notes another first address of an account for one of its account owners, in the caller's transaction. Only an address
 * that was proven in the account counts, so that nobody bars strangers' addresses from being inboxes. Fails with
 * `invalid_request` for a workspace's account, `invalid_address`, `owner_not_found` or `address_is_inbox`.
 */
export async function noteProvenAddress(
  services: Pick<Services, "options">,
  work: Work,
  { account_id, email }: { account_id: string; email: string },
  now: Date,
): Promise<NotedAccount> {
  const account = await work.get("accounts", account_id);
  if (account === undefined) throw fail("account_not_found");
  if (account.parent_account_id !== null)
    throw fail("invalid_request", {
      message: "A workspace has no first address of its own: that of its parent counts.",
      fix: "Name the parent account in X-Letterslot-Account, without X-Letterslot-Workspace.",
    });
  const param = "first_owner_email";
  if (!(await isOutside(services, work, email)))
    throw fail("invalid_address", {
      param,
      message: "Mail to this address is delivered by this service, where agents read it.",
      fix: "Use an address outside this service.",
    });
  if (!(await inChargeAmong(work, account_id, [email])).has(email))
    throw fail("owner_not_found", {
      param,
      message: "Nobody at this address is a verified owner or has authority in the account.",
      fix: "Invite them with POST /api/v1/inboxes/:id/owners, and repeat the call once they have confirmed.",
    });
  await moveNote(services, work, { account_id, email }, now);
  return { id: account_id, object: "account", first_owner_email: email };
}
