import { z } from "zod";
import { checkClaimed } from "../accounts/rules.ts";
import { fail } from "../errors.ts";
import { notFound } from "../gate.ts";
import { IdInput } from "../ids.ts";
import { stateOf } from "../inboxes/state.ts";
import { limits } from "../limits.ts";
import { operation } from "../operation.ts";
import { CursorInput, pageOf } from "../page.ts";
import { ClientId, iso, Limit, Line, listOf } from "../schema.ts";
import { deliverUpdate } from "./deliver.ts";
import { Update, UpdateKind, UpdateLink, type UpdateRecord } from "./schema.ts";
import { withDeliveries } from "./show.ts";

/** What a caller can do to report to the owners. */
export const updates = {
  create: operation({
    summary: "Reports to every verified owner of the inbox: at once by letter, or in their daily digest.",
    scope: "inbox",
    allow: ["update_send"],
    input: z.object({
      inbox_id: IdInput,
      kind: UpdateKind,
      text: z
        .string()
        .max(limits.update_text_chars)
        .refine((text) => text.trim() !== "", { error: "missing_body" }),
      title: Line(limits.update_line_chars).min(1).optional(),
      status: Line(limits.update_line_chars).min(1).optional(),
      task_id: Line(limits.update_line_chars).min(1).optional(),
      links: z.array(UpdateLink).max(limits.update_links).default([]),
      client_id: ClientId.optional(),
    }),
    output: Update,
    async replay(ctx, { client_id }) {
      if (client_id === undefined) return undefined;
      const [earlier] = await ctx.storage.find("updates", { where: { inbox_id: ctx.inbox.id, client_id }, limit: 1 });
      return earlier === undefined ? undefined : (await withDeliveries(ctx.storage, [earlier]))[0];
    },
    async run(ctx, { inbox_id: named, title = null, status = null, task_id = null, client_id = null, ...report }) {
      const account = await ctx.storage.get("accounts", ctx.account_id);
      if (account === undefined) throw fail("invalid_api_key");
      checkClaimed(account, ctx.options.onboarding);
      return ctx.transaction(async (work) => {
        const inbox = await work.get("inboxes", ctx.inbox.id);
        if (inbox === undefined) throw notFound("inbox_not_found", "inb", named);
        const state = stateOf(inbox, ctx.now);
        if (state === "paused") throw fail("inbox_paused");
        if (state === "expired") throw fail("inbox_expired");

        const { id: inbox_id, account_id } = inbox;
        const wanted = {
          ...report,
          title,
          status,
          task_id,
          client_id,
          inbox_id,
          account_id,
          id: ctx.makeId("upd"),
          created_at: iso(ctx.now),
        };
        const { record: update, inserted } = await work.insert("updates", wanted);
        if (!inserted) return { deliveries: [], ...update, ...(await withDeliveries(work, [update]))[0], idempotent: true };

        const owners = await work.find("owners", {
          where: { inbox_id },
          order: { by: "id", direction: "asc" },
          limit: limits.owners_per_inbox,
        });
        const deliveries = [];
        for (const owner of owners.filter((candidate) => candidate.status === "verified")) {
          deliveries.push(await deliverUpdate(ctx, work, { update, inbox, account, now: ctx.now }, owner));
        }
        return { ...update, deliveries };
      });
    },
  }),

  list: operation({
    summary: "Lists the updates of an inbox, newest first, with what became of each for each owner.",
    scope: "inbox",
    allow: ["owner_read"],
    input: z.object({ inbox_id: IdInput, limit: Limit(limits.list_default, limits.list_max), cursor: CursorInput.optional() }),
    output: listOf(Update),
    async run(ctx, { limit, cursor }) {
      const inbox_id = ctx.inbox.id;
      const page = await pageOf<UpdateRecord>({
        filter: { list: "updates", inbox_id },
        limit,
        cursor,
        read: (after, most) =>
          ctx.storage.find("updates", {
            where: { inbox_id, ...(after === undefined ? {} : { id: { lt: after } }) },
            order: { by: "id", direction: "desc" },
            limit: most,
          }),
        position: ({ id }) => id,
      });
      return { ...page, data: await withDeliveries(ctx.storage, page.data) };
    },
  }),
};
