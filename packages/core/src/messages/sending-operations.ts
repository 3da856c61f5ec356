import { z } from "zod";
import type { InboxContext } from "../context.ts";
import { IdInput } from "../ids.ts";
import { operation } from "../operation.ts";
import { Email } from "../schema.ts";
import { findMessage } from "./find.ts";
import { CustomHeaders, Recipients, Subject, sendFields } from "./inputs.ts";
import { replyTo } from "./reply.ts";
import { replyReferences } from "./rules.ts";
import { Message, type MessageRecord } from "./schema.ts";
import { replaySend, sendMail } from "./send.ts";

const replyFields = { ...sendFields, message_id: IdInput, cc: Recipients.optional(), bcc: Recipients.optional() };

/** The operations that send mail. */
export const sending = {
  send: operation({
    summary: "Queues a mail; it leaves within moments and its status and delivery events tell how that went.",
    scope: "inbox",
    allow: ["message_send"],
    idempotent: true,
    input: z.object({
      ...sendFields,
      to: Recipients,
      cc: Recipients.default([]),
      bcc: Recipients.default([]),
      reply_to: Email.optional(),
      subject: Subject.default(""),
      headers: CustomHeaders.default({}),
      in_reply_to: z
        .string()
        .max(998)
        .regex(/^(?:<[^\s<>]+>|[^\s<>]+)$/, { error: "invalid_header" })
        .optional(),
    }),
    output: Message,
    replay: (ctx, { client_id }) => replaySend(ctx, client_id),
    async run(ctx, { inbox_id: _inbox, in_reply_to, reply_to = null, ...mail }) {
      const answered = in_reply_to === undefined ? undefined : await answeredBy(ctx, in_reply_to);
      return sendMail(ctx, { ...mail, reply_to, thread_id: null, ...threading(in_reply_to, answered) });
    },
  }),

  reply: operation({
    summary: "Answers a message in its thread: to Reply-To, else From; to all with reply_all.",
    scope: "inbox",
    allow: ["message_send"],
    idempotent: true,
    input: z.object({ ...replyFields, reply_all: z.boolean().default(false) }),
    output: Message,
    replay: (ctx, { client_id }) => replaySend(ctx, client_id),
    async run(ctx, { message_id, reply_all, ...reply }) {
      const answered = await findMessage(ctx.storage, ctx.inbox.id, message_id);
      return sendMail(ctx, replyTo(answered, ctx.inbox.email, reply, reply_all));
    },
  }),

  replyAll: operation({
    summary: "Answers a message to its author and all its other recipients, each once, without this inbox.",
    scope: "inbox",
    allow: ["message_send"],
    idempotent: true,
    input: z.object(replyFields),
    output: Message,
    replay: (ctx, { client_id }) => replaySend(ctx, client_id),
    async run(ctx, { message_id, ...reply }) {
      const answered = await findMessage(ctx.storage, ctx.inbox.id, message_id);
      return sendMail(ctx, replyTo(answered, ctx.inbox.email, reply, true));
    },
  }),
};

/** The message of this inbox that an `in_reply_to` names, by our id or by its Message-ID. */
async function answeredBy({ storage, inbox }: InboxContext, named: string): Promise<MessageRecord | undefined> {
  if (named.startsWith("msg_")) return findMessage(storage, inbox.id, named);
  const reference = bracketed(named);
  const [row] = await storage.find("message_references", { where: { inbox_id: inbox.id, reference }, limit: 1 });
  return row === undefined ? undefined : storage.get("messages", row.message_id);
}

function threading(
  in_reply_to: string | undefined,
  answered: MessageRecord | undefined,
): { in_reply_to: string | null; references: string[] } {
  if (answered !== undefined) return replyReferences(answered);
  return in_reply_to === undefined
    ? { in_reply_to: null, references: [] }
    : { in_reply_to: bracketed(in_reply_to), references: [bracketed(in_reply_to)] };
}

const bracketed = (message_id: string): string => (message_id.startsWith("<") ? message_id : `<${message_id}>`);
