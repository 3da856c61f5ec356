import { z } from "zod";
import type { AccountContext, InboxContext } from "../context.ts";
import { fail } from "../errors.ts";
import { EventStream, streamEvents } from "../feed/stream.ts";
import { notFound } from "../gate.ts";
import { IdInput } from "../ids.ts";
import { limits } from "../limits.ts";
import { findMessage } from "../messages/find.ts";
import { Body } from "../messages/inputs.ts";
import { replyTo } from "../messages/reply.ts";
import type { MessageRecord } from "../messages/schema.ts";
import { replaySend, sendMail } from "../messages/send.ts";
import { Sent } from "../messages/sent.ts";
import { operation } from "../operation.ts";
import { CursorInput, pageOf } from "../page.ts";
import { ClientId, Limit, listOf, WaitSeconds } from "../schema.ts";
import { channels, type Work } from "../unit-of-work.ts";
import { waitFor } from "../waiting.ts";
import { claims } from "./claim-operations.ts";
import { checkInbox, findTask } from "./find.ts";
import { moveTask } from "./move.ts";
import { Task, type TaskRecord, TaskStatus } from "./schema.ts";
import { showTask, wordTask, wordTasks } from "./show.ts";

/** What can be done with tasks. */
export const tasks = {
  list: operation({
    summary: "Lists tasks, newest first; with wait it answers as soon as there is one.",
    scope: "filtered",
    allow: ["task_read"],
    input: z.object({
      inbox_id: IdInput.optional(),
      status: z.enum([...TaskStatus.options, "all"]).default("pending"),
      limit: Limit(limits.list_default, limits.list_max),
      cursor: CursorInput.optional(),
      wait: WaitSeconds(0, limits.task_wait_max_seconds),
    }),
    output: listOf(Task),
    async run(ctx, { inbox_id = ctx.caller.inbox_id ?? undefined, status, limit, cursor, wait }) {
      const { storage, account_id } = ctx;
      if (inbox_id !== undefined) await checkInbox(ctx, inbox_id);
      const scope = inbox_id === undefined ? { account_id } : { inbox_id };
      const filter = status === "all" ? scope : { ...scope, status };
      const read = () =>
        pageOf<TaskRecord>({
          filter: { list: "tasks", ...filter },
          limit,
          cursor,
          read: (after, count) =>
            storage.find("tasks", {
              where: { ...filter, ...(after === undefined ? {} : { id: { lt: after } }) },
              order: { by: "id", direction: "desc" },
              limit: count,
            }),
          position: ({ id }) => id,
        });
      const look = async () => {
        const page = await read();
        return page.data.length === 0 ? undefined : page;
      };
      const page =
        (await waitFor(ctx, { channel: channels.tasks(account_id), seconds: wait, look })) ?? (await read());
      return { ...page, data: await wordTasks(storage, page.data) };
    },
  }),

  stream: operation({
    summary: "Streams task events for 25 seconds, from now or from Last-Event-ID on.",
    scope: "filtered",
    allow: ["task_read"],
    answers: "stream",
    input: z.object({ last_event_id: z.string().max(100).optional() }),
    output: EventStream,
    run: (ctx, { last_event_id }) =>
      streamEvents(ctx, { types: ["task.received", "task.updated"], cursor: last_event_id }),
  }),

  get: operation({
    summary: "One task.",
    scope: "filtered",
    allow: ["task_read"],
    input: z.object({ task_id: IdInput }),
    output: Task,
    run: async (ctx, { task_id }) => wordTask(ctx.storage, await findTask(ctx, ctx.storage, task_id)),
  }),

  update: operation({
    summary: "Moves a task to pending, in_progress or done.",
    scope: "filtered",
    allow: ["task_write"],
    input: z.object({ task_id: IdInput, status: TaskStatus }),
    output: Task,
    async run(ctx, { task_id, status }) {
      const { id } = await findTask(ctx, ctx.storage, task_id);
      return wordTask(ctx.storage, await ctx.transaction((work) => moveOwn(ctx, work, id, status)));
    },
  }),

  reply: operation({
    summary: "Answers the human in the task's thread and, if asked, moves the task.",
    scope: "filtered",
    allow: ["message_send"],
    idempotent: true,
    input: z.object({
      task_id: IdInput,
      text: Body.optional(),
      html: Body.optional(),
      status: TaskStatus.optional(),
      client_id: ClientId.optional(),
    }),
    output: z.object({ task: Task, message: Sent, idempotent: z.boolean().default(false) }),
    async replay(ctx, { task_id, client_id }) {
      const task = await findTask(ctx, ctx.storage, task_id);
      const message = await replaySend(await inboxContext(ctx, task), client_id);
      if (message === undefined) return undefined;
      return { task: await wordTask(ctx.storage, task), message: { ...message, idempotent: true } };
    },
    async run(ctx, { task_id, status, ...reply }) {
      const task = await findTask(ctx, ctx.storage, task_id);
      const inInbox = await inboxContext(ctx, task);
      const answered = await answeredBy(ctx, task);
      let moved = task;
      const message = await sendMail(inInbox, replyTo(answered, inInbox.inbox.email, reply, false), {
        also: async (work) => {
          moved = status === undefined ? task : await moveOwn(ctx, work, task.id, status);
        },
        draft: { kind: "reply", task_id: task.id, task_status: status ?? null },
        answer: (shown) => ({ task: showTask(moved, answered), message: shown }),
      });
      return { task: showTask(moved, answered), message };
    },
  }),

  ...claims,
};

async function moveOwn(
  ctx: AccountContext,
  work: Work,
  id: string,
  status: TaskRecord["status"],
): Promise<TaskRecord> {
  await findTask(ctx, work, id);
  const moved = await moveTask(work, id, status, ctx.now);
  if (moved === undefined) throw notFound("task_not_found", "tsk", id);
  return moved;
}

async function inboxContext(ctx: AccountContext, task: TaskRecord): Promise<InboxContext> {
  const inbox = await ctx.storage.get("inboxes", task.inbox_id);
  if (inbox === undefined) throw fail("inbox_not_found");
  return { ...ctx, inbox };
}

/** The message that a reply to the task answers: the one that gave it, else the newest of its thread. */
async function answeredBy({ storage }: AccountContext, task: TaskRecord): Promise<MessageRecord> {
  const thread = task.message_id === null ? await storage.get("threads", task.thread_id) : undefined;
  return findMessage(storage, task.inbox_id, task.message_id ?? thread?.last_message_id ?? "");
}
