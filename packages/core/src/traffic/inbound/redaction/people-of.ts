import type { Services } from "../../../kernel/context.ts";
import type { InboxRecord } from "../../../model/inboxes.ts";

/** Owners and people in charge of one account that are looked at, the newest first. */
const MAX_PEOPLE = 20;

/** Returns the addresses of those who own inboxes of these accounts, are invited to, or are in charge there. */
export async function peopleOf(
  { storage }: Pick<Services, "storage">,
  inboxes: readonly Pick<InboxRecord, "account_id">[],
): Promise<string[]> {
  const own_ids = [...new Set(inboxes.map(({ account_id }) => account_id))];
  const accounts = await storage.find("accounts", { where: { id: { in: own_ids } }, limit: own_ids.length });
  const parents = accounts.flatMap(({ parent_account_id: parent }) => (parent === null ? [] : [parent]));
  const newest = {
    where: { account_id: { in: [...own_ids, ...parents] } },
    order: { by: "id", direction: "desc" },
    limit: MAX_PEOPLE,
  } as const;
  const [owners, authorities] = await Promise.all([
    storage.find("owners", newest),
    storage.find("authorities", newest),
  ]);
  return [...new Set([...owners, ...authorities].map(({ email }) => email))];
}
