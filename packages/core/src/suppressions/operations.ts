import { z } from "zod";
import { IdInput, isId } from "../catalogue/ids.ts";
import { LIMITS } from "../catalogue/limits.ts";
import { withinReach } from "../kernel/caller.ts";
import { notFound } from "../kernel/gate.ts";
import { answerInTransaction } from "../kernel/idempotency.ts";
import { operation } from "../kernel/operation.ts";
import { newestFirst } from "../kernel/page.ts";
import { CursorInput, created, Email, iso, Limit, listOf } from "../model/fields.ts";
import { Suppression, type SuppressionRecord } from "../model/suppressions.ts";
import { normalizeSuppressed } from "./suppress.ts";

const MAX_INBOXES = 1_000;

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
    async run({ caller, storage }, { limit, cursor }) {
      const where = withinReach(caller);
      const page = await newestFirst(storage, "suppressions", { where, limit, cursor });
      return { ...page, data: page.data.map(shown) };
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
        only_inbox_id: "",
        created_at: iso(now),
      };
      const made = { id: makeId("ent"), account_id, address: normalizeSuppressed(address), ...manual };
      return answerInTransaction(ctx, async (work) => {
        const { record, inserted } = await work.insert("suppressions", made);
        return { ...shown(record), idempotent: !inserted };
      });
    },
  }),

  delete: operation({
    summary: "Deletes a suppression, named by its address, phone number or id.",
    when: "Write again to an address that works now; it is suppressed anew if it bounces.",
    errors: ["suppression_not_found"],
    scope: "account",
    effect: "delete",
    allow: ["suppression_write"],
    input: z.object({
      address: IdInput.describe("The suppressed address or phone number, or the suppression's id."),
    }),
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
      // A phone number may be suppressed for several inboxes.
      const found = await storage.find("suppressions", { where, limit: MAX_INBOXES });
      const [first] = found;
      if (first === undefined) throw notFound("suppression_not_found", "ent", named);
      await storage.delete("suppressions", { id: { in: found.map(({ id }) => id) } });
      return { id: first.id, address: first.address };
    },
  }),
};

/** As callers see it: `inbox_id` is the inbox that it holds for, not that of the message that caused it. */
const shown = ({ only_inbox_id, ...record }: SuppressionRecord) => ({
  ...record,
  inbox_id: only_inbox_id === "" ? null : only_inbox_id,
});
