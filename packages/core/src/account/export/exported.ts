import type { AnyRecord } from "../../model/belonging.ts";
import type { InboxRecord, TrashedInboxRecord } from "../../model/inboxes.ts";
import { type ListDirection, type ListType, listName } from "../../model/lists.ts";
import type { MessageRecord } from "../../model/messages.ts";
import { type TableName, tables } from "../../model/tables.ts";
import type { Storage } from "../../ports/storage.ts";
import { type AnyReader, scanGroup } from "../transfer/scan.ts";
import { type ExportedKind, exportedKind, type FoundBy, LONG } from "./exported-kinds.ts";

/** All records of a kind that belong to an account, in batches, each record whole. */
export async function* recordsOf(
  storage: Storage,
  kind: TableName,
  account_id: string,
): AsyncGenerator<AnyRecord[]> {
  const { by, among, paged } = exportedKind(kind);
  for await (const value of ownersOf(storage, by, account_id)) {
    const group = { [by]: value, ...among };
    if (paged !== undefined) yield* pagesOf(storage, kind, group, paged);
    else yield* scanGroup(storage, kind, group, depthOf(kind, by));
  }
}

/** The values of a column by which an account's records are found. */
async function* ownersOf(storage: Storage, by: FoundBy, account_id: string): AsyncGenerator<string> {
  if (by === "account_id") return yield account_id;
  if (by === "list") return yield* listsOf(storage, account_id);
  if (by === "inbox_id" || by === "place") {
    for await (const { id } of inboxesOf(storage, account_id)) yield id;
    return;
  }
  const owners = { update_id: "updates", webhook_id: "webhooks" } as const;
  for await (const batch of recordsOf(storage, owners[by], account_id))
    for (const { id } of batch) yield String(id);
}

/** The inboxes of an account, with those in the trash. */
export async function* inboxesOf(storage: Storage, account_id: string): AsyncGenerator<InboxRecord> {
  for await (const batch of recordsOf(storage, "inboxes", account_id)) yield* batch as InboxRecord[];
  for await (const batch of recordsOf(storage, "trashed_inboxes", account_id))
    for (const { record } of batch as TrashedInboxRecord[]) yield record;
}

const DIRECTIONS: ListDirection[] = ["send", "receive", "reply"];
const TYPES: ListType[] = ["allow", "block"];

/** The names of an account's lists: its own, and those of its inboxes. */
async function* listsOf(storage: Storage, account_id: string): AsyncGenerator<string> {
  const named = (whose: string) =>
    DIRECTIONS.flatMap((direction) => TYPES.map((type) => listName(whose, direction, type)));
  yield* named(account_id);
  for await (const { id } of inboxesOf(storage, account_id)) yield* named(id);
}

/** Returns how many leading columns of the primary key are equal in all records found by this column. */
const depthOf = (kind: TableName, by: string): number => {
  const key = tables[kind].key as readonly string[];
  return key.length > 1 && key[0] === by ? 1 : 0;
};

/** Yields the records of a group, ordered by a column that is unique within it. */
async function* pagesOf(
  storage: Storage,
  kind: TableName,
  group: AnyRecord,
  { order, limit }: NonNullable<ExportedKind["paged"]>,
): AsyncGenerator<AnyRecord[]> {
  let after: unknown;
  for (;;) {
    const where = after === undefined ? group : { ...group, [order]: { gt: after } };
    const page = await (storage as AnyReader).find(kind, {
      where,
      order: { by: order, direction: "asc" },
      limit,
    });
    if (page.length > 0) yield page;
    if (page.length < limit) return;
    after = page.at(-1)?.[order];
  }
}

/** The messages of an inbox, oldest first, in batches. */
export const messagesOf = (storage: Storage, inbox_id: string): AsyncGenerator<AnyRecord[]> =>
  pagesOf(storage, "messages", { inbox_id }, LONG);

/** The messages and drafts that an inbox has in the trash, in batches; drafts have attachments as messages do. */
export async function* trashedMessagesOf(
  storage: Storage,
  inbox_id: string,
): AsyncGenerator<MessageRecord[]> {
  for await (const page of pagesOf(storage, "trash", { inbox_id }, LONG)) {
    const kept = page.filter(({ id }) => !String(id).startsWith("thr_"));
    yield kept.map(({ record }) => record as MessageRecord);
  }
}

/** The messages of an inbox that a term is true of, oldest first, in batches. */
export async function* messagesWith(
  storage: Storage,
  inbox_id: string,
  term: string,
): AsyncGenerator<MessageRecord[]> {
  const { order, limit } = { order: "message_id", limit: LONG.limit };
  for await (const page of pagesOf(storage, "message_terms", { inbox_id, term }, { order, limit })) {
    const ids = page.map(({ message_id }) => String(message_id));
    const found = await storage.find("messages", { where: { id: { in: ids } }, limit: ids.length });
    yield found.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }
}
