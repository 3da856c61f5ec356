import { z } from "zod";
import { normalEntry } from "../allowlist/index.ts";
import { fail } from "../catalogue/errors.ts";
import { IdInput, isId } from "../catalogue/ids.ts";
import { limits } from "../catalogue/limits.ts";
import type { AccountContext } from "../kernel/context.ts";
import { notFound } from "../kernel/gate.ts";
import { operation } from "../kernel/operation.ts";
import { pageOf } from "../kernel/page.ts";
import { CursorInput, iso, Limit, Line, listOf } from "../model/fields.ts";
import { ListDirection, ListEntry, type ListEntryRecord, ListType, listName } from "../model/lists.ts";

const one = { direction: ListDirection, type: ListType };
const paged = { limit: Limit(limits.list_default, limits.list_max), cursor: CursorInput.optional() };
const added = {
  entry: z.string().max(320, { error: "invalid_entry" }),
  reason: Line(limits.list_reason_chars).optional(),
};
const Gone = z.object({
  id: z.string(),
  object: z.literal("list_entry").default("list_entry"),
  entry: z.string(),
  deleted: z.literal(true).default(true),
});

type Which = { direction: ListDirection; type: ListType };
const ofInbox = (inbox_id: string, { direction, type }: Which): string => listName(inbox_id, direction, type);

/** The account's list; a key that is held to one inbox reads that inbox's in its place. */
const ofAccount = ({ account_id, caller }: AccountContext, { direction, type }: Which): string =>
  listName(caller.inbox_id ?? account_id, direction, type);

/** What a caller can do with the allow and block lists of the account and of its inboxes. */
export const lists = {
  list: operation({
    summary: "Lists the account's allowed or blocked addresses and domains, newest first.",
    scope: "filtered",
    allow: ["list_read"],
    input: z.object({ ...one, ...paged }),
    output: listOf(ListEntry),
    run: (ctx, input) => readList(ctx, ofAccount(ctx, input), input),
  }),

  create: operation({
    summary:
      "Puts an address or domain on a list of the account. Block beats allow; a non-empty allow list keeps out the rest.",
    scope: "account",
    allow: ["list_write"],
    input: z.object({ ...one, ...added }),
    output: ListEntry,
    run: (ctx, input) => addEntry(ctx, null, input),
  }),

  get: operation({
    summary: "One entry of an account's list, named by its id, address or domain.",
    scope: "filtered",
    allow: ["list_read"],
    input: z.object({ ...one, entry: IdInput }),
    output: ListEntry,
    run: (ctx, input) => findEntry(ctx, ofAccount(ctx, input), input.entry),
  }),

  delete: operation({
    summary: "Takes an entry off a list of the account, named by its id, address or domain.",
    scope: "account",
    allow: ["list_write"],
    input: z.object({ ...one, entry: IdInput }),
    output: Gone,
    run: (ctx, input) => deleteEntry(ctx, ofAccount(ctx, input), input.entry),
  }),

  listForInbox: operation({
    summary: "Lists an inbox's own allowed or blocked addresses and domains, newest first.",
    scope: "inbox",
    allow: ["list_read"],
    input: z.object({ inbox_id: IdInput, ...one, ...paged }),
    output: listOf(ListEntry),
    run: (ctx, input) => readList(ctx, ofInbox(ctx.inbox.id, input), input),
  }),

  createForInbox: operation({
    summary: "Puts an address or domain on an inbox's list. Its allow list takes the place of the account's.",
    scope: "inbox",
    allow: ["list_write"],
    input: z.object({ inbox_id: IdInput, ...one, ...added }),
    output: ListEntry,
    run: (ctx, input) => addEntry(ctx, ctx.inbox.id, input),
  }),

  getForInbox: operation({
    summary: "One entry of an inbox's list, named by its id, address or domain.",
    scope: "inbox",
    allow: ["list_read"],
    input: z.object({ inbox_id: IdInput, ...one, entry: IdInput }),
    output: ListEntry,
    run: (ctx, input) => findEntry(ctx, ofInbox(ctx.inbox.id, input), input.entry),
  }),

  deleteForInbox: operation({
    summary: "Takes an entry off an inbox's list, named by its id, address or domain.",
    scope: "inbox",
    allow: ["list_write"],
    input: z.object({ inbox_id: IdInput, ...one, entry: IdInput }),
    output: Gone,
    run: (ctx, input) => deleteEntry(ctx, ofInbox(ctx.inbox.id, input), input.entry),
  }),
};

function readList(
  { storage }: AccountContext,
  list: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
) {
  return pageOf<ListEntryRecord>({
    filter: { list: "list_entries", named: list },
    limit,
    cursor,
    read: (after, most) =>
      storage.find("list_entries", {
        where: { list, ...(after === undefined ? {} : { id: { lt: after } }) },
        order: { by: "id", direction: "desc" },
        limit: most,
      }),
    position: ({ id }) => id,
  });
}

async function addEntry(
  ctx: AccountContext,
  inbox_id: string | null,
  {
    direction,
    type,
    entry: text,
    reason = null,
  }: Which & { entry: string; reason?: string | null | undefined },
): Promise<ListEntryRecord> {
  const entry = normalEntry(text);
  // A star is a letter of an address: who writes one means a pattern, which would match nobody.
  if (entry === undefined || entry.includes("*")) throw fail("invalid_entry", { param: "entry" });
  const { account_id, makeId, now } = ctx;
  const list = listName(inbox_id ?? account_id, direction, type);
  return ctx.transaction(async (work) => {
    if (inbox_id !== null && (await work.get("inboxes", inbox_id)) === undefined)
      throw fail("inbox_not_found");
    const [known] = await work.find("list_entries", { where: { list, entry }, limit: 1 });
    if (known !== undefined) return known;
    if ((await work.count("list_entries", { list }, limits.list_entries)) >= limits.list_entries)
      throw fail("list_full");
    const record: ListEntryRecord = {
      id: makeId("ent"),
      account_id,
      inbox_id,
      list,
      direction,
      type,
      entry,
      entry_type: entry.includes("@") ? "email" : "domain",
      reason,
      created_at: iso(now),
    };
    return (await work.insert("list_entries", record)).record;
  });
}

async function findEntry({ storage }: AccountContext, list: string, named: string): Promise<ListEntryRecord> {
  const where = isId("ent", named) ? { list, id: named } : { list, entry: normalEntry(named) ?? "" };
  const [found] = await storage.find("list_entries", { where, limit: 1 });
  if (found === undefined) throw notFound("list_entry_not_found", "ent", named);
  return found;
}

async function deleteEntry(ctx: AccountContext, list: string, named: string) {
  const { id, entry } = await findEntry(ctx, list, named);
  await ctx.storage.delete("list_entries", { id });
  return { id, entry };
}
