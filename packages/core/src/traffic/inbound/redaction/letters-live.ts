import { cachedAccounts } from "../../../kernel/access/suspended.ts";
import type { Services } from "../../../kernel/context.ts";
import { livesForAccount } from "../../../kernel/letters/letters.ts";

/** Whether a live code, or a link that acts alone, may be in a letter to somebody of an account. */
export async function lettersLive(
  services: Pick<Services, "storage" | "cachedRead">,
  account_id: string,
  now: Date,
): Promise<boolean> {
  const accounts = cachedAccounts(services);
  const account = await accounts.get("accounts", account_id);
  const parent_id = account?.parent_account_id ?? null;
  const parent = parent_id === null ? undefined : await accounts.get("accounts", parent_id);
  return livesForAccount([account, parent], now);
}
