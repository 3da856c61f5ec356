import { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { TaskId } from "../../catalogue/id-inputs.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { holdsAny } from "../../catalogue/permissions.ts";
import { AGENTS } from "../../kernel/access/caller.ts";
import type { AccountContext, InboxContext } from "../../kernel/context.ts";
import { operation } from "../../kernel/operation.ts";
import { Body, findMessage, isAnsweredByMail, SendFields } from "../../mailbox/messages/index.ts";
import { ClientId } from "../../model/fields.ts";
import type { MessageRecord } from "../../model/messages.ts";
import { Task, type TaskRecord, TaskStatus } from "../../model/tasks.ts";
import { ClaimToken } from "../../model/threads.ts";
import { findTask, moveOwn, showTask, wordTask } from "../../owners/tasks/index.ts";
import { checkWords } from "../gate/index.ts";
import { PHONE_ERRORS, PHONE_WORD_ERRORS, type PhoneAct, sendByPhone } from "./phone/phone-send.ts";
import { replyTo } from "./reply.ts";
import { AllowMultiple } from "./reply-guard.ts";
import {
  DryRun,
  replaySend,
  SEND_ERRORS,
  type SendExtras,
  type SendRequest,
  Sent,
  sendMail,
} from "./send.ts";

/** The operation that replies to a task, by mail or by text. */
export const taskReply = {
  reply: operation({
    summary:
      "Replies to the human in the task's thread and, if asked, changes the task's status. A task from a text or voicemail is answered by a text, for which the key needs `sms_send` too.",
    when: "Tell the person what came of their task, and set its status in the same call.",
    example: { text: "Two boxes are ordered.", status: "done" },
    errors: [
      ...new Set([...SEND_ERRORS, ...PHONE_ERRORS]),
      ...PHONE_WORD_ERRORS,
      "message_not_found",
      "not_a_mail",
      "no_reply_address",
    ],
    scope: "filtered",
    callers: AGENTS,
    effect: "write",
    holds: true,
    allow: ["message_send"],
    idempotent: true,
    tool: {
      name: "reply_to_task",
      description: "Answer the person who gave a task, and set its status in the same call.",
      hints: { open_world: true },
      without: ["html", "dry_run", "allow_multiple"],
      fields: { status: "" },
    },
    input: z.object({
      task_id: TaskId,
      text: Body.optional().describe(`The text part of the reply, at most ${LIMITS.body_chars} characters.`),
      html: Body.optional().describe(`The HTML part of the reply, at most ${LIMITS.body_chars} characters.`),
      attachments: SendFields.attachments,
      status: TaskStatus.optional().describe(
        "The status that the task gets when the reply is accepted; unchanged by default.",
      ),
      client_id: ClientId.optional(),
      dry_run: DryRun,
      allow_multiple: AllowMultiple,
      claim_token: ClaimToken.describe(
        "The token of the task's claim or of its thread's lease, which is needed while one runs (`thread_claimed`).",
      ),
    }),
    output: z.object({
      task: Task.describe("The task as it is now."),
      message: Sent.describe("The reply, or the draft while it waits for an owner."),
      idempotent: z
        .boolean()
        .default(false)
        .describe("Whether this answer repeats an earlier call with the same client_id."),
    }),
    async replay(ctx, { task_id, client_id, dry_run }) {
      if (dry_run) return undefined;
      const task = await findTask(ctx, ctx.storage, task_id);
      const message = await replaySend(await inboxContext(ctx, task), client_id);
      if (message === undefined) return undefined;
      return { task: await wordTask(ctx.storage, task), message: { ...message, idempotent: true } };
    },
    async run(ctx, { task_id, status, dry_run, allow_multiple, claim_token, ...reply }) {
      const task = await findTask(ctx, ctx.storage, task_id);
      const inInbox = await inboxContext(ctx, task);
      const answered = await answeredBy(ctx, task);
      let moved = task;
      const extras: SendExtras = {
        ...{ dry_run, allow_multiple },
        lease: { claim_token, thread_id: answered.thread_id },
        also: async (work) => {
          moved = status === undefined ? task : await moveOwn(ctx, work, task.id, status);
        },
        draft: { kind: "reply", task_id: task.id, task_status: status ?? null },
        answer: (shown) => ({ task: showTask(moved, answered), message: shown }),
      };
      const message = isAnsweredByMail(answered)
        ? await sendMail(inInbox, replyTo(answered, inInbox.inbox.email, reply, false), extras)
        : await sendByPhone(inInbox, textReply(ctx, answered, reply), extras);
      return { task: showTask(moved, answered), message };
    },
  }),
};

async function inboxContext(ctx: AccountContext, task: TaskRecord): Promise<InboxContext> {
  const inbox = await ctx.storage.get("inboxes", task.inbox_id);
  if (inbox === undefined) throw fail("inbox_not_found");
  return { ...ctx, inbox };
}

/** The text that answers a text, call or voicemail. */
function textReply(
  { caller }: AccountContext,
  { direction, from, to }: MessageRecord,
  {
    text,
    html,
    client_id,
    attachments = [],
  }: Pick<SendRequest, "text" | "html" | "client_id" | "attachments">,
): PhoneAct {
  if (!holdsAny(caller.permissions, ["sms_send"])) throw fail("permission_denied", { param: "sms_send" });
  if (html != null) throw fail("not_a_mail", { param: "html" });
  if (attachments.length > 0) throw fail("not_a_mail", { param: "attachments" });
  const words = text ?? "";
  checkWords({ kind: "sms", text: words });
  return {
    kind: "sms",
    to: direction === "inbound" ? from : (to[0] ?? ""),
    text: words,
    client_id: client_id ?? null,
  };
}

/** The message that a reply to the task answers: the one it came from, else the newest of its thread. */
async function answeredBy({ storage }: AccountContext, task: TaskRecord): Promise<MessageRecord> {
  const message_id = task.message_id ?? task.awaited_message_id;
  const thread =
    message_id === null && task.thread_id !== null ? await storage.get("threads", task.thread_id) : undefined;
  return findMessage(storage, task.inbox_id, message_id ?? thread?.last_message_id ?? "");
}
