import type { StorageReader } from "../ports/storage.ts";
import type { Services } from "./context.ts";
import { outsideOf } from "./inbox-domain.ts";

const MAX_OWNERS = 200;

/**
 * Whether an account or inbox has a verified owner at an address outside this service. Addresses inside don't
 * count, since an agent could have one.
 */
export async function hasVerifiedOwner(
  { storage, options }: Pick<Services, "options"> & { storage: Pick<StorageReader, "find" | "get"> },
  of: { account_id: string } | { inbox_id: string },
): Promise<boolean> {
  const owners = await storage.find("owners", { where: { ...of, status: "verified" }, limit: MAX_OWNERS });
  return (await outsideOf({ options }, storage, owners)).length > 0;
}
