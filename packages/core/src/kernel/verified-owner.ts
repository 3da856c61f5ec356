import type { StorageReader } from "../ports/storage.ts";
import type { Services } from "./context.ts";
import { isOutside } from "./mail-domain.ts";

const MAX_OWNERS = 200;

/**
 * Whether an account or inbox has a verified owner at an address outside this service. Addresses inside don't
 * count, since an agent could have one.
 */
export async function hasVerifiedOwner(
  { storage, options }: Pick<Services, "options"> & { storage: Pick<StorageReader, "find"> },
  of: { account_id: string } | { inbox_id: string },
): Promise<boolean> {
  const owners = await storage.find("owners", { where: { ...of, status: "verified" }, limit: MAX_OWNERS });
  return owners.some(({ email }) => isOutside({ options }, email));
}
