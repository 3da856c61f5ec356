import type { Permission } from "../../catalogue/permissions.ts";
import { authoritiesOf, decidersOver } from "../../kernel/access/authority.ts";
import type { Services } from "../../kernel/context.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import { accountsOf, INBOX_OWNER_PERMISSIONS } from "./rules.ts";

/**
 * The maximum number of inboxes of one account, and of accounts without an account owner, that a person chooses from.
 */
const MAX_CHOICES = 200;

/** An account in which a person may let an app in, and the inboxes they may give it. */
export interface AccountChoice {
  account_id: string;
  /** Whether they may give it the whole account. */
  account_owner: boolean;
  /** The permissions that they may grant there; null for all. */
  permissions: readonly Permission[] | null;
  /** At most 200; an account owner's newest ones. */
  inboxes: Pick<InboxRecord, "id" | "email" | "display_name">[];
}

/** The access that a person may give to apps. */
export interface Choices {
  accounts: AccountChoice[];
  /** Accounts that nobody is in charge of and in which this person was the first to be verified. */
  to_take_charge_of: { account_id: string; inbox_email: string | null }[];
}

/** Returns the access that a person may give to apps, according to their current authority. */
export async function choicesOf(
  services: Pick<Services, "storage" | "options">,
  email: string,
): Promise<Choices> {
  const { storage } = services;
  const authorities = await authoritiesOf(services, storage, email);
  const accounts: AccountChoice[] = [];
  for (const [account_id, account_owner] of accountsOf(authorities)) {
    const held = authorities.flatMap((each) =>
      each.account_id === account_id && each.inbox_id !== null ? [each.inbox_id] : [],
    );
    const inboxes = await storage.find("inboxes", {
      where: account_owner ? { account_id } : { id: { in: held } },
      order: { by: "id", direction: "desc" },
      limit: MAX_CHOICES,
    });
    const permissions = account_owner ? null : INBOX_OWNER_PERMISSIONS;
    accounts.push({ account_id, account_owner, permissions, inboxes });
  }
  const noted = await storage.find("accounts", { where: { first_owner_email: email }, limit: MAX_CHOICES });
  const to_take_charge_of: Choices["to_take_charge_of"] = [];
  for (const { id: account_id } of noted) {
    if ((await decidersOver(services, storage, { account_id, inbox_id: null })).noted !== email) continue;
    const [inbox] = await storage.find("inboxes", { where: { account_id }, limit: 1 });
    to_take_charge_of.push({ account_id, inbox_email: inbox?.email ?? null });
  }
  return { accounts, to_take_charge_of };
}
