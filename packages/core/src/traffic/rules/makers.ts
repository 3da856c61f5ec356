import type { AccountContext } from "../../kernel/context.ts";
import { iso } from "../../model/fields.ts";
import type { InboxRuleRecord } from "../../model/inbox-rules.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { dependsOnMaker, makerFault } from "./rules.ts";

/** Why rules may not do their actions any more, by their ids: their forwarding has ended, or their maker may not. */
export async function ruleFaults(
  storage: Pick<StorageReader, "find">,
  rules: readonly InboxRuleRecord[],
  now: Date,
): Promise<Map<string, string>> {
  const ids = [...new Set(rules.flatMap(({ actions }) => actions.forward_to ?? []))];
  const [forwardings, faults] = await Promise.all([
    ids.length === 0 ? [] : storage.find("forwardings", { where: { id: { in: ids } }, limit: ids.length }),
    makerFaults(storage, rules, now),
  ]);
  const verified = forwardings.filter(({ status }) => status === "verified").map(({ id }) => id);
  for (const { id, actions } of rules)
    if (actions.forward_to !== undefined && !verified.includes(actions.forward_to))
      faults.set(id, "The forwarding that it uses has ended.");
  return faults;
}

/** Why the makers of rules may not do their actions any more, by the rules' ids; they are read once. */
async function makerFaults(
  storage: Pick<StorageReader, "find">,
  rules: readonly InboxRuleRecord[],
  now: Date,
): Promise<Map<string, string>> {
  const depending = rules.filter(dependsOnMaker);
  const key_ids = [...new Set(depending.flatMap(({ key_id }) => key_id ?? []))];
  const grant_ids = [...new Set(depending.flatMap(({ grant_id }) => grant_id ?? []))];
  const [keys, grants] = await Promise.all([
    key_ids.length === 0
      ? []
      : storage.find("keys", { where: { id: { in: key_ids } }, limit: key_ids.length }),
    grant_ids.length === 0
      ? []
      : storage.find("oauth_grants", { where: { id: { in: grant_ids } }, limit: grant_ids.length }),
  ]);
  const faults = depending.map((rule) => {
    const key = keys.find(({ id }) => id === rule.key_id);
    const grant = grants.find(({ id }) => id === rule.grant_id);
    return [rule.id, makerFault(rule, { key, grant }, iso(now))] as const;
  });
  return new Map(faults.flatMap(([id, fault]) => (fault === undefined ? [] : [[id, fault]])));
}

/** Whoever calls has written the rule. */
export const makerOf = ({
  caller,
}: Pick<AccountContext, "caller">): Pick<InboxRuleRecord, "made_by" | "key_id" | "grant_id"> => ({
  made_by: caller.type === "owner" ? "person" : "key",
  key_id: caller.type === "key" ? caller.key.id : null,
  grant_id: caller.type === "app" ? caller.grant_id : null,
});
