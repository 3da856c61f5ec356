import { fail } from "../../catalogue/errors.ts";
import type { Services } from "../../kernel/context.ts";
import type { AccountRecord } from "../../model/accounts.ts";

const PURPOSE_PREFIX = "lifecycle:";

/**
 * The token in an account's product notes. It is sealed instead of stored, so only this service can create
 * it.
 */
export const lifecycleToken = ({ seal }: Pick<Services, "seal">, account_id: string): string =>
  seal.seal(`${PURPOSE_PREFIX}${account_id}`);

/** The account that a token stands for. Fails with `lifecycle_link_invalid`. */
export async function accountByToken(
  { seal, storage }: Pick<Services, "seal" | "storage">,
  token: string,
): Promise<AccountRecord> {
  const opened = openToken(seal, token);
  const account = opened === undefined ? undefined : await storage.get("accounts", opened);
  if (account === undefined) throw fail("lifecycle_link_invalid", { param: "token" });
  return account;
}

function openToken(seal: Services["seal"], token: string): string | undefined {
  try {
    const opened = seal.open(token);
    return opened.startsWith(PURPOSE_PREFIX) ? opened.slice(PURPOSE_PREFIX.length) : undefined;
  } catch {
    return undefined; // not sealed by us, or with a removed key
  }
}
