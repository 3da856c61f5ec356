import type { OwnerRecord } from "../../model/owners.ts";
import type { StorageReader } from "../../ports/storage.ts";
import type { Services } from "../context.ts";
import { outsideOf } from "./inbox-domain.ts";

const MAX_OWNERS = 200;

type Of = { account_id: string } | { inbox_id: string };
type Reading = Pick<Services, "options"> & { storage: Pick<StorageReader, "find" | "get"> };

/**
 * The verified owners of an account or inbox at addresses outside this service. Addresses inside don't count, since an
 * agent could have one.
 */
export async function verifiedOwners({ storage, options }: Reading, of: Of): Promise<OwnerRecord[]> {
  const owners = await storage.find("owners", { where: { ...of, status: "verified" }, limit: MAX_OWNERS });
  return outsideOf({ options }, storage, owners);
}

/** Whether an account or inbox has such an owner. */
export const hasVerifiedOwner = async (reading: Reading, of: Of): Promise<boolean> =>
  (await verifiedOwners(reading, of)).length > 0;
