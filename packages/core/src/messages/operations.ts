import { z } from "zod";
import { fail } from "../catalogue/errors.ts";
import { IdInput } from "../catalogue/ids.ts";
import { limits } from "../catalogue/limits.ts";
import { operation } from "../kernel/operation.ts";
import { pageOf } from "../kernel/page.ts";
import { safetyHeaders } from "../mail/attachments.ts";
import { Download } from "../model/attachments.ts";
import { CursorInput, Deleted, Limit, listOf, TimestampInput } from "../model/fields.ts";
import { Message, type MessageRecord, Shown } from "../model/messages.ts";
import { deleteFromThread } from "./delete.ts";
import { Explanation, explain } from "./explain.ts";
import { feedback } from "./feedback-operations.ts";
import { findBody, findMessage, findMessages } from "./find.ts";
import { MessageIds, View } from "./inputs.ts";
import { labelling } from "./labelling-operations.ts";
import { listMessages } from "./list.ts";
import { composeMessage } from "./raw.ts";
import { isHeld, pieceOf, showMessage, showMessages } from "./show.ts";
import { waiting } from "./waiting-operations.ts";

const Chars = z.coerce.number().int().min(0).max(limits.message_bytes);
const one = { inbox_id: IdInput, message_id: IdInput };

/** Reading, labelling and deleting messages; `src/operations.ts` adds sending, search, release and injection. */
export const messages = {
  ...waiting,
  ...labelling,
  ...feedback,

  list: operation({
    summary: "Lists an inbox's messages, newest first, narrowed by labels, people, thread and time.",
    scope: "inbox",
    allow: ["message_read"],
    input: z.object({
      inbox_id: IdInput,
      limit: Limit(limits.list_default, limits.list_max),
      cursor: CursorInput.optional(),
      view: View,
      label: z.array(z.string().max(64)).max(limits.labels).optional(),
      direction: z.enum(["inbound", "outbound"]).optional(),
      from: z.string().max(320).optional(),
      to: z.string().max(320).optional(),
      subject: z.string().max(limits.subject_chars).optional(),
      thread_id: z.string().max(320).optional(),
      before: TimestampInput.optional(),
      after: TimestampInput.optional(),
      order: z.enum(["asc", "desc"]).default("desc"),
    }),
    output: listOf(Shown),
    async run({ storage, inbox, options }, { limit, cursor, view, ...filter }) {
      const named = { ...filter, inbox_id: inbox.id };
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
      "One message with its body, safety and attachments; max_chars and offset read extracted_text piece by piece.",
    scope: "inbox",
    allow: ["message_read"],
    input: z.object({ ...one, max_chars: Chars.min(1).optional(), offset: Chars.default(0) }),
    output: Message,
    async run({ storage, inbox, options }, { message_id, max_chars, offset }) {
      const message = await findMessage(storage, inbox.id, message_id);
      const shown = showMessage(message, await findBody(storage, message), options);
      return { ...shown, ...pieceOf(shown.extracted_text, offset, max_chars) };
    },
  }),

  batchGet: operation({
    summary: "Up to 100 messages by their ids, in request order; ids of other inboxes are left out.",
    scope: "inbox",
    allow: ["message_read"],
    input: z.object({ inbox_id: IdInput, message_ids: MessageIds(limits.batch_get_ids), view: View }),
    output: listOf(Shown).extend({ limit: z.int(), count: z.int() }),
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
    summary: "The message as it came or left (message/rfc822). Service letters without their codes.",
    scope: "inbox",
    allow: ["message_read"],
    answers: "bytes",
    input: z.object(one),
    output: Download,
    async run(ctx, { message_id }) {
      const message = await findMessage(ctx.storage, ctx.inbox.id, message_id);
      if (isHeld(message)) throw fail("message_held");
      const stored = message.raw_hash === null ? undefined : await ctx.blobs.get(message.raw_hash);
      const bytes = stored ?? (await composeMessage(ctx, message, await findBody(ctx.storage, message)));
      const headers = {
        "Content-Type": "message/rfc822",
        "Content-Disposition": `attachment; filename="${message.id}.eml"`,
        ...safetyHeaders,
      };
      return { bytes, headers };
    },
  }),

  explain: operation({
    summary: "Why a message was believed or not, held or not, made a task or not, and what became of it.",
    scope: "inbox",
    allow: ["message_read"],
    input: z.object(one),
    output: Explanation,
    async run({ storage, inbox }, { message_id }) {
      return explain(storage, await findMessage(storage, inbox.id, message_id));
    },
  }),

  delete: operation({
    summary: "Deletes a message; its bytes go once nothing else uses them.",
    scope: "inbox",
    allow: ["message_delete", "message_send"],
    input: z.object(one),
    output: Deleted("message"),
    async run(ctx, { message_id }) {
      await ctx.transaction(async (work) => {
        const message = await findMessage(work, ctx.inbox.id, message_id);
        await deleteFromThread(work, message.thread_id, [message], ctx.now);
      });
      return { id: message_id };
    },
  }),
};
