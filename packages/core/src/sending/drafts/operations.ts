import { z } from "zod";
import { voidApprovals } from "../../approvals/index.ts";
import { IdInput } from "../../catalogue/ids.ts";
import { limits } from "../../catalogue/limits.ts";
import type { AccountContext } from "../../kernel/context.ts";
import { notFound } from "../../kernel/gate.ts";
import { openInboxes } from "../../kernel/inbox/open.ts";
import { operation } from "../../kernel/operation.ts";
import { pageOf } from "../../kernel/page.ts";
import { downloadHeaders } from "../../mail/attachments.ts";
import { AttachmentInput, CustomHeaders, Recipients, Subject, sendFields } from "../../messages/index.ts";
import { Download } from "../../model/attachments.ts";
import { Draft, DraftKind, type DraftRecord } from "../../model/drafts.ts";
import { CursorInput, Deleted, Email, Limit, listOf, TimestampInput } from "../../model/fields.ts";
import { answeredForm } from "../answered.ts";
import { replaySend } from "../send.ts";
import { Sent } from "../sent.ts";
import { changeDraft } from "./change.ts";
import { createDraft } from "./create.ts";
import { findDraft } from "./find.ts";
import { checkAtRest } from "./rules.ts";
import { sendDraftNow } from "./send-now.ts";
import { showDraft, showDraftInList } from "./show.ts";
import { dropDraft } from "./store.ts";

const one = { inbox_id: IdInput, draft_id: IdInput };
const paged = { limit: Limit(limits.list_default, limits.list_max), cursor: CursorInput.optional() };

const words = {
  to: Recipients.optional(),
  cc: Recipients.optional(),
  bcc: Recipients.optional(),
  reply_to: Email.nullable().optional(),
  subject: Subject.optional(),
  headers: CustomHeaders.optional(),
  labels: sendFields.labels,
};

/** What can be done with mail that is not sent yet. */
export const drafts = {
  list: operation({
    summary: "Lists the drafts of an inbox, newest first.",
    scope: "inbox",
    allow: ["draft_read", "message_read"],
    input: z.object({ inbox_id: IdInput, ...paged }),
    output: listOf(Draft),
    run: (ctx, { limit, cursor }) => listDrafts(ctx, { inbox_id: ctx.inbox.id }, limit, cursor),
  }),

  listAll: operation({
    summary: "Lists the drafts of all inboxes, newest first.",
    scope: "filtered",
    allow: ["draft_read", "message_read"],
    input: z.object(paged),
    output: listOf(Draft),
    async run(ctx, { limit, cursor }) {
      const page = await listDrafts(ctx, inboxOrAccount(ctx), limit, cursor);
      const open = await openInboxes(ctx.storage, page.data);
      return { ...page, data: page.data.filter(({ inbox_id }) => open.has(inbox_id)) };
    },
  }),

  get: operation({
    summary: "Shows a draft.",
    scope: "inbox",
    allow: ["draft_read", "message_read"],
    input: z.object(one),
    output: Draft,
    run: async (ctx, { draft_id }) =>
      showDraft(await findDraft(ctx.storage, ctx.inbox.id, draft_id), ctx.options),
  }),

  create: operation({
    summary:
      "Writes a draft: a new mail, a reply, a reply to all or a forward. With send_at it is sent then.",
    scope: "inbox",
    allow: ["message_send", "draft_write"],
    idempotent: true,
    input: z.object({
      inbox_id: IdInput,
      kind: DraftKind.default("new"),
      ...words,
      text: sendFields.text,
      html: sendFields.html,
      attachments: sendFields.attachments,
      in_reply_to: z.string().max(998).regex(answeredForm, { error: "invalid_header" }).optional(),
      forward_of: IdInput.optional(),
      include_attachments: z.boolean().default(true),
      send_at: TimestampInput.optional(),
      client_id: sendFields.client_id,
    }),
    output: Sent,
    replay: (ctx, { client_id }) => replaySend(ctx, client_id),
    run: (ctx, { inbox_id: _inbox, ...wish }) => createDraft(ctx, wish),
  }),

  update: operation({
    summary: "Changes a draft. What owners were asked about it is void then; send it to ask them anew.",
    scope: "inbox",
    allow: ["message_send", "draft_write"],
    input: z.object({
      ...one,
      ...words,
      text: sendFields.text.nullable(),
      html: sendFields.html.nullable(),
      add_attachments: z
        .array(AttachmentInput)
        .max(limits.attachments, { error: "invalid_attachment" })
        .default([]),
      remove_attachments: z
        .array(IdInput)
        .max(limits.attachments, { error: "invalid_attachment" })
        .default([]),
      send_at: TimestampInput.nullable().optional(),
    }),
    output: Draft,
    run: (ctx, { inbox_id: _inbox, draft_id, ...change }) => changeDraft(ctx, draft_id, change),
  }),

  delete: operation({
    summary: "Deletes a draft, and with it its time and what owners were asked about it.",
    scope: "inbox",
    allow: ["message_delete", "message_send", "draft_write"],
    input: z.object(one),
    output: Deleted("draft"),
    run: (ctx, { draft_id }) =>
      ctx.transaction(async (work) => {
        const draft = await findDraft(work, ctx.inbox.id, draft_id);
        checkAtRest(draft);
        await voidApprovals(work, draft_id, ctx.now);
        await dropDraft(work, draft, ctx.now);
        return { id: draft_id };
      }),
  }),

  send: operation({
    summary:
      "Sends a draft now, once: the draft becomes a message. In approval mode its owners are asked first.",
    scope: "inbox",
    allow: ["message_send", "draft_send"],
    idempotent: true,
    input: z.object(one),
    output: Sent,
    run: (ctx, { draft_id }) => sendDraftNow(ctx, draft_id),
  }),

  attachment: operation({
    summary: "Downloads an attachment of a draft; bodies that a browser could run are served as plain bytes.",
    scope: "inbox",
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

const inboxOrAccount = ({ account_id, caller }: AccountContext) =>
  caller.inbox_id === null ? { account_id } : { inbox_id: caller.inbox_id };

async function listDrafts(
  { storage, options }: AccountContext,
  of: { inbox_id: string } | { account_id: string },
  limit: number,
  cursor: string | undefined,
) {
  const page = await pageOf<DraftRecord>({
    filter: { list: "drafts", ...of },
    limit,
    cursor,
    read: (after, most) =>
      storage.find("drafts", {
        where: { ...of, ...(after === undefined ? {} : { id: { lt: after } }) },
        order: { by: "id", direction: "desc" },
        limit: most,
      }),
    position: ({ id }) => id,
  });
  return { ...page, data: page.data.map((draft) => showDraftInList(draft, options)) };
}
