import { z } from "zod";
import { fail } from "../catalogue/errors.ts";
import { IdInput } from "../catalogue/ids.ts";
import { operation } from "../kernel/operation.ts";
import { iso } from "../model/fields.ts";
import { Message } from "../model/messages.ts";
import { FeedbackVerdict } from "../model/screening.ts";
import { findBody, findMessage } from "./find.ts";
import { showMessage } from "./show.ts";

/** What people say about a mail that screening judged. */
export const feedback = {
  screeningFeedback: operation({
    summary:
      "Records what a person says about screening's verdict; the last word stands. It neither releases nor holds a message.",
    scope: "inbox",
    allow: ["message_update"],
    input: z.object({ inbox_id: IdInput, message_id: IdInput, verdict: FeedbackVerdict }),
    output: Message,
    async run(ctx, { message_id, verdict }) {
      const body = await findBody(ctx.storage, await findMessage(ctx.storage, ctx.inbox.id, message_id));
      const judged = await ctx.transaction(async (work) => {
        const message = await findMessage(work, ctx.inbox.id, message_id);
        if (message.safety === null) throw fail("message_not_screened");
        const safety = { ...message.safety, feedback: { verdict, created_at: iso(ctx.now) } };
        await work.update("messages", { id: message.id }, { safety });
        return { ...message, safety };
      });
      return showMessage(judged, body, ctx.options);
    },
  }),
};
