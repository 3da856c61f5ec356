import type { InboxRecord } from "../../model/inboxes.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { matchesQuery } from "./rules.ts";

const PAGE_SIZE = 500;
const MAX_READ = 10_000;

/**
 * An account's inboxes, newest first, or those that a caller is limited to. With a search word it examines at
 * most `MAX_READ` inboxes per call; `next` is then the last one examined, so a page may be short and
 * continue.
 */
export async function listInboxes(
  storage: StorageReader,
  list: {
    account_id: string;
    inbox_ids: readonly string[] | null;
    word: string;
    limit: number;
    after: string | undefined;
  },
): Promise<{ data: InboxRecord[]; next: string | null }> {
  if (list.inbox_ids !== null) {
    const held = list.inbox_ids.filter((id) => list.after === undefined || id < list.after);
    if (held.length === 0) return { data: [], next: null };
    const inboxes = await storage.find("inboxes", {
      where: { id: { in: held } },
      order: { by: "id", direction: "desc" },
      limit: held.length,
    });
    const found = inboxes.filter((inbox) => matchesQuery(inbox, list.word));
    const data = found.slice(0, list.limit);
    return { data, next: found.length > data.length ? (data.at(-1)?.id ?? null) : null };
  }
  const data: InboxRecord[] = [];
  let last = list.after;
  for (let read = 0; read < MAX_READ; ) {
    const limit = list.word === "" ? list.limit + 1 : PAGE_SIZE;
    const inboxes = await storage.find("inboxes", {
      where: { account_id: list.account_id, ...(last === undefined ? {} : { id: { lt: last } }) },
      order: { by: "id", direction: "desc" },
      limit,
    });
    for (const inbox of inboxes.filter((found) => matchesQuery(found, list.word))) {
      if (data.length === list.limit) return { data, next: data.at(-1)?.id ?? null };
      data.push(inbox);
    }
    if (inboxes.length < limit) return { data, next: null };
    last = inboxes.at(-1)?.id;
    read += inboxes.length;
  }
  return { data, next: last ?? null };
}
