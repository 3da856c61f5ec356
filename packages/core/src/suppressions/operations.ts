import { z } from "zod";
import { IdInput, isId } from "../catalogue/ids.ts";
import { limits } from "../catalogue/limits.ts";
import { notFound } from "../kernel/gate.ts";
import { operation } from "../kernel/operation.ts";
import { pageOf } from "../kernel/page.ts";
import { CursorInput, Email, iso, Limit, listOf } from "../model/fields.ts";
import { Suppression, type SuppressionRecord } from "../model/suppressions.ts";
import { suppressedForm } from "./suppress.ts";

/** What a caller can do with the addresses that the account doesn't write to. */
export const suppressions = {
  list: operation({
    summary: "Lists the addresses that mail isn't sent to, newest first, with why.",
    scope: "filtered",
    allow: ["suppression_read"],
    input: z.object({ limit: Limit(limits.list_default, limits.list_max), cursor: CursorInput.optional() }),
    output: listOf(Suppression),
    run({ account_id, caller, storage }, { limit, cursor }) {
      const whose = caller.inbox_id === null ? { account_id } : { inbox_id: caller.inbox_id };
      return pageOf<SuppressionRecord>({
        filter: { list: "suppressions", ...whose },
        limit,
        cursor,
        read: (after, most) =>
          storage.find("suppressions", {
            where: { ...whose, ...(after === undefined ? {} : { id: { lt: after } }) },
            order: { by: "id", direction: "desc" },
            limit: most,
          }),
        position: ({ id }) => id,
      });
    },
  }),

  create: operation({
    summary: "Suppresses an address: the account's inboxes send it nothing until the suppression is deleted.",
    scope: "account",
    allow: ["suppression_write"],
    input: z.object({ address: Email }),
    output: Suppression,
    async run({ account_id, storage, makeId, now }, { address }) {
      const manual = {
        reason: "manual" as const,
        source_message_id: null,
        inbox_id: null,
        created_at: iso(now),
      };
      const made = { id: makeId("ent"), account_id, address: suppressedForm(address), ...manual };
      return (await storage.insert("suppressions", made)).record;
    },
  }),

  delete: operation({
    summary: "Takes an address off the suppressions, named by itself or by the suppression's id.",
    scope: "account",
    allow: ["suppression_write"],
    input: z.object({ address: IdInput }),
    output: z.object({
      id: z.string(),
      object: z.literal("suppression").default("suppression"),
      address: z.string(),
      deleted: z.literal(true).default(true),
    }),
    async run({ account_id, storage }, { address: named }) {
      const where = isId("ent", named)
        ? { id: named, account_id }
        : { account_id, address: suppressedForm(named) };
      const [found] = await storage.find("suppressions", { where, limit: 1 });
      if (found === undefined) throw notFound("suppression_not_found", "ent", named);
      await storage.delete("suppressions", { id: found.id });
      return { id: found.id, address: found.address };
    },
  }),
};
