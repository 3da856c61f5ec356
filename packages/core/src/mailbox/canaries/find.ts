import { rootAccount } from "../../kernel/access/root-account.ts";
import { hashSecret } from "../../kernel/secrets.ts";
import type { CanaryRecord } from "../../model/canaries.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { canaryWordsIn } from "./rules.ts";

/**
 * Finds the canaries of an account, of its parent and of its workspaces in texts and bytes, as they stand there: whoever
 * wants to find encoded ones passes the decoded texts too. Reads nothing where nothing has their form.
 */
export async function findCanaries(
  storage: StorageReader,
  account_id: string,
  texts: readonly (string | Uint8Array)[],
): Promise<CanaryRecord[]> {
  const hashes = canaryWordsIn(texts).map(hashSecret);
  if (hashes.length === 0) return [];
  const found = await storage.find("canaries", { where: { hash: { in: hashes } }, limit: hashes.length });
  if (found.length === 0) return [];
  const rootOf = async (id: string) => (await rootAccount(storage, id))?.id ?? id;
  const root = await rootOf(account_id);
  const roots = await Promise.all(found.map((canary) => rootOf(canary.account_id)));
  return found.filter((_, index) => roots[index] === root);
}
