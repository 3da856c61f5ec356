import type { AccountRecord } from "../accounts/schema.ts";
import { effectiveStyle } from "./rules.ts";
import { Owner, type OwnerRecord } from "./schema.ts";

/** An owner as shown, with the style that applies; nothing of its codes and tokens. */
export function shownOwner(owner: OwnerRecord, account: AccountRecord): Owner {
  return Owner.parse({ ...owner, effective_email_style: effectiveStyle(owner, account) });
}
