import { fail } from "../catalogue/errors.ts";
import { hashSecret } from "../kernel/secrets.ts";
import { iso } from "../model/fields.ts";
import type { RecoveryRecord } from "../model/recovery.ts";
import type { StorageReader } from "../ports/storage.ts";
import { isOpen } from "./rules.ts";

/** More than the limits let be asked for one address within the time of a link. */
const MAX_NEWER = 100;

/**
 * The recovery of a letter's link. Fails with `recovery_invalid`, the same for what is unknown, expired, used
 * up and replaced by a newer letter.
 */
export async function findRecovery(
  { storage }: { storage: Pick<StorageReader, "find"> },
  token: string,
  now: Date,
): Promise<RecoveryRecord> {
  const [recovery] = await storage.find("recoveries", { where: { link_hash: hashSecret(token) }, limit: 1 });
  if (recovery === undefined) throw fail("recovery_invalid", { param: "token" });
  const newer = await storage.find("recoveries", {
    where: { email: recovery.email, id: { gt: recovery.id } },
    order: { by: "id", direction: "asc" },
    limit: MAX_NEWER,
  });
  if (!isOpen(recovery, newer, iso(now))) throw fail("recovery_invalid", { param: "token" });
  return recovery;
}
