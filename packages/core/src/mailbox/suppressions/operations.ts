import { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { IdInput } from "../../catalogue/id-inputs.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { inChargeAmong } from "../../kernel/access/authority.ts";
import { withinReach } from "../../kernel/access/caller.ts";
import { answerInTransaction } from "../../kernel/idempotency.ts";
import { operation } from "../../kernel/operation.ts";
import { newestFirst } from "../../kernel/page.ts";
import { CursorInput, created, Email, iso, Limit, listOf } from "../../model/fields.ts";
import { Suppression, type SuppressionRecord } from "../../model/suppressions.ts";
import { liftSuppressions } from "./lift.ts";
import { isStronger } from "./rules.ts";
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
    async run({ caller, storage }, { limit, cursor }) {
      const where = withinReach(caller);
      const page = await newestFirst(storage, "suppressions", { where, limit, cursor });
      return { ...page, data: page.data.map(shown) };
    },
  }),

  create: operation({
    summary: "Suppresses an address: the account's inboxes send it nothing until the suppression is deleted.",
    when: "Honour somebody's wish to get no more mail.",
    errors: ["suppression_locked"],
    example: { address: "nomore@example.com" },
    scope: "account",
    effect: "write",
    allow: ["suppression_write"],
    idempotent: true,
    input: z.object({ address: Email.describe("The address that is to get no mail.") }),
    output: created(Suppression, "CreatedSuppression"),
    run(ctx, { address }) {
      const { account_id, makeId, now, caller } = ctx;
      const manual = {
        reason: "manual" as const,
        made_by: caller.type === "owner" ? ("person" as const) : ("key" as const),
        source_message_id: null,
        inbox_id: null,
        only_inbox_id: "",
        created_at: iso(now),
      };
      const made = { id: makeId("ent"), account_id, address: normalizeSuppressed(address), ...manual };
      return answerInTransaction(ctx, async (work) => {
        if ((await inChargeAmong(work, account_id, [address])).size > 0)
          throw fail("suppression_locked", {
            param: "address",
            message: `${made.address} has a say in this account: people in charge are never suppressed.`,
            fix: "They turn updates off themselves, by the link in each letter.",
          });
        const { record, inserted } = await work.insert("suppressions", made);
        if (!inserted && isStronger(made.made_by, record)) {
          const { made_by } = made;
          await work.update("suppressions", { id: record.id }, { made_by });
          return { ...shown({ ...record, made_by }), idempotent: true };
        }
        return { ...shown(record), idempotent: !inserted };
      });
    },
  }),

  delete: operation({
    summary: "Deletes a suppression, named by its address, phone number or id.",
    when: "Write again to an address that works now; it is suppressed anew if it bounces. `made_by` says who lifts it.",
    errors: ["suppression_not_found", "suppression_locked"],
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
    run({ account_id, caller, transaction, now }, { address: named }) {
      const by = caller.type === "owner" ? "authority" : "key";
      return transaction((work) => liftSuppressions(work, account_id, { named, by }, now));
    },
  }),
};

/**
 * Returns a suppression in its public form: `inbox_id` is the inbox that it applies to, not that of the message that
 * caused it.
 */
const shown = ({ only_inbox_id, ...record }: SuppressionRecord) => ({
  ...record,
  inbox_id: only_inbox_id === "" ? null : only_inbox_id,
});
