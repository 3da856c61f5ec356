import { LIMITS } from "../../catalogue/limits.ts";
import { endPersons } from "../../kernel/addresses/address-registry.ts";
import type { Work } from "../../kernel/work.ts";
import { iso } from "../../model/fields.ts";
import { endGrants } from "../../owners/oauth-grants/index.ts";

const MAX_AUTHORITIES = 10_000;

/**
 * Ends everybody's access to an account, in the caller's transaction: its keys are revoked, and its grants and
 * authorities are deleted. Returns how many keys still worked.
 */
export async function endAccess(
  work: Work,
  account_id: string,
  now: Date,
): Promise<{ keys_revoked: number }> {
  const revoked = await work.update("keys", { account_id, revoked_at: null }, { revoked_at: iso(now) });
  const grants = await work.find("oauth_grants", {
    where: { account_id },
    order: { by: "id", direction: "asc" },
    limit: LIMITS.oauth_grants_per_account,
  });
  await endGrants(work, grants, now);
  const people = await work.find("authorities", {
    where: { account_id },
    order: { by: "id", direction: "asc" },
    limit: MAX_AUTHORITIES,
  });
  await work.delete("authorities", { account_id });
  await endPersons(
    work,
    people.map(({ email }) => email),
  );
  return { keys_revoked: revoked.length };
}
