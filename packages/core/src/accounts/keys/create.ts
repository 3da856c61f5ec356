import type { MakeId } from "../../catalogue/ids.ts";
import { hashSecret, newApiKey } from "../../kernel/secrets.ts";
import { iso } from "../../model/fields.ts";
import type { KeyRecord } from "../../model/keys.ts";
import type { KeyTerms } from "./rules.ts";

/** What a key is called when its maker gives it no name. */
export const defaultKeyName = "API key";

const shownPrefixChars = 12;

/** A new key to insert, and its secret, which is kept nowhere. */
export function newKey(
  makeId: MakeId,
  key: KeyTerms & { account_id: string; name: string },
  now: Date,
): { record: KeyRecord; api_key: string } {
  const api_key = newApiKey();
  const record = {
    ...key,
    id: makeId("key"),
    prefix: api_key.slice(0, shownPrefixChars),
    hash: hashSecret(api_key),
    created_at: iso(now),
    last_used_at: null,
    revoked_at: null,
  };
  return { record, api_key };
}
