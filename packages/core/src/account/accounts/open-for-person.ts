import { fail } from "../../catalogue/errors.ts";
import { isOutside } from "../../kernel/addresses/inbox-domain.ts";
import type { Services } from "../../kernel/context.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import { asciiLowerCase } from "../../model/address.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import { addVerifiedOwner } from "../../owners/owners/index.ts";
import { giveAuthority, type Person } from "../../owners/sessions/index.ts";
import { insertInbox } from "../inboxes/create.ts";
import { accountWithoutKey, admitSignUp } from "./open.ts";

/**
 * Opens an account with one inbox and no key for a person who is signed in: they are its account owner at once,
 * and the inbox's verified owner. Fails with `onboarding_closed`, `rate_limited`, `invalid_username`,
 * `username_reserved`, `username_taken`, or with `invalid_address` for an address inside the service.
 */
export async function openAccountFor(
  services: Services,
  { email, ip }: Person,
  { username }: { username: string },
  now: Date,
): Promise<InboxRecord> {
  if (!(await isOutside(services, services.storage, email)))
    throw fail("invalid_address", { param: "email" });
  await admitSignUp(services, ip, now, "person");
  const account = { ...accountWithoutKey(services, now), claimed: true, first_owner_email: email };
  return unitOfWork(services, account.id, now, async (work) => {
    work.append("accounts", [account]);
    const request = { account_id: account.id, username: asciiLowerCase(username) };
    const { inbox } = await insertInbox(services, work, request, now);
    await giveAuthority(services, work, { ...request, email, inbox_id: null, given_by: email }, now);
    await addVerifiedOwner(services, work, { account, inbox, email }, now);
    return inbox;
  });
}
