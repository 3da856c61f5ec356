import type { MakeId } from "../../catalogue/ids.ts";
import { hashSecret, newApiKey } from "../../kernel/secrets.ts";
import { iso } from "../../model/fields.ts";
import type { KeyRecord } from "../../model/keys.ts";
import type { KeyTerms } from "./rules.ts";

/** The default name of a key. */
export const DEFAULT_KEY_NAME = "API key";

const SHOWN_PREFIX_CHARS = 12;

/** A new key's record, and its secret, which is not stored. */
export function newKey(
  makeId: MakeId,
  key: KeyTerms & { account_id: string; name: string; parent_key_id: string | null },
  now: Date,
): { record: KeyRecord; api_key: string } {
  const api_key = newApiKey();
  const record = {
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
