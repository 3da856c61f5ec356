import type { Permission } from "../catalogue/permissions.ts";
import { authoritiesOf, decidersOver } from "../kernel/authority.ts";
import type { Services } from "../kernel/context.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import { accountsOf, INBOX_OWNER_PERMISSIONS } from "./rules.ts";

/** How many inboxes of one account, and how many accounts without an account owner, a person chooses from. */
const MAX_CHOICES = 200;

/** An account in which a person may let an app in, and to which of its inboxes. */
export interface AccountChoice {
  account_id: string;
  /** Whether it may be the whole account. */
  account_owner: boolean;
  /** What they may allow there. Null: everything. */
  permissions: readonly Permission[] | null;
  /** At most 200; an account owner's newest ones. */
  inboxes: Pick<InboxRecord, "id" | "email" | "display_name">[];
}

/** What a person may give apps access to. */
export interface Choices {
  accounts: AccountChoice[];
  /** Accounts that nobody has charge of and that this person was the first to be verified in. */
  to_take_charge_of: { account_id: string; inbox_email: string | null }[];
}

/** What a person may give apps access to, by what they have authority over at this moment. */
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
