import { fail } from "../../catalogue/errors.ts";
import { authoritiesOf, authoritiesOver } from "../../kernel/access/authority.ts";
import type { OwnerCaller } from "../../kernel/access/caller.ts";
import { outsideOf } from "../../kernel/addresses/inbox-domain.ts";
import type { Services } from "../../kernel/context.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import type { Work } from "../../kernel/work.ts";
import { Key, type KeyRecord } from "../../model/keys.ts";
import type { AuthorityRecord } from "../../model/people.ts";
import type { RecoveryRecord } from "../../model/recovery.ts";
import { newKey } from "../accounts/keys/create.ts";
import { NOTHING_REVOKED, type Revoked, revokeOthers } from "./revoke-others.ts";
import { chooseAuthority } from "./rules.ts";

/** The name of a key that a person recovered; they may change it. */
const RECOVERED_KEY_NAME = "Recovered key";
const MAX_OWNERS = 100;

/** The choices a person makes on a recovery link's page. */
export interface RecoveryRequest {
  authority_id: string | undefined;
  /** Also revoke all other keys and apps there, and end the person's other sessions. */
  revoke_others: boolean;
}

/** A recovered key with its secret, and what was revoked for it. */
export interface Recovered extends Revoked {
  key: KeyRecord;
  api_key: string;
}

/**
 * Makes a new key for a person with authority: an account owner's for the account, an inbox owner's held to that
 * inbox, both with all permissions there. The link is used up in the same transaction, so that of two calls one
 * makes a key. Fails with `recovery_invalid`, `authority_not_found` or `recovery_choice_required`.
 */
export async function recoverKey(
  services: Services,
  { id: recovery_id, email }: RecoveryRecord,
  { authority_id, revoke_others }: RecoveryRequest,
  { session_id }: Pick<OwnerCaller, "session_id">,
  now: Date,
): Promise<Recovered> {
  const authority = chooseAuthority(await authoritiesOf(services, services.storage, email), authority_id);
  const { account_id, inbox_id } = authority;
  const { record: key, api_key } = newKey(
    services.makeId,
    {
      account_id,
      inbox_id,
      permissions: null,
      expires_at: null,
      budget: null,
      name: RECOVERED_KEY_NAME,
      parent_key_id: null,
      recovered_by: email,
    },
    now,
  );
  const revoked = await unitOfWork(services, account_id, now, async (work) => {
    if ((await work.delete("recoveries", { id: recovery_id })) === 0)
      throw fail("recovery_invalid", { param: "token" });
    // Read again: an authority that has just ended creates no key missing from its letter.
    if ((await work.get("authorities", authority.id)) === undefined)
      throw fail("recovery_invalid", { param: "token" });
    await work.delete("recoveries", { email });
    const counts = revoke_others ? await revokeOthers(work, authority, session_id, now) : NOTHING_REVOKED;
    work.append("keys", [key]);
    const { keys_revoked, apps_revoked } = counts;
    work.publish({
      type: "recover.key_created",
      inbox_id,
      data: { key: Key.parse(key), email, keys_revoked, apps_revoked },
    });
    for (const to of await readersOf(services, work, authority))
      work.job({
        kind: "recovery.notice",
        subject_id: key.id,
        payload: { account_id, to, keys_revoked, apps_revoked },
      });
    return counts;
  });
  return { key, api_key, ...revoked };
}

/**
 * Returns the recipients of the notice: everybody with authority there, and the inbox's verified owners at outside
 * addresses.
 */
async function readersOf(
  services: Services,
  work: Work,
  { account_id, inbox_id }: AuthorityRecord,
): Promise<Set<string>> {
  const authorities = await authoritiesOver(services, work, { account_id, inbox_id });
  const owners =
    inbox_id === null
      ? []
      : await work.find("owners", {
          where: { inbox_id },
          order: { by: "id", direction: "asc" },
          limit: MAX_OWNERS,
        });
  const verified = await outsideOf(
    services,
    work,
    owners.filter(({ status }) => status === "verified"),
  );
  return new Set([...authorities, ...verified].map(({ email }) => email));
}
