import { z } from "zod";
import { IdInput, isId } from "../catalogue/ids.ts";
import { LIMITS } from "../catalogue/limits.ts";
import { withinReach } from "../kernel/caller.ts";
import { notFound } from "../kernel/gate.ts";
import { answerInTransaction } from "../kernel/idempotency.ts";
import { operation } from "../kernel/operation.ts";
import { newestFirst } from "../kernel/page.ts";
import { CursorInput, created, Email, iso, Limit, listOf } from "../model/fields.ts";
import { Suppression } from "../model/suppressions.ts";
import { normalizeSuppressed } from "./suppress.ts";

/** The operations on suppressed addresses: those that the account doesn't send to. */
export const suppressions = {
  list: operation({
    summary: "Lists the suppressed addresses with their reasons, newest first.",
    when: "See which addresses get no mail, and why.",
    scope: "filtered",
    effect: "read",
    pages: true,
    allow: ["suppression_read"],
    input: z.object({ limit: Limit(LIMITS.list_default, LIMITS.list_max), cursor: CursorInput.optional() }),
    output: listOf(Suppression),
    run({ caller, storage }, { limit, cursor }) {
      const where = withinReach(caller);
      return newestFirst(storage, "suppressions", { where, limit, cursor });
    },
  }),

  create: operation({
    summary: "Suppresses an address: the account's inboxes send it nothing until the suppression is deleted.",
    when: "Honour somebody's wish to get no more mail.",
    example: { address: "nomore@example.com" },
    scope: "account",
    effect: "write",
    allow: ["suppression_write"],
    idempotent: true,
    input: z.object({ address: Email.describe("The address that is to get no mail.") }),
    output: created(Suppression),
    run(ctx, { address }) {
      const { account_id, makeId, now } = ctx;
      const manual = {
        reason: "manual" as const,
        source_message_id: null,
        inbox_id: null,
        created_at: iso(now),
      };
      const made = { id: makeId("ent"), account_id, address: normalizeSuppressed(address), ...manual };
      return answerInTransaction(ctx, async (work) => {
        const { record, inserted } = await work.insert("suppressions", made);
        return { ...record, idempotent: !inserted };
      });
    },
  }),

  delete: operation({
    summary: "Deletes a suppression, named by its address or id.",
    when: "Write again to an address that works now; it is suppressed anew if it bounces.",
    errors: ["suppression_not_found"],
    scope: "account",
    effect: "delete",
    allow: ["suppression_write"],
    input: z.object({ address: IdInput.describe("The suppressed address, or the suppression's id.") }),
    output: z.object({
      id: z.string().describe("The suppression's id."),
      object: z.literal("suppression").default("suppression"),
      address: z.string().describe("The address that may be written to again."),
      deleted: z.literal(true).default(true),
    }),
    async run({ account_id, storage }, { address: named }) {
      const where = isId("ent", named)
        ? { id: named, account_id }
        : { account_id, address: normalizeSuppressed(named) };
      const [found] = await storage.find("suppressions", { where, limit: 1 });
      if (found === undefined) throw notFound("suppression_not_found", "ent", named);
      await storage.delete("suppressions", { id: found.id });
      return { id: found.id, address: found.address };
    },
  }),
};
