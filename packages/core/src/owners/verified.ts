import type { Services } from "../kernel/context.ts";
import { isExternal } from "../kernel/mail-domain.ts";
import type { StorageReader } from "../ports/storage.ts";

const readAtMost = 200;

/**
 * Whether an account, or one inbox, has a verified owner at an address outside this service. Those inside
 * don't count, since an agent could hold such an address itself (decisions, section 12a).
 */
export async function hasVerifiedOwner(
  { storage, options }: Pick<Services, "options"> & { storage: Pick<StorageReader, "find"> },
  of: { account_id: string } | { inbox_id: string },
): Promise<boolean> {
  const owners = await storage.find("owners", { where: { ...of, status: "verified" }, limit: readAtMost });
  return owners.some(({ email }) => isExternal(email, options.mail_domain));
}
