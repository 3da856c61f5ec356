import { z } from "zod";
import { IdInput } from "../catalogue/ids.ts";
import { AGENTS } from "../kernel/caller.ts";
import { operation } from "../kernel/operation.ts";
import {
  Correspondent,
  CustomHeaders,
  findBody,
  findMessage,
  Recipients,
  SendFields,
  Subject,
} from "../messages/index.ts";
import { TimestampInput } from "../model/fields.ts";
import { ANSWERED_REFERENCE, answeredBy, threadingOf } from "./answered.ts";
import { forwardOf } from "./forward.ts";
import { replyTo } from "./reply.ts";
import { replaySend, Sent, sendMail } from "./send.ts";

const replyFields = {
  ...SendFields,
  message_id: IdInput,
  cc: Recipients.optional(),
  bcc: Recipients.optional(),
};

/** The operations that send mail. */
export const sending = {
  send: operation({
    summary:
      "Queues a mail; its status and delivery events show the result. With send_at or in approval mode it is kept as a draft.",
    scope: "inbox",
    callers: AGENTS,
    effect: "write",
    holds: true,
    allow: ["message_send"],
    idempotent: true,
    input: z.object({
      ...SendFields,
      to: Recipients,
      cc: Recipients.default([]),
      bcc: Recipients.default([]),
      reply_to: Correspondent.optional(),
      subject: Subject.default(""),
      headers: CustomHeaders.default({}),
      send_at: TimestampInput.optional(),
      in_reply_to: z.string().max(998).regex(ANSWERED_REFERENCE, { error: "invalid_header" }).optional(),
    }),
    output: Sent,
    replay: (ctx, { client_id }) => replaySend(ctx, client_id),
    async run(ctx, { inbox_id: _inbox, in_reply_to, reply_to = null, send_at = null, ...mail }) {
      const answered = in_reply_to === undefined ? undefined : await answeredBy(ctx, in_reply_to);
      return sendMail(
        ctx,
        { ...mail, reply_to, thread_id: null, ...threadingOf(in_reply_to, answered) },
        { draft: { send_at } },
      );
    },
  }),

  reply: operation({
    summary: "Replies to a message in its thread: to Reply-To, else From; with reply_all to everyone.",
    scope: "inbox",
    callers: AGENTS,
    effect: "write",
    holds: true,
    allow: ["message_send"],
    idempotent: true,
    input: z.object({ ...replyFields, reply_all: z.boolean().default(false) }),
    output: Sent,
    replay: (ctx, { client_id }) => replaySend(ctx, client_id),
    async run(ctx, { message_id, reply_all, ...reply }) {
      const answered = await findMessage(ctx.storage, ctx.inbox.id, message_id);
      return sendMail(ctx, replyTo(answered, ctx.inbox.email, reply, reply_all), {
        draft: { kind: reply_all ? "reply_all" : "reply" },
      });
    },
  }),

  replyAll: operation({
    summary: "Replies to a message's author and all its other recipients, each once, except this inbox.",
    scope: "inbox",
    callers: AGENTS,
    effect: "write",
    holds: true,
    allow: ["message_send"],
    idempotent: true,
    input: z.object(replyFields),
    output: Sent,
    replay: (ctx, { client_id }) => replaySend(ctx, client_id),
    async run(ctx, { message_id, ...reply }) {
      const answered = await findMessage(ctx.storage, ctx.inbox.id, message_id);
      return sendMail(ctx, replyTo(answered, ctx.inbox.email, reply, true), { draft: { kind: "reply_all" } });
    },
  }),

  forward: operation({
    summary: "Forwards a message in a new thread, with its attachments unless include_attachments is false.",
    scope: "inbox",
    callers: AGENTS,
    effect: "write",
    holds: true,
    allow: ["message_send"],
    idempotent: true,
    input: z.object({
      inbox_id: IdInput,
      message_id: IdInput,
      to: Recipients,
      cc: Recipients.optional(),
      bcc: Recipients.optional(),
      subject: Subject.optional(),
      text: SendFields.text,
      html: SendFields.html,
      include_attachments: z.boolean().default(true),
      labels: SendFields.labels,
      client_id: SendFields.client_id,
    }),
    output: Sent,
    replay: (ctx, { client_id }) => replaySend(ctx, client_id),
    async run(ctx, { inbox_id: _inbox, message_id, ...forward }) {
      const message = await findMessage(ctx.storage, ctx.inbox.id, message_id);
      const { include_attachments } = forward;
      return sendMail(ctx, forwardOf(message, await findBody(ctx.storage, message), forward), {
        draft: { kind: "forward", forward_of: message.id, include_attachments },
      });
    },
  }),
};
