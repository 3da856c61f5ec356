import { z } from "zod";
import { IdInput } from "../catalogue/ids.ts";
import { LIMITS } from "../catalogue/limits.ts";
import type { InboxContext } from "../kernel/context.ts";
import { operation } from "../kernel/operation.ts";
import { Message } from "../model/messages.ts";
import { findBody, findMessage, findMessages } from "./find.ts";
import { LabelsInput, MessageIds } from "./inputs.ts";
import { relabel } from "./relabel.ts";
import { checkLabelChange } from "./rules.ts";
import { showMessage, showMessages } from "./show.ts";

const one = { inbox_id: IdInput, message_id: IdInput };

/** The operations that change labels. */
export const labelling = {
  read: operation({
    summary: "Marks a message as read, or as unread with read false.",
    scope: "inbox",
    effect: "write",
    allow: ["message_update"],
    input: z.object({ ...one, read: z.boolean().default(true) }),
    output: Message,
    run: (ctx, { message_id, read }) => changeOne(ctx, message_id, [read ? "read" : "unread"], []),
  }),

  update: operation({
    summary: "Changes a message's labels; read and unread replace each other.",
    scope: "inbox",
    effect: "write",
    allow: ["message_update"],
    input: z.object({ ...one, add_labels: LabelsInput, remove_labels: LabelsInput }),
    output: Message,
    async run(ctx, { message_id, add_labels, remove_labels }) {
      checkLabelChange(add_labels, remove_labels);
      return changeOne(ctx, message_id, add_labels, remove_labels);
    },
  }),

  batchUpdate: operation({
    summary: "Changes the labels of up to 50 messages, all or none; ids of other inboxes are left out.",
    scope: "inbox",
    effect: "write",
    allow: ["message_update"],
    input: z.object({
      inbox_id: IdInput,
      message_ids: MessageIds(LIMITS.batch_update_ids),
      add_labels: LabelsInput,
      remove_labels: LabelsInput,
    }),
    output: z.object({
      object: z.literal("list").default("list"),
      limit: z.int(),
      count: z.int(),
      data: z.array(Message),
    }),
    async run(ctx, { message_ids, add_labels, remove_labels }) {
      checkLabelChange(add_labels, remove_labels);
      const { storage, inbox, options } = ctx;
      const changed = await ctx.transaction(async (work) =>
        relabel(work, await findMessages(work, inbox.id, message_ids), add_labels, remove_labels),
      );
      return {
        limit: message_ids.length,
        count: changed.length,
        data: await showMessages(storage, changed, "full", options),
      };
    },
  }),
};

async function changeOne(ctx: InboxContext, message_id: string, add: string[], remove: string[]) {
  const message = await findMessage(ctx.storage, ctx.inbox.id, message_id);
  const body = await findBody(ctx.storage, message);
  const [changed] = await ctx.transaction(async (work) =>
    relabel(work, [await findMessage(work, ctx.inbox.id, message_id)], add, remove),
  );
  return showMessage(changed ?? message, body, ctx.options);
}
