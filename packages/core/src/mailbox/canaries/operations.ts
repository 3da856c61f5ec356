import { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { CanaryId, InboxId } from "../../catalogue/id-inputs.ts";
import { newCanaryWord } from "../../catalogue/letter-words.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { authoritiesOver } from "../../kernel/access/authority.ts";
import { SIGNED_IN } from "../../kernel/access/caller.ts";
import type { InboxContext } from "../../kernel/context.ts";
import { notFound } from "../../kernel/gate.ts";
import { operation } from "../../kernel/operation.ts";
import { newestFirst } from "../../kernel/page.ts";
import { hashSecret } from "../../kernel/secrets.ts";
import { Canary, type CanaryRecord, NewCanary } from "../../model/canaries.ts";
import { CursorInput, Deleted, iso, Limit, Line, listOf } from "../../model/fields.ts";
import { Inbox } from "../../model/inboxes.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { checkMayChange } from "./rules.ts";

/** The operations on canaries. */
export const canaries = {
  create: operation({
    summary: "Creates a canary, a word that is kept from leaving the inbox, and shows it once.",
    when: "Plant a word where your agent reads, such as in its instructions, and learn when somebody makes the agent pass it on.",
    example: { name: "Instructions" },
    errors: ["canary_limit", "owner_only"],
    scope: "inbox",
    effect: "write",
    allow: ["owner_manage"],
    input: z.object({
      inbox_id: InboxId,
      name: Line(LIMITS.canary_name_chars)
        .refine((name) => name.trim() !== "")
        .describe(`Where it is planted, 1 to ${LIMITS.canary_name_chars} characters.`),
    }),
    output: NewCanary,
    async run(ctx, { name }) {
      const { inbox, now, makeId } = ctx;
      const canary = newCanaryWord();
      const record: CanaryRecord = {
        ...{ id: makeId("cnr"), account_id: inbox.account_id, inbox_id: inbox.id },
        ...{ name, hash: hashSecret(canary), created_at: iso(now), spent_at: null, tripped_at: null },
      };
      await ctx.transaction(async (work) => {
        await checkMay(ctx, work);
        const limit = LIMITS.canaries_per_inbox;
        if ((await work.count("canaries", { inbox_id: inbox.id }, limit)) >= limit)
          throw fail("canary_limit");
        work.append("canaries", [record]);
      });
      return { ...record, canary };
    },
  }),

  list: operation({
    summary: "Lists the canaries of an inbox by their names, newest first; the words are not shown again.",
    when: "See what is planted, and what has tripped.",
    scope: "inbox",
    inbox_by_name: true,
    effect: "read",
    pages: true,
    allow: ["owner_read", "owner_manage"],
    input: z.object({
      inbox_id: InboxId,
      limit: Limit(LIMITS.list_default, LIMITS.list_max),
      cursor: CursorInput.optional(),
    }),
    output: listOf(Canary),
    run: ({ storage, inbox }, { limit, cursor }) =>
      newestFirst(storage, "canaries", { where: { inbox_id: inbox.id }, limit, cursor }),
  }),

  delete: operation({
    summary: "Deletes a canary: its word may leave.",
    when: "Take a canary away that is planted nowhere any more.",
    errors: ["owner_only"],
    scope: "inbox",
    effect: "delete",
    allow: ["owner_manage"],
    input: z.object({ inbox_id: InboxId, canary_id: CanaryId }),
    output: Deleted("canary"),
    run: (ctx, { canary_id: id }) =>
      ctx.transaction(async (work) => {
        const canary = await work.get("canaries", id);
        if (canary?.inbox_id !== ctx.inbox.id) throw notFound("canary_not_found", "cnr", id);
        await checkMay(ctx, work);
        await work.delete("canaries", { id });
        return { id };
      }),
  }),

  resumeSending: operation({
    summary: "Lets an inbox send again whose sending a canary paused.",
    when: "Go on once you know how the canary got into the mail.",
    scope: "inbox",
    callers: SIGNED_IN,
    effect: "write",
    allow: ["inbox_update"],
    input: z.object({ inbox_id: InboxId }),
    output: Inbox,
    run: (ctx) =>
      ctx.transaction(async (work) => {
        const { id } = ctx.inbox;
        const [inbox] = await work.update("inboxes", { id }, { sending_paused_at: null });
        if (inbox === undefined) throw notFound("inbox_not_found", "inb", id);
        return inbox;
      }),
  }),
};

/** Fails with `owner_only` for an agent, once somebody has authority over the inbox. */
async function checkMay(ctx: InboxContext, storage: StorageReader): Promise<void> {
  const { account_id, id: inbox_id } = ctx.inbox;
  checkMayChange(ctx.caller, (await authoritiesOver(ctx, storage, { account_id, inbox_id })).length > 0);
}
