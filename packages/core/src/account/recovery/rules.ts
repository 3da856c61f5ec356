import { fail } from "../../catalogue/errors.ts";
import type { AuthorityRecord } from "../../model/people.ts";
import type { RecoveryRecord } from "../../model/recovery.ts";

/** Whether a link still works: in its time, and while no newer one was mailed to the same address. */
export const isOpen = (
  recovery: Pick<RecoveryRecord, "expires_at">,
  newer: readonly Pick<RecoveryRecord, "link_hash">[],
  now: string,
): boolean => recovery.expires_at > now && newer.every(({ link_hash }) => link_hash === null);

/**
 * The authority to recover a key by: the one that is named, or the only one. Fails with
 * `authority_not_found`, `recovery_choice_required`, or `recovery_invalid` when there is none any more.
 */
export function chooseAuthority(
  authorities: readonly AuthorityRecord[],
  authority_id: string | undefined,
): AuthorityRecord {
  const [only, ...others] = authorities;
  if (only === undefined) throw fail("recovery_invalid", { param: "token" });
  if (authority_id === undefined && others.length > 0)
    throw fail("recovery_choice_required", { param: "authority_id" });
  const chosen = authority_id === undefined ? only : authorities.find(({ id }) => id === authority_id);
  if (chosen === undefined) throw fail("authority_not_found", { param: "authority_id" });
  return chosen;
}
