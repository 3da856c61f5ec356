import { z } from "zod";
import { safetyHeaders } from "../attachments/rules.ts";
import { Download } from "../attachments/schema.ts";
import { fail } from "../errors.ts";
import { IdInput } from "../ids.ts";
import { InjectInput, inject } from "../inbound/inject.ts";
import { limits } from "../limits.ts";
import { operation } from "../operation.ts";
import { CursorInput, pageOf } from "../page.ts";
import { Deleted, Limit, listOf, TimestampInput, WaitSeconds } from "../schema.ts";
import { channels } from "../unit-of-work.ts";
import { inWaitingPlace, waitFor } from "../waiting.ts";
import { deleteMessage } from "./delete.ts";
import { Explanation, explain } from "./explain.ts";
import { findBody, findMessage } from "./find.ts";
import { listMessages } from "./list.ts";
import { composeMessage } from "./raw.ts";
import { relabel } from "./relabel.ts";
import { releaseMessage } from "./release.ts";
import { checkLabelChange } from "./rules.ts";
import { Message, type MessageRecord, MessageSummary } from "./schema.ts";
import { sending } from "./sending-operations.ts";
import { isHeld, showMessage, showMessages } from "./show.ts";
import { term } from "./terms.ts";

const View = z.enum(["full", "summary"]).default("full");
const Shown = z.union([Message, MessageSummary]);
const Labels = z.array(z.string()).max(limits.labels, { error: "invalid_label" }).default([]);
const one = { inbox_id: IdInput, message_id: IdInput };

const BatchIds = z
  .array(z.string().max(320), { error: "missing_message_ids" })
  .min(1, { error: "missing_message_ids" })
  .max(limits.batch_update_ids, { error: "too_many_ids" })
  .refine((ids) => new Set(ids).size === ids.length, { error: "duplicate_message_ids" });

/** What can be done with messages. */
export const messages = {
  ...sending,

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
    summary: "One message with its body, safety and attachments; the body of held mail is null.",
    scope: "inbox",
    allow: ["message_read"],
    input: z.object(one),
    output: Message,
    async run({ storage, inbox, options }, { message_id }) {
      const message = await findMessage(storage, inbox.id, message_id);
      return showMessage(message, await findBody(storage, message), options);
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
      return explain(await findMessage(storage, inbox.id, message_id));
    },
  }),

  update: operation({
    summary: "Changes a message's labels; read and unread take each other's place.",
    scope: "inbox",
    allow: ["message_update"],
    input: z.object({ ...one, add_labels: Labels, remove_labels: Labels }),
    output: Message,
    async run(ctx, { message_id, add_labels, remove_labels }) {
      checkLabelChange(add_labels, remove_labels);
      const message = await findMessage(ctx.storage, ctx.inbox.id, message_id);
      const body = await findBody(ctx.storage, message);
      const [changed] = await ctx.transaction(async (work) =>
        relabel(work, [await findMessage(work, ctx.inbox.id, message_id)], add_labels, remove_labels),
      );
      return showMessage(changed ?? message, body, ctx.options);
    },
  }),

  batchUpdate: operation({
    summary: "Changes the labels of up to 50 messages, all or none; ids of other inboxes are left out.",
    scope: "inbox",
    allow: ["message_update"],
    input: z.object({ inbox_id: IdInput, message_ids: BatchIds, add_labels: Labels, remove_labels: Labels }),
    output: z.object({ object: z.literal("list").default("list"), limit: z.int(), count: z.int(), data: z.array(Message) }),
    async run(ctx, { message_ids, add_labels, remove_labels }) {
      checkLabelChange(add_labels, remove_labels);
      const { storage, inbox, options } = ctx;
      const changed = await ctx.transaction(async (work) => {
        const found = await work.find("messages", { where: { id: { in: message_ids } }, limit: message_ids.length });
        return relabel(
          work,
          inRequestOrder(
            found.filter(({ inbox_id }) => inbox_id === inbox.id),
            message_ids,
          ),
          add_labels,
          remove_labels,
        );
      });
      return { limit: message_ids.length, count: changed.length, data: await showMessages(storage, changed, "full", options) };
    },
  }),

  delete: operation({
    summary: "Deletes a message; its bytes go once nothing else uses them.",
    scope: "inbox",
    allow: ["message_delete", "message_send"],
    input: z.object(one),
    output: Deleted("message"),
    async run(ctx, { message_id }) {
      await ctx.transaction(async (work) => deleteMessage(work, await findMessage(work, ctx.inbox.id, message_id), ctx.now));
      return { id: message_id };
    },
  }),

  release: operation({
    summary: "Lets a held message through: its body is shown and message.received fires.",
    scope: "inbox",
    allow: ["message_release"],
    input: z.object(one),
    output: Message,
    async run(ctx, { message_id }) {
      const message = await findMessage(ctx.storage, ctx.inbox.id, message_id);
      const body = await findBody(ctx.storage, message);
      return showMessage(await releaseMessage(ctx, message, body), body, ctx.options);
    },
  }),

  inject: operation({
    summary: "Puts a test mail into the inbox as if it had come in; it is marked as injected for good.",
    scope: "inbox",
    allow: ["message_inject"],
    input: InjectInput,
    output: Message,
    run: inject,
  }),

  wait: operation({
    summary: "Answers the oldest unread mail, or waits for some to come.",
    scope: "inbox",
    allow: ["message_read"],
    input: z.object({ inbox_id: IdInput, wait: WaitSeconds(limits.wait_default_seconds, limits.wait_max_seconds), view: View }),
    output: z.object({
      object: z.literal("inbox_wait").default("inbox_wait"),
      inbox_id: z.string(),
      timed_out: z.boolean(),
      data: z.array(Shown),
    }),
    async run(ctx, { wait, view }) {
      const { storage, inbox, options } = ctx;
      const look = async () => {
        const unread = await readyMessages(ctx, inbox.id);
        return unread.length === 0 ? undefined : unread;
      };
      const found =
        (await look()) ??
        (await inWaitingPlace(ctx, wait, () => waitFor(ctx, { channel: channels.inbox(inbox.id), seconds: wait, look })));
      const data = found === undefined ? [] : await showMessages(storage, found, view, options);
      return { inbox_id: inbox.id, timed_out: found === undefined, data };
    },
  }),
};

async function readyMessages(
  { storage }: { storage: Parameters<typeof findMessage>[0] },
  inbox_id: string,
): Promise<MessageRecord[]> {
  const order = { by: "message_id", direction: "asc" } as const;
  const rows = await storage.find("message_terms", { where: { inbox_id, term: term.ready }, order, limit: limits.wait_messages });
  if (rows.length === 0) return [];
  const ids = rows.map(({ message_id }) => message_id);
  return storage.find("messages", { where: { id: { in: ids } }, order: { by: "id", direction: "asc" }, limit: ids.length });
}

function inRequestOrder(found: MessageRecord[], ids: string[]): MessageRecord[] {
  const byId = new Map(found.map((message) => [message.id, message]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
