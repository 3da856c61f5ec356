import { LIMITS } from "../../catalogue/limits.ts";
import { withinReach } from "../../kernel/access/caller.ts";
import type { AccountContext } from "../../kernel/context.ts";
import { findWithin } from "../../kernel/page.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { RecordOf } from "../../model/tables.ts";
import type { Find, Where } from "../../ports/storage.ts";

/** Pages that are read to find records whose inbox isn't in the trash. */
const MAX_PAGES = 5;

type Waiting = "approvals" | "updates" | "messages";

/** The first records that wait for a person, each with its inbox, and whether there are more. */
export interface FoundWaiting<N extends Waiting> {
  found: { record: RecordOf<N>; inbox: InboxRecord }[];
  more: boolean;
}

/**
 * The first records within the caller's reach that meet a condition, in the order of a column with ids, from an id on.
 * Those of inboxes in the trash, which stay until their inbox is gone, are left out.
 */
export async function findWaiting<N extends Waiting>(
  { storage, caller }: AccountContext,
  table: N,
  query: { where: Where<N>; from?: string; order: NonNullable<Find<N>["order"]> },
): Promise<FoundWaiting<N>> {
  const { where, order, from = "" } = query;
  const found: FoundWaiting<N>["found"] = [];
  let range: { gte: string; lt?: string } | { gt: string } = { gte: from };
  for (let page = 0; page < MAX_PAGES; page++) {
    const records = await findWithin(storage, table, {
      where: { ...withinReach(caller), ...where, [order.by]: range },
      order,
      limit: LIMITS.overview_items + 1,
    });
    const inboxes = await inboxesById(storage, records);
    for (const record of records) {
      const inbox = inboxes.get(record.inbox_id);
      if (inbox !== undefined) found.push({ record, inbox });
    }
    const last = records.at(-1)?.[order.by] as string | undefined;
    const more = found.length > LIMITS.overview_items;
    if (last === undefined || more || records.length <= LIMITS.overview_items)
      return { found: found.slice(0, LIMITS.overview_items), more };
    range = order.direction === "asc" ? { gt: last } : { gte: from, lt: last };
  }
  return { found, more: true };
}

/** Nothing, for callers who may not read such records. */
export const NONE_WAITING = { found: [], more: false };

async function inboxesById(
  storage: AccountContext["storage"],
  records: readonly { inbox_id: string }[],
): Promise<Map<string, InboxRecord>> {
  const ids = [...new Set(records.map(({ inbox_id }) => inbox_id))];
  const inboxes =
    ids.length === 0 ? [] : await storage.find("inboxes", { where: { id: { in: ids } }, limit: ids.length });
  return new Map(inboxes.map((inbox) => [inbox.id, inbox]));
}
