import { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { InboxId, MessageId } from "../../catalogue/id-inputs.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { operation } from "../../kernel/operation.ts";
import { pageOf } from "../../kernel/page.ts";
import { Download } from "../../model/attachments.ts";
import { CursorInput, Deleted, iso, Limit, listOf } from "../../model/fields.ts";
import { MarkedMessage, Message, type MessageRecord, Shown } from "../../model/messages.ts";
import { FeedbackVerdict } from "../../model/screening.ts";
import { TimestampInput } from "../../model/times.ts";
import { RestorableUntil } from "../../model/trash.ts";
import { Explanation, explain } from "./explain.ts";
import { findBody, findMessage, findMessages } from "./find.ts";
import { labelling } from "./labelling-operations.ts";
import { listMessages } from "./list.ts";
import { readMarked } from "./marked.ts";
import { sliceText } from "./outgoing/code-points.ts";
import { MessageIds, View } from "./outgoing/inputs.ts";
import { rawMail } from "./raw.ts";
import { showMessage, showMessages } from "./show.ts";
import { Permanent, TrashFolder } from "./trash/inputs.ts";
import { deleteMessage, restoreMessage, trashMessage } from "./trash/one-message.ts";
import { pageOfTrashed } from "./trash/page-of-trashed.ts";
import { checkPermanent } from "./trash/rules.ts";
import { waiting } from "./waiting-operations.ts";

const Chars = z.coerce.number<number>().int().min(0).max(LIMITS.message_bytes);
const one = { inbox_id: InboxId, message_id: MessageId };

/** Operations that read, label and delete messages; `src/operations.ts` adds sending, search and inbound. */
export const messages = {
  ...waiting,
  ...labelling,

  list: operation({
    summary: "Lists an inbox's messages, newest first, filtered by labels, people, thread and time.",
    when: "Look through an inbox; to get each new mail once, wait for it or follow the events instead.",
    example: { label: ["unread"], view: "summary", limit: 10 },
    scope: "inbox",
    inbox_by_name: true,
    effect: "read",
    pages: true,
    allow: ["message_read"],
    tool: {
      name: "list_messages",
      description: "List messages, newest first, as one line each. Read one with read_message.",
      without: ["to", "envelope_to", "order", "folder"],
      sets: { view: "summary" },
      fields: {
        label: "All of these, such as unread",
        from: "Address",
        subject: "A part of it",
        direction: "",
      },
    },
    input: z.object({
      inbox_id: InboxId,
      limit: Limit(LIMITS.list_default, LIMITS.list_max),
      cursor: CursorInput.optional(),
      view: View,
      label: z
        .array(z.string().max(64))
        .max(LIMITS.labels)
        .optional()
        .describe("Only messages with all of these labels."),
      direction: z.enum(["inbound", "outbound"]).optional().describe("Only mail that was received or sent."),
      from: z.string().max(320).optional().describe("Only mail from this address."),
      to: z.string().max(320).optional().describe("Only mail to this address."),
      envelope_to: z
        .string()
        .max(320)
        .optional()
        .describe("Only mail that was delivered to this address, whether To names it or not."),
      subject: z
        .string()
        .max(LIMITS.subject_chars)
        .optional()
        .describe("Only mail whose subject contains this."),
      thread_id: z.string().max(320).optional().describe("Only messages of this thread."),
      before: TimestampInput.optional().describe("Only messages from before this time."),
      after: TimestampInput.optional().describe("Only messages from after this time."),
      order: z
        .enum(["asc", "desc"])
        .default("desc")
        .describe("`desc` for the newest first, `asc` for the oldest."),
      folder: TrashFolder,
    }),
    output: listOf(Shown),
    async run({ storage, inbox, options }, { limit, cursor, view, folder, ...filter }) {
      const named = { ...filter, inbox_id: inbox.id };
      if (folder === "trash") return pageOfTrashed({ storage, options }, named, { limit, cursor, view });
      const page = await pageOf<MessageRecord>({
        filter: { list: "messages", ...named },
        limit,
        cursor,
        read: (after, count) => listMessages(storage, named, after, count),
        position: ({ id }) => id,
      });
      return { ...page, data: await showMessages(storage, page.data, view, options) };
    },
  }),

  get: operation({
    summary:
      "One message with its body, safety and attachments; max_chars and offset page through extracted_text.",
    when: "Read one mail with everything that is known of it.",
    example: { max_chars: 4000 },
    scope: "inbox",
    inbox_by_name: true,
    effect: "read",
    allow: ["message_read"],
    input: z.object({
      ...one,
      max_chars: Chars.min(1)
        .optional()
        .describe("Show at most this many characters of extracted_text; all by default."),
      offset: Chars.default(0).describe(
        "How many characters of extracted_text to leave out at the beginning.",
      ),
    }),
    output: Message,
    async run({ storage, inbox, options }, { message_id, max_chars, offset }) {
      const message = await findMessage(storage, inbox.id, message_id);
      const shown = showMessage(message, await findBody(storage, message), options);
      return { ...shown, ...sliceText(shown.extracted_text, offset, max_chars) };
    },
  }),

  marked: operation({
    summary:
      "A message as a text for a language model: who wrote it, what was checked, and its parts, each marked as what it is.",
    when: "Let a model read a mail: no mail can leave its frame, and long ones come in parts.",
    example: { max_chars: 4000 },
    scope: "inbox",
    inbox_by_name: true,
    effect: "read",
    allow: ["message_read"],
    tool: {
      name: "read_message",
      description:
        "Read a mail as marked text: what is visible, quoted, signature, hidden and attached. Long ones come in parts.",
      fields: { max_chars: "", offset: "", hidden: "Also show what people don't see" },
    },
    input: z.object({
      ...one,
      max_chars: Chars.min(1)
        .default(LIMITS.marked_chars_default)
        .describe(
          `Show at most this many characters of the mail; ${LIMITS.marked_chars_default} by default.`,
        ),
      offset: Chars.default(0).describe("How many characters of the mail to leave out at the beginning."),
      hidden: z
        .boolean()
        .default(false)
        .describe("Also show what a person does not see, such as white text on white."),
    }),
    output: MarkedMessage,
    run: (ctx, { message_id, ...part }) => readMarked(ctx, message_id, part),
  }),

  batchGet: operation({
    summary: "Up to 100 messages by their ids, in request order; ids of other inboxes are left out.",
    when: "Read several mails in one call, such as those that a search found.",
    example: { message_ids: ["msg_01kab3x9t2m4v6w8y0z5"], view: "summary" },
    scope: "inbox",
    effect: "read",
    allow: ["message_read"],
    input: z.object({
      inbox_id: InboxId,
      message_ids: MessageIds(LIMITS.batch_get_ids).describe(
        `The messages, 1 to ${LIMITS.batch_get_ids} different ids.`,
      ),
      view: View,
    }),
    output: listOf(Shown).extend({
      limit: z.int().describe("How many ids were sent."),
      count: z.int().describe("How many messages were found."),
    }),
    async run({ storage, inbox, options }, { message_ids, view }) {
      const data = await showMessages(
        storage,
        await findMessages(storage, inbox.id, message_ids),
        view,
        options,
      );
      return {
        object: "list" as const,
        limit: message_ids.length,
        count: data.length,
        data,
        has_more: false,
        next_cursor: null,
      };
    },
  }),

  raw: operation({
    summary:
      "The raw message as received, after a Delivered-To line, or as sent (message/rfc822). Letters come without their codes.",
    when: "Get the mail as it went over the wire, for a program that reads MIME.",
    errors: ["message_held", "not_a_mail"],
    scope: "inbox",
    inbox_by_name: true,
    effect: "read",
    allow: ["message_read"],
    answers: "bytes",
    input: z.object(one),
    output: Download,
    async run(ctx, { message_id }) {
      return rawMail(ctx, await findMessage(ctx.storage, ctx.inbox.id, message_id));
    },
  }),

  explain: operation({
    summary:
      "Explains why a message was trusted, held or turned into a task, or not, and what happened to it.",
    when: "Find out why a mail was held, became no task or never arrived.",
    scope: "inbox",
    inbox_by_name: true,
    effect: "read",
    allow: ["message_read"],
    tool: {
      name: "explain_message",
      description: "Why a message was trusted, held, made a task or not, or not delivered.",
    },
    input: z.object(one),
    output: Explanation,
    async run({ storage, inbox }, { message_id }) {
      return explain(storage, await findMessage(storage, inbox.id, message_id));
    },
  }),

  screeningFeedback: operation({
    summary:
      "Records a person's verdict on the screening result; the latest one counts. Neither releases nor holds the message.",
    when: "Say that screening was right or wrong about a mail.",
    example: { verdict: "clean" },
    errors: ["message_not_screened"],
    scope: "inbox",
    effect: "write",
    allow: ["message_update"],
    input: z.object({
      inbox_id: InboxId,
      message_id: MessageId,
      verdict: FeedbackVerdict.describe("What the person says it is."),
    }),
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

  delete: operation({
    summary:
      "Moves a message to the trash, from which it can be restored for a time; with permanent=true deletes it for good.",
    when: "Remove a mail and its files.",
    errors: ["owner_only"],
    scope: "inbox",
    effect: "delete",
    allow: ["message_delete", "message_send"],
    authorize: ({ permissions }, { permanent }) => checkPermanent(permissions, permanent),
    input: z.object({ ...one, permanent: Permanent }),
    output: Deleted("message").extend({ restorable_until: RestorableUntil }),
    run: async (ctx, { message_id, permanent }) => ({
      id: message_id,
      restorable_until: await (permanent ? deleteMessage(ctx, message_id) : trashMessage(ctx, message_id)),
    }),
  }),

  restore: operation({
    summary:
      "Takes a message out of the trash, with the task that it made; what waited to be sent stays unsent.",
    when: "Take back that a mail was deleted.",
    errors: ["not_in_trash", "owner_only"],
    scope: "inbox",
    effect: "write",
    allow: ["message_update"],
    input: z.object(one),
    output: Message,
    async run(ctx, { message_id }) {
      const message = await restoreMessage(ctx, message_id);
      return showMessage(message, await findBody(ctx.storage, message), ctx.options);
    },
  }),
};
