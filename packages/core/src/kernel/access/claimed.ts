import type { ErrorCode } from "../../catalogue/errors.ts";
import { fail } from "../../catalogue/errors.ts";
import type { Options } from "../../catalogue/options.ts";
import type { AccountRecord } from "../../model/accounts.ts";
/**
 * Lists the errors that restrict an account: in `claimed` mode it sends nothing until an owner outside this service
 * confirms.
 */
export function restrictionsOf(
  account: Pick<AccountRecord, "claimed">,
  onboarding: Options["onboarding"],
): ErrorCode[] {
  return onboarding === "claimed" && !account.claimed ? ["account_unclaimed"] : [];
}

/** Fails with `account_unclaimed` when the account may send only confirmation letters. */
export function checkClaimed(
  account: Pick<AccountRecord, "claimed">,
  onboarding: Options["onboarding"],
): void {
  if (restrictionsOf(account, onboarding).includes("account_unclaimed")) throw fail("account_unclaimed");
}
