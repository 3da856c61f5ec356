import { z } from "zod";
import { InboxId, MessageId } from "../../catalogue/id-inputs.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { AGENTS } from "../../kernel/access/caller.ts";
import { operation } from "../../kernel/operation.ts";
import {
  Correspondent,
  CustomHeaders,
  findBody,
  findMessage,
  Recipients,
  SendFields,
  Subject,
  withNames,
} from "../../mailbox/messages/index.ts";
import { ClaimToken } from "../../model/threads.ts";
import { TimestampInput } from "../../model/times.ts";
import { ANSWERED_REFERENCE, answeredBy, threadingOf } from "./answered.ts";
import { forwardOf } from "./forward.ts";
import { replyTo } from "./reply.ts";
import { AllowMultiple } from "./reply-guard.ts";
import { DryRun, replaySend, SEND_ERRORS, Sent, sendMail } from "./send.ts";

const replyFields = {
  ...SendFields,
  dry_run: DryRun,
  allow_multiple: AllowMultiple,
  claim_token: ClaimToken,
  message_id: MessageId,
  cc: Recipients.optional().describe("More addresses in Cc."),
  bcc: Recipients.optional().describe("More addresses in Bcc, which the other recipients don't see."),
};

/** The operations that send mail. */
export const sending = {
  send: operation({
    summary:
      "Queues a mail; its status and delivery events show the result. With send_at or in approval mode it is kept as a draft.",
    when: "Write to somebody. Follow the message's status or its events: success means queued, not delivered.",
    example: {
      to: ["olga@owner.example"],
      subject: "Paper ordered",
      text: "Two boxes arrive on Friday.",
      client_id: "order-17-confirmation",
    },
    errors: [...SEND_ERRORS, "rate_limited", "invalid_send_at", "message_not_found"],
    scope: "inbox",
    callers: AGENTS,
    effect: "write",
    holds: true,
    allow: ["message_send"],
    idempotent: true,
    tool: [
      {
        name: "send_message",
        description:
          "Send a new mail. Queued is not yet delivered; a draft as the result waits for an owner's approval or its time.",
        hints: { open_world: true },
        without: [
          ...["reply_to", "headers", "in_reply_to", "labels", "dry_run"],
          ...["allow_multiple", "claim_token"],
        ],
        fields: { html: "Besides text", send_at: "To send later" },
      },
      {
        name: "check_message",
        description:
          "See whether a mail would leave, wait for an owner or be refused, and why, without sending it.",
        hints: { idempotent: true, open_world: true },
        without: [
          ...["reply_to", "headers", "labels", "client_id", "html", "attachments", "send_at"],
          ...["allow_multiple", "claim_token"],
        ],
        sets: { dry_run: true },
        fields: { in_reply_to: "The message_id that it answers" },
      },
    ],
    input: z.object({
      ...SendFields,
      dry_run: DryRun,
      allow_multiple: AllowMultiple,
      claim_token: ClaimToken,
      to: Recipients.describe(
        `The addresses in To; at most ${LIMITS.recipients} in To, Cc and Bcc together.`,
      ),
      cc: Recipients.default([]).describe("The addresses in Cc."),
      bcc: Recipients.default([]).describe("The addresses in Bcc, which the other recipients don't see."),
      reply_to: Correspondent.optional().describe(
        "Where replies are to go; the inbox's own address by default.",
      ),
      subject: Subject.default("").describe(
        `The subject line, at most ${LIMITS.subject_chars} characters; empty by default.`,
      ),
      headers: CustomHeaders.default({}).describe(`X-* headers to add, at most ${LIMITS.custom_headers}.`),
      send_at: TimestampInput.optional().describe(
        "When to send it: in the future, at most 366 days ahead; without it, at once.",
      ),
      in_reply_to: z
        .string()
        .max(998)
        .regex(ANSWERED_REFERENCE, { error: "invalid_header" })
        .optional()
        .describe("The message that it answers, by its id or Message-ID."),
    }),
    output: Sent,
    replay: (ctx, { client_id, dry_run }) => replaySend(ctx, dry_run ? undefined : client_id),
    async run(ctx, { inbox_id: _inbox, in_reply_to, send_at = null, dry_run, ...asked }) {
      const { allow_multiple, claim_token, ...given } = asked;
      const { reply_to = null, ...mail } = withNames(given);
      const answered = in_reply_to === undefined ? undefined : await answeredBy(ctx, in_reply_to);
      return sendMail(
        ctx,
        { ...mail, reply_to, thread_id: null, ...threadingOf(in_reply_to, answered) },
        {
          ...{ dry_run, allow_multiple, draft: { send_at } },
          lease: { claim_token, thread_id: answered?.thread_id ?? null },
        },
      );
    },
  }),

  reply: operation({
    summary: "Replies to a message in its thread: to Reply-To, else From; with reply_all to everyone.",
    when: "Answer a mail; the thread and the subject follow from it.",
    example: { text: "Done, two boxes arrive on Friday." },
    errors: [...SEND_ERRORS, "rate_limited", "not_a_mail", "no_reply_address"],
    scope: "inbox",
    callers: AGENTS,
    effect: "write",
    holds: true,
    allow: ["message_send"],
    idempotent: true,
    tool: {
      name: "reply_to_message",
      description: "Reply to a message in its thread. A draft as the result waits for an owner's approval.",
      hints: { open_world: true },
      without: ["labels", "dry_run"],
      fields: { html: "Besides text", reply_all: "", allow_multiple: "" },
    },
    input: z.object({
      ...replyFields,
      reply_all: z.boolean().default(false).describe("True answers all other recipients too."),
    }),
    output: Sent,
    replay: (ctx, { client_id, dry_run }) => replaySend(ctx, dry_run ? undefined : client_id),
    async run(ctx, { message_id, reply_all, dry_run, allow_multiple, claim_token, ...reply }) {
      const answered = await findMessage(ctx.storage, ctx.inbox.id, message_id);
      return sendMail(ctx, replyTo(answered, ctx.inbox.email, withNames(reply), reply_all), {
        ...{ dry_run, allow_multiple, lease: { claim_token } },
        draft: { kind: reply_all ? "reply_all" : "reply" },
      });
    },
  }),

  replyAll: operation({
    summary: "Replies to a message's author and all its other recipients, each once, except this inbox.",
    when: "Answer everybody who was in the conversation.",
    example: { text: "Done, two boxes arrive on Friday." },
    errors: [...SEND_ERRORS, "rate_limited", "not_a_mail", "no_reply_address"],
    scope: "inbox",
    callers: AGENTS,
    effect: "write",
    holds: true,
    allow: ["message_send"],
    idempotent: true,
    input: z.object(replyFields),
    output: Sent,
    replay: (ctx, { client_id, dry_run }) => replaySend(ctx, dry_run ? undefined : client_id),
    async run(ctx, { message_id, dry_run, allow_multiple, claim_token, ...reply }) {
      const answered = await findMessage(ctx.storage, ctx.inbox.id, message_id);
      return sendMail(ctx, replyTo(answered, ctx.inbox.email, withNames(reply), true), {
        ...{ dry_run, allow_multiple, lease: { claim_token } },
        draft: { kind: "reply_all" },
      });
    },
  }),

  forward: operation({
    summary: "Forwards a message in a new thread, with its attachments unless include_attachments is false.",
    when: "Pass a mail on to somebody else.",
    example: { to: ["accounts@owner.example"], text: "Please pay this." },
    errors: [...SEND_ERRORS, "rate_limited"],
    scope: "inbox",
    callers: AGENTS,
    effect: "write",
    holds: true,
    allow: ["message_send"],
    idempotent: true,
    tool: {
      name: "forward_message",
      description: "Forward a message with its attachments.",
      hints: { open_world: true },
      without: ["html", "labels", "dry_run", "claim_token"],
      fields: { text: "What to say above it", subject: "", include_attachments: "" },
    },
    input: z.object({
      inbox_id: InboxId,
      message_id: MessageId,
      to: Recipients.describe(
        `The addresses in To; at most ${LIMITS.recipients} in To, Cc and Bcc together.`,
      ),
      cc: Recipients.optional().describe("The addresses in Cc."),
      bcc: Recipients.optional().describe("The addresses in Bcc, which the other recipients don't see."),
      subject: Subject.optional().describe("The subject line; by default that of the original after `Fwd:`."),
      text: SendFields.text.describe(
        `What to say above the forwarded mail, at most ${LIMITS.body_chars} characters.`,
      ),
      html: SendFields.html.describe(`The same in HTML, at most ${LIMITS.body_chars} characters.`),
      include_attachments: z
        .boolean()
        .default(true)
        .describe("Whether the attachments of the original go along."),
      attachments: SendFields.attachments,
      labels: SendFields.labels,
      client_id: SendFields.client_id,
      dry_run: DryRun,
      claim_token: ClaimToken,
    }),
    output: Sent,
    replay: (ctx, { client_id, dry_run }) => replaySend(ctx, dry_run ? undefined : client_id),
    async run(ctx, { inbox_id: _inbox, message_id, dry_run, claim_token, ...forward }) {
      const message = await findMessage(ctx.storage, ctx.inbox.id, message_id);
      const { include_attachments, attachments } = forward;
      const mail = forwardOf(message, await findBody(ctx.storage, message), withNames(forward));
      return sendMail(
        ctx,
        { ...mail, attachments },
        {
          dry_run,
          lease: { thread_id: message.thread_id, claim_token },
          draft: { kind: "forward", forward_of: message.id, include_attachments },
        },
      );
    },
  }),
};
