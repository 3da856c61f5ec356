import { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { EntryName, InboxId } from "../../catalogue/id-inputs.ts";
import { isId } from "../../catalogue/ids.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { namedByEntry } from "../../kernel/addresses/inbox-domain.ts";
import { notFound } from "../../kernel/gate.ts";
import { answerInTransaction } from "../../kernel/idempotency.ts";
import { operation } from "../../kernel/operation.ts";
import { newestFirst } from "../../kernel/page.ts";
import { AllowlistEntry } from "../../model/allowlist.ts";
import { CursorInput, created, iso, Limit, listOf } from "../../model/fields.ts";
import { normalizeEntry } from "./rules.ts";

/** The operations on allowlisted senders, whose authenticated mail becomes tasks. */
export const allowlist = {
  list: operation({
    summary: "Lists the allowlisted senders of an inbox, newest first.",
    when: "See whose mail the agent takes orders from, besides its owners.",
    scope: "inbox",
    inbox_by_name: true,
    effect: "read",
    pages: true,
    allow: ["owner_read"],
    tool: {
      name: "list_allowlist",
      description: "List who, besides owners, may give you tasks by mail.",
    },
    input: z.object({
      inbox_id: InboxId,
      limit: Limit(LIMITS.list_default, LIMITS.list_max),
      cursor: CursorInput.optional(),
    }),
    output: listOf(AllowlistEntry),
    run(ctx, { limit, cursor }) {
      const inbox_id = ctx.inbox.id;
      return newestFirst(ctx.storage, "allowlist", { where: { inbox_id }, limit, cursor });
    },
  }),

  create: operation({
    summary:
      "Allowlists a sender, by address, exact domain or phone number: their authenticated mail becomes tasks.",
    when: "Let somebody who is no owner give the agent tasks by mail.",
    example: { address: "colleague@owner.example" },
    errors: ["list_full"],
    scope: "inbox",
    effect: "write",
    allow: ["owner_manage"],
    idempotent: true,
    input: z.object({
      inbox_id: InboxId,
      address: z
        .string()
        .max(320, { error: "invalid_entry" })
        .describe(
          "An address, a domain for everybody at exactly this domain, or a phone number in E.164 (see `sms_tasks`).",
        ),
    }),
    output: created(AllowlistEntry, "CreatedAllowlistEntry"),
    async run(ctx, { inbox_id: named, address: text }) {
      const address = normalizeEntry(text);
      if (address === undefined) throw fail("invalid_entry", { param: "address" });
      const inbox_id = ctx.inbox.id;
      return answerInTransaction(ctx, async (work) => {
        if ((await work.get("inboxes", inbox_id)) === undefined)
          throw notFound("inbox_not_found", "inb", named);
        const [known] = await work.find("allowlist", { where: { inbox_id, address }, limit: 1 });
        const names = await namedByEntry(ctx, work, address);
        if (known !== undefined) {
          // The entry names whoever has the address now.
          const made_by = ctx.caller.type === "owner" ? "person" : known.made_by;
          if (known.names !== names || known.made_by !== made_by)
            await work.update("allowlist", { id: known.id }, { names, made_by });
          return { ...known, made_by, idempotent: true };
        }
        if (
          (await work.count("allowlist", { inbox_id }, LIMITS.allowlist_entries)) >= LIMITS.allowlist_entries
        )
          throw fail("list_full");
        const entry = {
          id: ctx.makeId("ent"),
          account_id: ctx.account_id,
          inbox_id,
          address,
          names,
          made_by: ctx.caller.type === "owner" ? ("person" as const) : ("key" as const),
          created_at: iso(ctx.now),
        };
        const { record, inserted } = await work.insert("allowlist", entry);
        return { ...record, idempotent: !inserted };
      });
    },
  }),

  delete: operation({
    summary: "Removes a sender from the allowlist, named by the entry's id, address, domain or phone number.",
    when: "Stop taking orders from a sender; their mail still arrives.",
    errors: ["allowlist_entry_not_found"],
    scope: "inbox",
    effect: "delete",
    allow: ["owner_manage"],
    input: z.object({ inbox_id: InboxId, entry: EntryName }),
    output: z.object({
      id: z.string().describe("The entry's id."),
      object: z.literal("allowlist_entry"),
      address: z.string().describe("The address, domain or phone number that was allowlisted."),
      deleted: z.literal(true),
    }),
    async run(ctx, { entry }) {
      const inbox_id = ctx.inbox.id;
      const where = isId("ent", entry)
        ? { inbox_id, id: entry }
        : { inbox_id, address: normalizeEntry(entry) ?? "" };
      const [found] = await ctx.storage.find("allowlist", { where, limit: 1 });
      if (found === undefined) throw notFound("allowlist_entry_not_found", "ent", entry);
      await ctx.storage.delete("allowlist", { id: found.id });
      return {
        id: found.id,
        object: "allowlist_entry" as const,
        address: found.address,
        deleted: true as const,
      };
    },
  }),
};
