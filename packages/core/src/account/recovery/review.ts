import type { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { nameOfAccount } from "../../kernel/access/account-name.ts";
import { authoritiesOf } from "../../kernel/access/authority.ts";
import type { Services } from "../../kernel/context.ts";
import { hashSecret } from "../../kernel/secrets.ts";
import { iso } from "../../model/fields.ts";
import type { AuthorityRecord } from "../../model/people.ts";
import type { RecoveryRecord, RecoveryReview } from "../../model/recovery.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { chooseAuthority, isOpen } from "./rules.ts";

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

/** The number of keys searched for those that still work. */
const KEYS_READ = 500;

/**
 * Returns the contents of a recovery link's page. Fails with `recovery_invalid` when its reader no longer has any
 * authority.
 */
export async function reviewRecovery(
  services: Services,
  { email, expires_at }: RecoveryRecord,
  now: Date,
): Promise<z.input<typeof RecoveryReview>> {
  const { storage } = services;
  const authorities = await authoritiesOf(services, storage, email);
  if (authorities.length === 0) chooseAuthority(authorities, undefined);
  const choices = [];
  for (const authority of authorities) choices.push(await choiceOf(services, authority, now));
  const found = await storage.find("sessions", {
    where: { email },
    order: { by: "id", direction: "desc" },
    limit: LIMITS.sessions_shown,
  });
  const sessions = found.filter((session) => session.expires_at > iso(now));
  return { email, expires_at, choices, sessions };
}

async function choiceOf(
  { storage }: Services,
  { id, account_id, inbox_id }: AuthorityRecord,
  now: Date,
): Promise<z.input<typeof RecoveryReview>["choices"][number]> {
  const inbox = inbox_id === null ? undefined : await storage.get("inboxes", inbox_id);
  const found = await storage.find("keys", {
    where: inbox_id === null ? { account_id } : { inbox_id },
    order: { by: "id", direction: "desc" },
    limit: KEYS_READ,
  });
  const live = found.filter(
    ({ revoked_at, expires_at }) => revoked_at === null && (expires_at === null || expires_at > iso(now)),
  );
  const grants = await storage.find("oauth_grants", {
    where: inbox_id === null ? { account_id } : { inbox_id },
    order: { by: "id", direction: "desc" },
    limit: LIMITS.recovery_apps_shown + 1,
  });
  const workspaces =
    inbox_id === null
      ? await storage.count("workspaces", { parent_account_id: account_id }, LIMITS.usage_counted_to)
      : 0;
  return {
    authority_id: id,
    account_id,
    inbox_id,
    inbox_email: inbox?.email ?? null,
    account_name: await nameOfAccount(storage, account_id),
    keys: live.slice(0, LIMITS.recovery_keys_shown),
    more_keys: live.length > LIMITS.recovery_keys_shown || found.length === KEYS_READ,
    apps: grants.slice(0, LIMITS.recovery_apps_shown),
    more_apps: grants.length > LIMITS.recovery_apps_shown,
    workspaces,
  };
}
