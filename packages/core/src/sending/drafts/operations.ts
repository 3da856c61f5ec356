import { z } from "zod";
import { voidApprovals } from "../../approvals/index.ts";
import { IdInput } from "../../catalogue/ids.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { AGENTS, withinReach } from "../../kernel/caller.ts";
import type { AccountContext } from "../../kernel/context.ts";
import { notFound } from "../../kernel/gate.ts";
import { openInboxes } from "../../kernel/inbox/find.ts";
import { operation } from "../../kernel/operation.ts";
import { newestFirst } from "../../kernel/page.ts";
import { downloadHeaders } from "../../mail/attachments.ts";
import {
  AttachmentInput,
  Correspondent,
  CustomHeaders,
  Recipients,
  SendFields,
  Subject,
} from "../../messages/index.ts";
import { Download } from "../../model/attachments.ts";
import { Draft, DraftKind } from "../../model/drafts.ts";
import { CursorInput, Deleted, Limit, listOf, TimestampInput } from "../../model/fields.ts";
import { ANSWERED_REFERENCE } from "../answered.ts";
import { replaySend, Sent } from "../send.ts";
import { changeDraft } from "./change.ts";
import { createDraft } from "./create.ts";
import { findDraft } from "./find.ts";
import { checkNotSending } from "./rules.ts";
import { sendDraftNow } from "./send-now.ts";
import { showDraft, showDraftInList } from "./show.ts";
import { deleteDraft } from "./store.ts";

const one = { inbox_id: IdInput, draft_id: IdInput };
const paged = { limit: Limit(LIMITS.list_default, LIMITS.list_max), cursor: CursorInput.optional() };

const words = {
  to: Recipients.optional(),
  cc: Recipients.optional(),
  bcc: Recipients.optional(),
  reply_to: Correspondent.nullable().optional(),
  subject: Subject.optional(),
  headers: CustomHeaders.optional(),
  labels: SendFields.labels,
};

/** The operations on drafts. */
export const drafts = {
  list: operation({
    summary: "Lists the drafts of an inbox, newest first.",
    scope: "inbox",
    effect: "read",
    pages: true,
    allow: ["draft_read", "message_read"],
    input: z.object({ inbox_id: IdInput, ...paged }),
    output: listOf(Draft),
    run: (ctx, { limit, cursor }) => listDrafts(ctx, { inbox_id: ctx.inbox.id }, limit, cursor),
  }),

  listAll: operation({
    summary: "Lists the drafts of all inboxes, newest first.",
    scope: "filtered",
    effect: "read",
    pages: true,
    allow: ["draft_read", "message_read"],
    input: z.object(paged),
    output: listOf(Draft),
    async run(ctx, { limit, cursor }) {
      const page = await listDrafts(ctx, withinReach(ctx.caller), limit, cursor);
      const open = await openInboxes(ctx.storage, page.data);
      return { ...page, data: page.data.filter(({ inbox_id }) => open.has(inbox_id)) };
    },
  }),

  get: operation({
    summary: "Shows a draft.",
    scope: "inbox",
    effect: "read",
    allow: ["draft_read", "message_read"],
    input: z.object(one),
    output: Draft,
    run: async (ctx, { draft_id }) =>
      showDraft(await findDraft(ctx.storage, ctx.inbox.id, draft_id), ctx.options),
  }),

  create: operation({
    summary:
      "Creates a draft: a new mail, a reply, a reply to all or a forward. With send_at it is sent at that time.",
    scope: "inbox",
    effect: "write",
    allow: ["message_send", "draft_write"],
    idempotent: true,
    input: z.object({
      inbox_id: IdInput,
      kind: DraftKind.default("new"),
      ...words,
      text: SendFields.text,
      html: SendFields.html,
      attachments: SendFields.attachments,
      in_reply_to: z.string().max(998).regex(ANSWERED_REFERENCE, { error: "invalid_header" }).optional(),
      forward_of: IdInput.optional(),
      include_attachments: z.boolean().default(true),
      send_at: TimestampInput.optional(),
      client_id: SendFields.client_id,
    }),
    output: Sent,
    replay: (ctx, { client_id }) => replaySend(ctx, client_id),
    run: (ctx, { inbox_id: _inbox, ...request }) => createDraft(ctx, request),
  }),

  update: operation({
    summary: "Changes a draft. This voids its approval requests; send it to ask the owners again.",
    scope: "inbox",
    effect: "write",
    allow: ["message_send", "draft_write"],
    input: z.object({
      ...one,
      ...words,
      text: SendFields.text.nullable(),
      html: SendFields.html.nullable(),
      add_attachments: z
        .array(AttachmentInput)
        .max(LIMITS.attachments, { error: "invalid_attachment" })
        .default([]),
      remove_attachments: z
        .array(IdInput)
        .max(LIMITS.attachments, { error: "invalid_attachment" })
        .default([]),
      send_at: TimestampInput.nullable().optional(),
    }),
    output: Draft,
    run: (ctx, { inbox_id: _inbox, draft_id, ...change }) => changeDraft(ctx, draft_id, change),
  }),

  delete: operation({
    summary: "Deletes a draft, with its schedule and its approval requests.",
    scope: "inbox",
    effect: "delete",
    allow: ["message_delete", "message_send", "draft_write"],
    input: z.object(one),
    output: Deleted("draft"),
    run: (ctx, { draft_id }) =>
      ctx.transaction(async (work) => {
        const draft = await findDraft(work, ctx.inbox.id, draft_id);
        checkNotSending(draft);
        await voidApprovals(work, draft_id, ctx.now);
        await deleteDraft(work, draft, ctx.now);
        return { id: draft_id };
      }),
  }),

  send: operation({
    summary:
      "Sends a draft now, once: the draft becomes a message. In approval mode its owners are asked first.",
    scope: "inbox",
    callers: AGENTS,
    effect: "write",
    holds: true,
    allow: ["message_send", "draft_send"],
    idempotent: true,
    input: z.object(one),
    output: Sent,
    run: (ctx, { draft_id }) => sendDraftNow(ctx, draft_id),
  }),

  attachment: operation({
    summary: "Downloads an attachment of a draft; active content is served as application/octet-stream.",
    scope: "inbox",
    effect: "read",
    allow: ["draft_read", "message_read"],
    answers: "bytes",
    input: z.object({ ...one, attachment_id: IdInput, download: z.enum(["0", "1"]).optional() }),
    output: Download,
    async run({ storage, blobs, inbox }, { draft_id, attachment_id, download }) {
      const draft = await findDraft(storage, inbox.id, draft_id);
      const attachment = draft.attachments.find(({ id }) => id === attachment_id);
      const bytes = attachment === undefined ? undefined : await blobs.get(attachment.hash);
      if (attachment === undefined || bytes === undefined)
        throw notFound("attachment_not_found", "att", attachment_id);
      return { bytes, headers: downloadHeaders(attachment, download === "1") };
    },
  }),
};

async function listDrafts(
  { storage, options }: AccountContext,
  of: ReturnType<typeof withinReach>,
  limit: number,
  cursor: string | undefined,
) {
  const page = await newestFirst(storage, "drafts", { where: of, limit, cursor });
  return { ...page, data: page.data.map((draft) => showDraftInList(draft, options)) };
}
