import { z } from "zod";
import { InboxId, MessageId } from "../../catalogue/id-inputs.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import type { InboxContext } from "../../kernel/context.ts";
import { operation } from "../../kernel/operation.ts";
import type { Work } from "../../kernel/work.ts";
import { Message, type MessageRecord } from "../../model/messages.ts";
import { findBody, findMessage, findMessages } from "./find.ts";
import { LabelsInput, MessageIds } from "./outgoing/inputs.ts";
import { relabel } from "./relabel.ts";
import { checkLabelChange } from "./rules.ts";
import { showMessage, showMessages } from "./show.ts";

const one = { inbox_id: InboxId, message_id: MessageId };

/** Messages with more characters together are read and written in a turn of the event loop of their own. */
const CHARS_PER_TURN = 200_000;
/** The number of messages read and written together, if the previous ones were short. */
const MESSAGES_TOGETHER = 4;

/** The operations that change labels. */
export const labelling = {
  read: operation({
    summary: "Marks a message as read, or as unread with read false.",
    when: "Say that a mail is dealt with, so that waits don't return it again.",
    scope: "inbox",
    effect: "write",
    allow: ["message_update"],
    input: z.object({ ...one, read: z.boolean().default(true).describe("False marks it as unread.") }),
    output: Message,
    run: (ctx, { message_id, read }) => changeOne(ctx, message_id, [read ? "read" : "unread"], []),
  }),

  update: operation({
    summary: "Changes a message's labels; read and unread replace each other.",
    when: "Sort mail by labels of your own, or mark it read.",
    example: { add_labels: ["invoice", "read"], remove_labels: ["todo"] },
    errors: ["missing_labels", "protected_label", "label_conflict"],
    scope: "inbox",
    effect: "write",
    patches: true,
    allow: ["message_update"],
    input: z.object({
      ...one,
      add_labels: LabelsInput.describe(
        `Labels to add, at most ${LIMITS.labels}; of the system labels only \`read\` and \`unread\`.`,
      ),
      remove_labels: LabelsInput.describe(
        `Labels to remove, at most ${LIMITS.labels}; of the system labels only \`read\` and \`unread\`.`,
      ),
    }),
    output: Message,
    async run(ctx, { message_id, add_labels, remove_labels }) {
      checkLabelChange(add_labels, remove_labels);
      return changeOne(ctx, message_id, add_labels, remove_labels);
    },
  }),

  batchUpdate: operation({
    summary: "Changes the labels of up to 50 messages, all or none; ids of other inboxes are left out.",
    when: "Mark many mails at once, such as all that were worked through.",
    example: { message_ids: ["msg_01kab3x9t2m4v6w8y0z5"], add_labels: ["read"] },
    errors: ["missing_labels", "protected_label", "label_conflict"],
    scope: "inbox",
    effect: "write",
    allow: ["message_update"],
    tool: {
      name: "label_messages",
      description: "Add and remove labels of messages; the label read or unread marks them so.",
      hints: { idempotent: true },
      fields: { message_ids: "", add_labels: "", remove_labels: "" },
    },
    input: z.object({
      inbox_id: InboxId,
      message_ids: MessageIds(LIMITS.batch_update_ids).describe(
        `The messages, 1 to ${LIMITS.batch_update_ids} different ids.`,
      ),
      add_labels: LabelsInput.describe(`Labels to add, at most ${LIMITS.labels}.`),
      remove_labels: LabelsInput.describe(`Labels to remove, at most ${LIMITS.labels}.`),
    }),
    output: z.object({
      object: z.literal("list").default("list"),
      limit: z.int().describe("How many ids were sent."),
      count: z.int().describe("How many messages changed."),
      data: z.array(Message).describe("The messages, in the order of the ids."),
    }),
    async run(ctx, { message_ids, add_labels, remove_labels }) {
      checkLabelChange(add_labels, remove_labels);
      const { storage, options } = ctx;
      const changed = await ctx.transaction((work) =>
        relabelByIds(ctx, work, message_ids, add_labels, remove_labels),
      );
      return {
        limit: message_ids.length,
        count: changed.length,
        data: await showMessages(storage, changed, "full", options),
      };
    },
  }),
};

/** Changes the labels of the inbox's messages with these ids: many short ones together, long ones one by one. */
async function relabelByIds(
  { inbox, yieldToEventLoop }: InboxContext,
  work: Work,
  ids: readonly string[],
  add: string[],
  remove: string[],
): Promise<MessageRecord[]> {
  const changed: MessageRecord[] = [];
  for (let at = 0, count = 1; at < ids.length; ) {
    const messages = await findMessages(work, inbox.id, ids.slice(at, at + count));
    changed.push(...(await relabel(work, messages, add, remove)));
    at += count;
    const chars = messages.reduce((sum, { extracted_text }) => sum + extracted_text.length, 0);
    const long = chars > CHARS_PER_TURN;
    count = long ? 1 : MESSAGES_TOGETHER;
    if (long) await yieldToEventLoop();
  }
  return changed;
}

async function changeOne(ctx: InboxContext, message_id: string, add: string[], remove: string[]) {
  const message = await findMessage(ctx.storage, ctx.inbox.id, message_id);
  const body = await findBody(ctx.storage, message);
  const [changed] = await ctx.transaction(async (work) =>
    relabel(work, [await findMessage(work, ctx.inbox.id, message_id)], add, remove),
  );
  return showMessage(changed ?? message, body, ctx.options);
}
