import type { AccountRecord } from "../model/accounts.ts";
import { Owner, type OwnerRecord } from "../model/owners.ts";
import { effectiveStyle } from "./rules.ts";

/** An owner as shown, with the style that applies; nothing of its codes and tokens. */
export function shownOwner(owner: OwnerRecord, account: AccountRecord): Owner {
  return Owner.parse({ ...owner, effective_email_style: effectiveStyle(owner, account) });
}
