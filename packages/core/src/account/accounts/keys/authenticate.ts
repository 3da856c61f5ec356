import { fail } from "../../../catalogue/errors.ts";
import type { KeyCaller } from "../../../kernel/access/caller.ts";
import type { Services } from "../../../kernel/context.ts";
import { hashSecret } from "../../../kernel/secrets.ts";
import { iso } from "../../../model/fields.ts";
import type { KeyRecord } from "../../../model/keys.ts";

const LAST_USED_PRECISION_MS = 60_000;

/**
 * The caller of an API key. `last_used_at` is accurate to a minute, so that a busy key doesn't write on every
 * call. Fails with `invalid_api_key`, `api_key_revoked` or `api_key_expired`.
 */
export async function authenticate(
  services: Services,
  api_key: string,
  ip: string | null,
): Promise<KeyCaller> {
  const { storage, clock, log } = services;
  const key = api_key.length > 200 ? undefined : await keyOf(services, hashSecret(api_key));
  const now = clock.now();
  const caller = callerOf(key, ip, now);
  if (
    caller.key.last_used_at === null ||
    now.getTime() - Date.parse(caller.key.last_used_at) > LAST_USED_PRECISION_MS
  ) {
    storage
      .update("keys", { id: caller.key.id }, { last_used_at: iso(now) })
      .catch((error: unknown) => log.warn({ error }, "last_used_at not updated"));
  }
  return caller;
}

/** Returns the caller with its key's current rights, within the same account. Fails like `authenticate`. */
export async function renewKey(services: Services, { key, ip, account_id }: KeyCaller): Promise<KeyCaller> {
  const caller = callerOf(await keyOf(services, key.hash), ip, services.clock.now());
  return { ...caller, account_id };
}

function callerOf(key: KeyRecord | undefined, ip: string | null, now: Date): KeyCaller {
  if (key === undefined) throw fail("invalid_api_key");
  if (key.revoked_at !== null) throw fail("api_key_revoked");
  if (key.expires_at !== null && key.expires_at <= iso(now)) throw fail("api_key_expired");
  return {
    type: "key",
    account_id: key.account_id,
    key,
    permissions: key.permissions,
    inbox_ids: key.inbox_id === null ? null : [key.inbox_id],
    ip,
  };
}

const keyOf = ({ storage, cachedRead }: Services, hash: string) =>
  cachedRead<KeyRecord>(
    `key ${hash}`,
    ["keys"],
    async () => (await storage.find("keys", { where: { hash }, limit: 1 }))[0],
  );
