import { z } from "zod";
import { fail } from "../catalogue/errors.ts";
import { IdInput, isId } from "../catalogue/ids.ts";
import { LIMITS } from "../catalogue/limits.ts";
import { notFound } from "../kernel/gate.ts";
import { operation } from "../kernel/operation.ts";
import { newestFirst } from "../kernel/page.ts";
import { AllowlistEntry } from "../model/allowlist.ts";
import { CursorInput, iso, Limit, listOf } from "../model/fields.ts";
import { normalizeEntry } from "./rules.ts";

/** The operations on allowlisted senders, whose authenticated mail becomes tasks. */
export const allowlist = {
  list: operation({
    summary: "Lists the allowlisted senders of an inbox, newest first.",
    scope: "inbox",
    effect: "read",
    pages: true,
    allow: ["owner_read"],
    input: z.object({
      inbox_id: IdInput,
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
    summary: "Allowlists a sender, by address or exact domain: their authenticated mail becomes tasks.",
    scope: "inbox",
    effect: "write",
    allow: ["owner_manage"],
    input: z.object({ inbox_id: IdInput, address: z.string().max(320, { error: "invalid_entry" }) }),
    output: AllowlistEntry,
    async run(ctx, { inbox_id: named, address: text }) {
      const address = normalizeEntry(text);
      if (address === undefined) throw fail("invalid_entry", { param: "address" });
      const inbox_id = ctx.inbox.id;
      return ctx.transaction(async (work) => {
        if ((await work.get("inboxes", inbox_id)) === undefined)
          throw notFound("inbox_not_found", "inb", named);
        const [known] = await work.find("allowlist", { where: { inbox_id, address }, limit: 1 });
        if (known !== undefined) return known;
        if (
          (await work.count("allowlist", { inbox_id }, LIMITS.allowlist_entries)) >= LIMITS.allowlist_entries
        )
          throw fail("list_full");
        const entry = {
          id: ctx.makeId("ent"),
          account_id: ctx.account_id,
          inbox_id,
          address,
          created_at: iso(ctx.now),
        };
        return (await work.insert("allowlist", entry)).record;
      });
    },
  }),

  delete: operation({
    summary: "Removes a sender from the allowlist, named by the entry's id, address or domain.",
    scope: "inbox",
    effect: "delete",
    allow: ["owner_manage"],
    input: z.object({ inbox_id: IdInput, entry: IdInput }),
    output: z.object({
      id: z.string(),
      object: z.literal("allowlist_entry"),
      address: z.string(),
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
