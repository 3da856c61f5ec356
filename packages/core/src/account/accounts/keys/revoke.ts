import type { Work } from "../../../kernel/work.ts";
import { iso } from "../../../model/fields.ts";
import type { KeyRecord } from "../../../model/keys.ts";

const PAGE = 500;

/**
 * Revokes a key and every key that descends from it, in the caller's transaction: also those whose creator was
 * revoked before. Returns how many still worked.
 */
export async function revokeWithDescendants(
  work: Work,
  { id }: Pick<KeyRecord, "id">,
  now: Date,
): Promise<number> {
  let revoked = 0;
  for (let generation = [id]; generation.length > 0; generation = await childrenOf(work, generation)) {
    // Before the next generation is read: a key that is revoked creates no more.
    const keys = { id: { in: generation }, revoked_at: null };
    revoked += (await work.update("keys", keys, { revoked_at: iso(now) })).length;
  }
  return revoked;
}

async function childrenOf(work: Work, parents: readonly string[]): Promise<string[]> {
  const children: string[] = [];
  for (const parent_key_id of parents) {
    let page: KeyRecord[];
    let after = "";
    do {
      page = await work.find("keys", {
        where: { parent_key_id, id: { gt: after } },
        order: { by: "id", direction: "asc" },
        limit: PAGE,
      });
      children.push(...page.map((key) => key.id));
      after = page.at(-1)?.id ?? after;
    } while (page.length === PAGE);
  }
  return children;
}
