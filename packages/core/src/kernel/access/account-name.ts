import { accountName, NAMING_INBOXES } from "../../catalogue/account-name.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import type { StorageReader } from "../../ports/storage.ts";

/** The name of an account, for people: its oldest inboxes, and how many more it has. */
export async function nameOfAccount(
  storage: Pick<StorageReader, "count" | "find">,
  account_id: string,
): Promise<string> {
  const [first, total] = await Promise.all([
    storage.find("inboxes", {
      where: { account_id },
      order: { by: "id", direction: "asc" },
      limit: NAMING_INBOXES,
    }),
    storage.count("inboxes", { account_id }, LIMITS.usage_counted_to),
  ]);
  return accountName(
    first.map(({ email }) => email),
    total,
  );
}
