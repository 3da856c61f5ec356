import { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { EntryName, InboxId } from "../../catalogue/id-inputs.ts";
import { isId } from "../../catalogue/ids.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { namedByEntry } from "../../kernel/addresses/inbox-domain.ts";
import type { AccountContext } from "../../kernel/context.ts";
import { notFound } from "../../kernel/gate.ts";
import { answerInTransaction } from "../../kernel/idempotency.ts";
import { operation } from "../../kernel/operation.ts";
import { newestFirst } from "../../kernel/page.ts";
import { CursorInput, created, iso, Limit, listOf } from "../../model/fields.ts";
import { ListDirection, ListEntry, type ListEntryRecord, ListType, listName } from "../../model/lists.ts";
import { normalizeEntry } from "../allowlist/rules.ts";
import { checkEntry, ListReason } from "./rules.ts";

const WhichList = {
  direction: ListDirection.describe(
    "Which mail the list applies to: `send`, `receive`, or `reply` for replies to mail that the inbox sent.",
  ),
  type: ListType.describe("Whether the list allows or blocks."),
};
const Paging = { limit: Limit(LIMITS.list_default, LIMITS.list_max), cursor: CursorInput.optional() };
const NewEntry = {
  entry: z
    .string()
    .max(320, { error: "invalid_entry" })
    .describe("An address, a domain for everybody at exactly this domain, or a phone number in E.164."),
  reason: ListReason.optional().describe(`Why, for people; at most ${LIMITS.list_reason_chars} characters.`),
};
const DeletedEntry = z.object({
  id: z.string().describe("The entry's id."),
  object: z.literal("list_entry").default("list_entry"),
  entry: z.string().describe("The address, domain or phone number that was on the list."),
  deleted: z.literal(true).default(true),
});

type Which = { direction: ListDirection; type: ListType };
const ofInbox = (inbox_id: string, { direction, type }: Which): string => listName(inbox_id, direction, type);

/**
 * Returns the account's list; for a caller limited to one inbox, that inbox's list; a caller limited to several
 * inboxes must name the inbox in the path.
 */
const ofAccount = ({ account_id, caller }: AccountContext, { direction, type }: Which): string =>
  listName(caller.inbox_ids === null ? account_id : theOneInbox(caller.inbox_ids), direction, type);

function theOneInbox([inbox_id = "", ...others]: readonly string[]): string {
  if (others.length > 0)
    throw fail("permission_denied", {
      message: "The caller is held to several inboxes: use /api/v1/inboxes/:id/lists.",
    });
  return inbox_id;
}

/** The operations on the allow and block lists of the account and its inboxes. */
export const lists = {
  list: operation({
    summary: "Lists the account's allowed or blocked addresses and domains, newest first.",
    when: "See whom the account may write to or hear from.",
    scope: "filtered",
    effect: "read",
    pages: true,
    allow: ["list_read"],
    input: z.object({ ...WhichList, ...Paging }),
    output: listOf(ListEntry),
    run: (ctx, input) => readList(ctx, ofAccount(ctx, input), input),
  }),

  create: operation({
    summary:
      "Adds an address or domain to a list of the account. Block beats allow; a non-empty allow list excludes all others.",
    when: "Block somebody for all inboxes, or allow only some senders or recipients.",
    example: { entry: "spammer.example", reason: "Spam" },
    errors: ["list_full"],
    scope: "account",
    effect: "write",
    allow: ["list_write"],
    idempotent: true,
    input: z.object({ ...WhichList, ...NewEntry }),
    output: created(ListEntry, "CreatedListEntry"),
    run: (ctx, input) => addEntry(ctx, null, input),
  }),

  get: operation({
    summary: "Shows an entry of an account's list, named by its id, address or domain.",
    when: "Check whether an address or domain is on a list, and why.",
    errors: ["list_entry_not_found"],
    scope: "filtered",
    effect: "read",
    allow: ["list_read"],
    input: z.object({ ...WhichList, entry: EntryName }),
    output: ListEntry,
    run: (ctx, input) => findEntry(ctx, ofAccount(ctx, input), input.entry),
  }),

  delete: operation({
    summary: "Deletes an entry from a list of the account, named by its id, address or domain.",
    when: "Take an address or domain off a list.",
    errors: ["list_entry_not_found"],
    scope: "account",
    effect: "delete",
    allow: ["list_write"],
    input: z.object({ ...WhichList, entry: EntryName }),
    output: DeletedEntry,
    run: (ctx, input) => deleteEntry(ctx, ofAccount(ctx, input), input.entry),
  }),

  listForInbox: operation({
    summary: "Lists an inbox's own allowed or blocked addresses and domains, newest first.",
    when: "See the rules that only this inbox has.",
    scope: "inbox",
    inbox_by_name: true,
    effect: "read",
    pages: true,
    allow: ["list_read"],
    input: z.object({ inbox_id: InboxId, ...WhichList, ...Paging }),
    output: listOf(ListEntry),
    run: (ctx, input) => readList(ctx, ofInbox(ctx.inbox.id, input), input),
  }),

  createForInbox: operation({
    summary:
      "Adds an address or domain to an inbox's list. A non-empty inbox allow list replaces the account's.",
    when: "Block or allow somebody for one inbox only.",
    example: { entry: "owner.example", reason: "Only our own people" },
    errors: ["list_full"],
    scope: "inbox",
    effect: "write",
    allow: ["list_write"],
    idempotent: true,
    input: z.object({ inbox_id: InboxId, ...WhichList, ...NewEntry }),
    output: created(ListEntry, "CreatedListEntry"),
    run: (ctx, input) => addEntry(ctx, ctx.inbox.id, input),
  }),

  getForInbox: operation({
    summary: "Shows an entry of an inbox's list, named by its id, address or domain.",
    when: "Check whether an address or domain is on an inbox's list, and why.",
    errors: ["list_entry_not_found"],
    scope: "inbox",
    inbox_by_name: true,
    effect: "read",
    allow: ["list_read"],
    input: z.object({ inbox_id: InboxId, ...WhichList, entry: EntryName }),
    output: ListEntry,
    run: (ctx, input) => findEntry(ctx, ofInbox(ctx.inbox.id, input), input.entry),
  }),

  deleteForInbox: operation({
    summary: "Deletes an entry from an inbox's list, named by its id, address or domain.",
    when: "Take an address or domain off an inbox's list.",
    errors: ["list_entry_not_found"],
    scope: "inbox",
    effect: "delete",
    allow: ["list_write"],
    input: z.object({ inbox_id: InboxId, ...WhichList, entry: EntryName }),
    output: DeletedEntry,
    run: (ctx, input) => deleteEntry(ctx, ofInbox(ctx.inbox.id, input), input.entry),
  }),
};

function readList(
  { storage }: AccountContext,
  list: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
) {
  return newestFirst(storage, "list_entries", { where: { list }, limit, cursor, filter: { named: list } });
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
): Promise<ListEntryRecord & { idempotent: boolean }> {
  const { entry, entry_type } = checkEntry(text);
  const { account_id, makeId, now } = ctx;
  const list = listName(inbox_id ?? account_id, direction, type);
  return answerInTransaction(ctx, async (work) => {
    if (inbox_id !== null && (await work.get("inboxes", inbox_id)) === undefined)
      throw fail("inbox_not_found");
    const names = await namedByEntry(ctx, work, entry);
    const [known] = await work.find("list_entries", { where: { list, entry }, limit: 1 });
    if (known !== undefined) {
      // The entry names whoever has the address now.
      const made_by = ctx.caller.type === "owner" ? "person" : known.made_by;
      if (known.names !== names || known.made_by !== made_by)
        await work.update("list_entries", { id: known.id }, { names, made_by });
      return { ...known, made_by, idempotent: true };
    }
    if ((await work.count("list_entries", { list }, LIMITS.list_entries)) >= LIMITS.list_entries)
      throw fail("list_full");
    const record: ListEntryRecord = {
      id: makeId("ent"),
      account_id,
      inbox_id,
      list,
      direction,
      type,
      entry,
      entry_type,
      reason,
      names,
      made_by: ctx.caller.type === "owner" ? "person" : "key",
      created_at: iso(now),
    };
    const { record: stored, inserted } = await work.insert("list_entries", record);
    return { ...stored, idempotent: !inserted };
  });
}

async function findEntry({ storage }: AccountContext, list: string, named: string): Promise<ListEntryRecord> {
  const where = isId("ent", named) ? { list, id: named } : { list, entry: normalizeEntry(named) ?? "" };
  const [found] = await storage.find("list_entries", { where, limit: 1 });
  if (found === undefined) throw notFound("list_entry_not_found", "ent", named);
  return found;
}

async function deleteEntry(ctx: AccountContext, list: string, named: string) {
  const { id, entry } = await findEntry(ctx, list, named);
  await ctx.storage.delete("list_entries", { id });
  return { id, entry };
}
