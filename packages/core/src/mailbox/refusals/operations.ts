import { z } from "zod";
import { KeyId, OnlyInboxId } from "../../catalogue/id-inputs.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { checkInbox } from "../../kernel/inbox/check.ts";
import { operation } from "../../kernel/operation.ts";
import { pageOf } from "../../kernel/page.ts";
import { CursorInput, Limit, listOf } from "../../model/fields.ts";
import { Refusal, type RefusalRecord } from "../../model/refusals.ts";
import { TimestampInput } from "../../model/times.ts";
import { refusalsFor } from "./within-reach.ts";

/** Operations on the calls that were refused to the account's keys and apps. */
export const refusals = {
  list: operation({
    summary:
      "Lists the calls of keys and apps that were refused within 7 days, newest first, without anything that they said. A caller that is limited to inboxes sees its own.",
    when: "Find out why an agent gets nothing done: which calls were refused, with which error, and how often.",
    example: { code: "permission_denied" },
    scope: "filtered",
    effect: "read",
    pages: true,
    allow: ["event_read"],
    input: z.object({
      status: z.coerce.number().int().min(400).max(499).optional().describe("Only with this HTTP status."),
      code: z.string().max(100).optional().describe("Only with this error code."),
      operation: z.string().max(100).optional().describe("Only of this operation, such as `messages.send`."),
      key_id: KeyId.optional().describe("Only of this key."),
      inbox_id: OnlyInboxId,
      after: TimestampInput.optional().describe("Only what was refused after this time."),
      limit: Limit(LIMITS.list_default, LIMITS.list_max),
      cursor: CursorInput.optional(),
    }),
    output: listOf(Refusal),
    async run(ctx, { limit, cursor, ...asked }) {
      const { storage } = ctx;
      await checkInbox(ctx, asked.inbox_id);
      const { own, within } = refusalsFor(ctx.caller);
      const { inbox_id, after, ...same } = asked;
      const inboxes =
        inbox_id === undefined
          ? within
          : [inbox_id].filter((id) => within === undefined || within.includes(id));
      const narrowed = Object.entries(same).filter(([, value]) => value !== undefined);
      const where = {
        ...own,
        ...Object.fromEntries(narrowed),
        ...(inboxes === undefined ? {} : { inbox_id: { in: inboxes } }),
        ...(after === undefined ? {} : { last_at: { gt: after } }),
      };
      return pageOf<RefusalRecord>({
        filter: { list: "refusals", ...own, within, ...asked },
        limit,
        cursor,
        read: (last, count) =>
          storage.find("refusals", {
            where: { ...where, ...(last === undefined ? {} : { id: { lt: last } }) },
            order: { by: "id", direction: "desc" },
            limit: count,
          }),
        position: ({ id }) => id,
      });
    },
  }),
};
