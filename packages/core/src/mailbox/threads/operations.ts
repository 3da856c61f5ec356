import { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { AttachmentId, InboxId, ThreadId } from "../../catalogue/id-inputs.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { AGENTS, withinReach } from "../../kernel/access/caller.ts";
import type { AccountContext } from "../../kernel/context.ts";
import { operation } from "../../kernel/operation.ts";
import { cursorAt, pageOf, positionOf } from "../../kernel/page.ts";
import { Download } from "../../model/attachments.ts";
import { CursorInput, Deleted, Limit, Line, listOf } from "../../model/fields.ts";
import { type MessageRecord, Shown } from "../../model/messages.ts";
import { searchFields } from "../../model/search.ts";
import { ClaimToken, Thread, ThreadAssignment, ThreadFolder } from "../../model/threads.ts";
import { TimestampInput } from "../../model/times.ts";
import { RestorableUntil } from "../../model/trash.ts";
import { downloadOf } from "../messages/download.ts";
import { listMessages } from "../messages/list.ts";
import { LabelsInput, View } from "../messages/outgoing/inputs.ts";
import { checkLabelChange } from "../messages/rules.ts";
import { showMessages } from "../messages/show.ts";
import { Permanent } from "../messages/trash/inputs.ts";
import { assignThread, unassignThread } from "./assign.ts";
import { deleteThread, trashThread } from "./delete.ts";
import { findThread, threadAttachment } from "./find.ts";
import { listThreads, type ThreadFilter } from "./list.ts";
import { pageOfTrashedThreads } from "./list-trash.ts";
import { moveThreads } from "./move.ts";
import { relabelThread } from "./relabel.ts";
import { restoreThread } from "./restore.ts";
import { checkMayForce, checkMayMove } from "./rules.ts";
import { FoundThreads, searchThreads } from "./search.ts";

const one = { inbox_id: InboxId, thread_id: ThreadId };

const listFields = {
  limit: Limit(LIMITS.search_default, LIMITS.search_max),
  cursor: CursorInput.optional(),
  folder: ThreadFolder.optional().describe(
    "Only threads in this folder; by default those of all folders but the trash.",
  ),
  label: z
    .array(z.string().max(64))
    .max(LIMITS.labels)
    .optional()
    .describe("Only threads with all of these labels."),
  unread: z
    .boolean()
    .optional()
    .describe("True for threads with unread mail, false for those without; both by default."),
  assignee: Line(LIMITS.assignee_chars).optional().describe("Only threads that are assigned to this name."),
  unassigned: z
    .boolean()
    .optional()
    .describe("True for threads that are assigned to nobody, false for the others; both by default."),
  before: TimestampInput.optional().describe("Only threads whose newest message is from before this time."),
  after: TimestampInput.optional().describe("Only threads whose newest message is from after this time."),
  order: z
    .enum(["asc", "desc"])
    .default("desc")
    .describe("`desc` for the newest first, `asc` for the oldest."),
};

/** The operations on threads. */
export const threads = {
  list: operation({
    summary: "Lists an inbox's threads, the one with the newest message first.",
    when: "Look through an inbox by conversations.",
    example: { unread: true },
    errors: ["invalid_cursor"],
    scope: "inbox",
    inbox_by_name: true,
    effect: "read",
    pages: true,
    allow: ["message_read"],
    input: z.object({ inbox_id: InboxId, ...listFields }),
    output: listOf(Thread),
    run: (ctx, { inbox_id: _named, ...asked }) => pageOfThreads(ctx, { inbox_id: ctx.inbox.id }, asked),
  }),

  listAll: operation({
    summary:
      "Lists the threads of all inboxes that the caller can see, the one with the newest message first.",
    when: "Look through the conversations of every inbox that the key reaches.",
    example: { unread: true },
    errors: ["invalid_cursor"],
    scope: "filtered",
    effect: "read",
    pages: true,
    allow: ["message_read"],
    tool: {
      name: "list_threads",
      description: "List conversations, newest first.",
      without: ["order", "before", "after", "assignee", "unassigned"],
      fields: { label: "", unread: "" },
    },
    input: z.object({
      inbox_id: InboxId.optional().describe("Only this inbox; all by default."),
      ...listFields,
    }),
    output: listOf(Thread),
    async run(ctx, { inbox_id, ...asked }) {
      if (inbox_id === undefined) return pageOfThreads(ctx, withinReach(ctx.caller), asked);
      const inbox = await ctx.storage.get("inboxes", inbox_id);
      if (inbox?.account_id !== ctx.account_id) throw fail("inbox_not_found", { param: "inbox_id" });
      return pageOfThreads(ctx, { inbox_id }, asked);
    },
  }),

  get: operation({
    summary: "Shows a thread with its messages, oldest first; next_cursor continues with later ones.",
    when: "Read a whole conversation before you answer.",
    example: { view: "summary" },
    scope: "inbox",
    inbox_by_name: true,
    effect: "read",
    allow: ["message_read"],
    tool: {
      name: "read_thread",
      description: "List a conversation's messages, oldest first. Read each with read_message.",
      sets: { view: "summary" },
    },
    input: z.object({
      ...one,
      limit: Limit(LIMITS.list_default, LIMITS.list_max),
      cursor: CursorInput.optional(),
      view: View,
    }),
    output: Thread.extend({
      messages: z.array(Shown).describe("The messages of this page, oldest first."),
      has_more: z.boolean().describe("Whether there is another page."),
      next_cursor: z
        .string()
        .nullable()
        .describe("What to send as `cursor` for the next page; null on the last one."),
    }).meta({ title: "ThreadWithMessages" }),
    async run({ storage, inbox, options }, { thread_id, limit, cursor, view }) {
      const thread = await findThread(storage, inbox.id, thread_id);
      const { data, has_more, next_cursor } = await pageOf<MessageRecord>({
        filter: { list: "thread", thread_id },
        limit,
        cursor,
        read: (after, count) =>
          listMessages(storage, { inbox_id: inbox.id, thread_id, order: "asc" }, after, count),
        position: ({ id }) => id,
      });
      return { ...thread, messages: await showMessages(storage, data, view, options), has_more, next_cursor };
    },
  }),

  update: operation({
    summary: "Changes a thread's labels; read and unread change all messages received so far.",
    when: "Label a conversation, or mark all its mail as read.",
    example: { add_labels: ["read"] },
    errors: ["missing_labels", "protected_label", "label_conflict"],
    scope: "inbox",
    effect: "write",
    patches: true,
    allow: ["thread_update"],
    input: z.object({
      ...one,
      add_labels: LabelsInput.describe(
        `Labels to add, at most ${LIMITS.labels}; of the system labels only \`read\` and \`unread\`.`,
      ),
      remove_labels: LabelsInput.describe(
        `Labels to remove, at most ${LIMITS.labels}; of the system labels only \`read\` and \`unread\`.`,
      ),
    }),
    output: Thread,
    async run(ctx, { thread_id, add_labels, remove_labels }) {
      checkLabelChange(add_labels, remove_labels);
      return relabelThread(ctx, thread_id, add_labels, remove_labels);
    },
  }),

  assign: operation({
    summary:
      "Assigns a thread, with a lease if asked: while it runs, only the holder of its token writes in the thread. The token again renews it.",
    when: "Several workers share an inbox: each takes a thread before it answers.",
    example: { assignee: "worker-7", lease_seconds: 300 },
    errors: ["thread_claimed", "permission_denied"],
    scope: "inbox",
    callers: AGENTS,
    effect: "write",
    allow: ["task_write"],
    authorize: ({ permissions }, { force }) => checkMayForce(permissions, force),
    input: z.object({
      ...one,
      assignee: Line(LIMITS.assignee_chars)
        .refine((name) => name.trim() !== "")
        .describe(`Whom it is for, 1 to ${LIMITS.assignee_chars} characters.`),
      note: Line(LIMITS.assignment_note_chars)
        .optional()
        .describe(`What to note with it, at most ${LIMITS.assignment_note_chars} characters.`),
      lease_seconds: z
        .int()
        .min(LIMITS.lease_min_seconds)
        .max(LIMITS.lease_max_seconds)
        .optional()
        .describe(
          `For how long it is theirs alone, ${LIMITS.lease_min_seconds} to ${LIMITS.lease_max_seconds} seconds; without it, there is no lease.`,
        ),
      claim_token: ClaimToken.describe("The token of the lease that runs, which renews it."),
      force: z
        .boolean()
        .default(false)
        .describe("True takes it from whoever holds it; this needs `thread_update` too."),
    }),
    output: ThreadAssignment,
    run: (ctx, { thread_id, inbox_id: _named, ...given }) => assignThread(ctx, thread_id, given),
  }),

  unassign: operation({
    summary: "Ends the assignment of a thread; while a lease runs, with its token.",
    when: "The work in a thread is done, or another is to take it.",
    errors: ["thread_claimed"],
    scope: "inbox",
    callers: AGENTS,
    effect: "write",
    allow: ["task_write"],
    input: z.object({ ...one, claim_token: ClaimToken }),
    output: ThreadAssignment,
    run: (ctx, { thread_id, claim_token }) => unassignThread(ctx, thread_id, claim_token),
  }),

  move: operation({
    summary: "Moves threads to a folder; mail to an archived thread brings it back to the inbox.",
    when: "File conversations away that are done, or take them back.",
    example: { thread_ids: ["thr_01kab3x9t2m4v6w8y0z5"], folder: "archive" },
    errors: ["too_many_ids"],
    scope: "inbox",
    effect: "write",
    allow: ["thread_update"],
    authorize: ({ permissions }, { folder }) => checkMayMove(permissions, folder),
    input: z.object({
      inbox_id: InboxId,
      thread_ids: z
        .array(z.string().max(320))
        .min(1)
        .max(LIMITS.moved_threads, { error: "too_many_ids" })
        .describe(`The threads, 1 to ${LIMITS.moved_threads} ids.`),
      folder: ThreadFolder.describe(
        "The folder to move them to; moving to `trash` is deleting and needs `message_delete`.",
      ),
    }),
    output: listOf(Thread).extend({
      moved: z.int().describe("How many threads were in another folder before."),
      not_found: z
        .array(z.string())
        .describe("The ids that are no thread of this inbox; one in the trash is restored instead."),
    }),
    run: moveThreads,
  }),

  delete: operation({
    summary:
      "Moves a thread with all its messages to the trash, from which it can be restored for a time; with permanent=true deletes it for good.",
    when: "Remove a conversation and its files.",
    errors: ["owner_only"],
    scope: "inbox",
    effect: "delete",
    allow: ["message_delete"],
    input: z.object({ ...one, permanent: Permanent }),
    output: Deleted("thread").extend({
      messages_deleted: z.int().describe("How many messages were deleted with it."),
      restorable_until: RestorableUntil,
    }),
    run: async (ctx, { thread_id, permanent }) => ({
      id: thread_id,
      ...(await (permanent ? deleteThread(ctx, thread_id) : trashThread(ctx, thread_id))),
    }),
  }),

  restore: operation({
    summary: "Takes a thread out of the trash, with the messages and tasks that went there with it.",
    when: "Take back that a conversation was deleted.",
    errors: ["not_in_trash", "owner_only"],
    scope: "inbox",
    effect: "write",
    allow: ["message_update"],
    input: z.object(one),
    output: Thread,
    run: (ctx, { thread_id }) => restoreThread(ctx, thread_id),
  }),

  search: operation({
    summary: "Searches an inbox's threads; each result comes with its newest matching message.",
    when: "Find a conversation by words of its mail.",
    example: { q: "subject:invoice" },
    errors: ["invalid_query"],
    scope: "inbox",
    inbox_by_name: true,
    effect: "read",
    pages: true,
    allow: ["message_read"],
    input: z.object({ inbox_id: InboxId, ...searchFields }),
    output: FoundThreads,
    run: searchThreads,
  }),

  attachment: operation({
    summary: "Downloads an attachment of any message of the thread.",
    when: "Get a file of a conversation without knowing which mail it came with.",
    errors: ["message_held"],
    scope: "inbox",
    inbox_by_name: true,
    effect: "read",
    allow: ["message_read"],
    answers: "bytes",
    input: z.object({
      ...one,
      attachment_id: AttachmentId,
      download: z
        .enum(["0", "1"])
        .optional()
        .describe("`1` makes browsers save the file instead of showing it."),
    }),
    output: Download,
    async run(ctx, { thread_id, attachment_id, download }) {
      const thread = await findThread(ctx.storage, ctx.inbox.id, thread_id);
      return downloadOf(ctx, await threadAttachment(ctx.storage, thread, attachment_id), download === "1");
    },
  }),
};

async function pageOfThreads(
  { storage }: AccountContext,
  scope: ReturnType<typeof withinReach>,
  asked: ThreadFilter & { limit: number; cursor?: string | undefined },
) {
  if (asked.folder === "trash") return pageOfTrashedThreads(storage, scope, asked);
  const { limit, cursor, ...narrowed } = asked;
  const filter = { list: "threads", ...scope, ...narrowed };
  const { data, next } = await listThreads(storage, scope, narrowed, {
    after: positionOf(cursor, filter),
    limit,
  });
  const next_cursor = next === null ? null : cursorAt(next, filter);
  return { object: "list" as const, data, has_more: next !== null, next_cursor };
}
