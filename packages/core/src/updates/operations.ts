import { z } from "zod";
import { IdInput } from "../catalogue/ids.ts";
import { limits } from "../catalogue/limits.ts";
import { operation } from "../kernel/operation.ts";
import { pageOf } from "../kernel/page.ts";
import { CursorInput, Limit, listOf } from "../model/fields.ts";
import { ReportInput, Update, type UpdateRecord } from "../model/updates.ts";
import { replayReport, report } from "./report.ts";
import { withDeliveries } from "./show.ts";

/** What a caller can do to report to the owners. */
export const updates = {
  create: operation({
    summary:
      "Reports to every verified owner of the inbox, or asks them: at once by letter, or in their daily digest.",
    scope: "inbox",
    allow: ["update_send"],
    input: ReportInput,
    output: Update,
    replay: (ctx, { client_id }) => replayReport(ctx, client_id),
    run: report,
  }),

  notify: operation({
    summary: "The same as updates.create, with the inbox in the path.",
    scope: "inbox",
    allow: ["update_send"],
    input: ReportInput,
    output: Update,
    replay: (ctx, { client_id }) => replayReport(ctx, client_id),
    run: report,
  }),

  list: operation({
    summary: "Lists the updates of an inbox, newest first, with what became of each for each owner.",
    scope: "inbox",
    allow: ["owner_read"],
    input: z.object({
      inbox_id: IdInput,
      limit: Limit(limits.list_default, limits.list_max),
      cursor: CursorInput.optional(),
    }),
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
