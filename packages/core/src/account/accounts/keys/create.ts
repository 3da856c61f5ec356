import { fail } from "../../../catalogue/errors.ts";
import type { MakeId } from "../../../catalogue/ids.ts";
import { LIMITS } from "../../../catalogue/limits.ts";
import { hashSecret, newApiKey } from "../../../kernel/secrets.ts";
import type { Work } from "../../../kernel/work.ts";
import { iso } from "../../../model/fields.ts";
import type { KeyRecord } from "../../../model/keys.ts";
import type { KeyTerms } from "./rules.ts";

/** The default name of a key. */
export const DEFAULT_KEY_NAME = "API key";

const SHOWN_PREFIX_CHARS = 12;

/** A new key's record, and its secret, which is not stored. */
export function newKey(
  makeId: MakeId,
  key: KeyTerms & Pick<KeyRecord, "account_id" | "name" | "parent_key_id"> & Partial<KeyRecord>,
  now: Date,
): { record: KeyRecord; api_key: string } {
  const api_key = newApiKey();
  const record: KeyRecord = {
    recovered_by: null,
    ...key,
    id: makeId("key"),
    prefix: api_key.slice(0, SHOWN_PREFIX_CHARS),
    hash: hashSecret(api_key),
    created_at: iso(now),
    last_used_at: null,
    revoked_at: null,
  };
  return { record, api_key };
}

/**
 * Checks the parent of a new key in the transaction that adds it: it must still work and have few ancestors, so that
 * all budgets that apply to the new key can be checked. Fails with `api_key_revoked` or `key_generations`.
 */
export async function checkParentKey(work: Work, parent_key_id: string | null): Promise<void> {
  let ancestor = parent_key_id;
  for (let generation = 1; ancestor !== null; generation += 1) {
    if (generation >= LIMITS.key_generations) throw fail("key_generations");
    const key = await work.get("keys", ancestor);
    if (generation === 1 && key?.revoked_at !== null) throw fail("api_key_revoked");
    ancestor = key?.parent_key_id ?? null;
  }
}
