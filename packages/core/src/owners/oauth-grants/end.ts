import type { Services } from "../../kernel/context.ts";
import type { Work } from "../../kernel/work.ts";
import type { GrantRecord } from "../../model/apps.ts";
import { iso } from "../../model/fields.ts";
import { authorityBehind } from "./grant.ts";

const PAGE = 200;

/**
 * Ends grants in the caller's transaction: no token of theirs works once it is committed. Returns how many
 * tokens that were.
 */
export async function endGrants(
  work: Pick<Work, "count" | "delete">,
  grants: readonly Pick<GrantRecord, "id">[],
  now: Date,
): Promise<number> {
  let tokens = 0;
  for (const { id } of grants) {
    tokens += await countTokens(work, id, now);
    await work.delete("oauth_grants", { id });
    await work.delete("oauth_records", { grant_id: id });
  }
  return tokens;
}

/** Counts the valid access and refresh tokens of a grant. */
export function countTokens(storage: Pick<Work, "count">, grant_id: string, now: Date): Promise<number> {
  const kind = { in: ["AccessToken", "RefreshToken"] };
  return storage.count(
    "oauth_records",
    { grant_id, kind, consumed_at: null, expires_at: { gt: iso(now) } },
    PAGE,
  );
}

/** Ends the grants of a person whose authority no longer covers them, in the caller's transaction. */
export async function endGrantsWithoutAuthority(
  services: Pick<Services, "options">,
  work: Work,
  email: string,
  now: Date,
): Promise<void> {
  for (let after = ""; ; ) {
    const grants = await work.find("oauth_grants", {
      where: { given_by: email, id: { gt: after } },
      order: { by: "id", direction: "asc" },
      limit: PAGE,
    });
    for (const grant of grants)
      if ((await authorityBehind(services, work, grant)) === undefined) await endGrants(work, [grant], now);
    const last = grants.at(-1);
    if (last === undefined || grants.length < PAGE) return;
    after = last.id;
  }
}
