import { rootAccount } from "../../kernel/access/root-account.ts";
import { hashSecret } from "../../kernel/secrets.ts";
import type { Work } from "../../kernel/work.ts";
import { canaryWordsIn } from "../../mail/canary-words.ts";
import type { CanaryRecord } from "../../model/canaries.ts";
import { iso } from "../../model/fields.ts";
import type { StorageReader } from "../../ports/storage.ts";

/** Finds the canaries of an account, of its parent and of its workspaces in texts and bytes, as they stand there. */
export const findCanaries = (
  storage: StorageReader,
  account_id: string,
  texts: readonly (string | Uint8Array)[],
): Promise<CanaryRecord[]> => canariesAmong(storage, account_id, canaryWordsIn(texts));

/** Finds them among words that have their form. Reads nothing where there are none. */
export async function canariesAmong(
  storage: StorageReader,
  account_id: string,
  words: readonly string[],
): Promise<CanaryRecord[]> {
  const hashes = words.map(hashSecret);
  if (hashes.length === 0) return [];
  const found = await storage.find("canaries", { where: { hash: { in: hashes } }, limit: hashes.length });
  if (found.length === 0) return [];
  const rootOf = async (id: string) => (await rootAccount(storage, id))?.id ?? id;
  const root = await rootOf(account_id);
  const roots = await Promise.all(found.map((canary) => rootOf(canary.account_id)));
  return found.filter((_, index) => roots[index] === root);
}

/** Notes that outsiders know the canaries which stand in words that came in. */
export const spendCanaries = (
  work: Pick<Work, "update">,
  canaries: readonly Pick<CanaryRecord, "id">[],
  now: Date,
): Promise<unknown> | undefined =>
  canaries.length === 0
    ? undefined
    : work.update(
        "canaries",
        { id: { in: canaries.map(({ id }) => id) }, spent_at: null },
        { spent_at: iso(now) },
      );
