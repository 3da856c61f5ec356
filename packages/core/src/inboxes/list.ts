import type { InboxRecord } from "../model/inboxes.ts";
import type { StorageReader } from "../ports/storage.ts";
import { matchesQuery } from "./rules.ts";

const readAtOnce = 500;
const readAtMost = 10_000;

/**
 * An account's inboxes, newest first, or the one of a scoped key. With a word it reads through at most
 * `readAtMost` of them a call; `next` is then the last one looked at, so that a page may hold less than asked
 * for and still go on.
 */
export async function listInboxes(
  storage: StorageReader,
  list: {
    account_id: string;
    inbox_id: string | null;
    word: string;
    limit: number;
    after: string | undefined;
  },
): Promise<{ data: InboxRecord[]; next: string | null }> {
  if (list.inbox_id !== null) {
    const inbox = await storage.get("inboxes", list.inbox_id);
    return {
      data: inbox !== undefined && list.after === undefined && matchesQuery(inbox, list.word) ? [inbox] : [],
      next: null,
    };
  }
  const data: InboxRecord[] = [];
  let last = list.after;
  for (let read = 0; read < readAtMost; ) {
    const limit = list.word === "" ? list.limit + 1 : readAtOnce;
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
