import { fail } from "../catalogue/errors.ts";
import type { Services } from "../kernel/context.ts";
import { hashSecret } from "../kernel/secrets.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import type { OwnerRecord } from "../model/owners.ts";

/** The owner whose letters carry the token, and their inbox. Fails with `owner_link_invalid`. */
export async function ownerByPageToken(
  { storage }: Pick<Services, "storage">,
  token: string,
): Promise<{ owner: OwnerRecord; inbox: InboxRecord }> {
  const [owner] = await storage.find("owners", { where: { page_hash: hashSecret(token) }, limit: 1 });
  const inbox = owner === undefined ? undefined : await storage.get("inboxes", owner.inbox_id);
  if (owner === undefined || inbox === undefined) throw fail("owner_link_invalid", { param: "token" });
  return { owner, inbox };
}
