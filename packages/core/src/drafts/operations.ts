import { z } from "zod";
import { askAboutDraft } from "../approvals/ask.ts";
import { voidApprovals } from "../approvals/end.ts";
import { isApproved, mailDigest } from "../approvals/rules.ts";
import { downloadHeaders } from "../attachments/rules.ts";
import { Download } from "../attachments/schema.ts";
import type { AccountContext } from "../context.ts";
import { fail } from "../errors.ts";
import { notFound } from "../gate.ts";
import { IdInput } from "../ids.ts";
import { openInboxes } from "../inboxes/open.ts";
import { limits } from "../limits.ts";
import { answeredForm } from "../messages/answered.ts";
import { checkSend } from "../messages/check-send.ts";
import { AttachmentInput, CustomHeaders, Recipients, Subject, sendFields } from "../messages/inputs.ts";
import { messageNamed, replaySend } from "../messages/send.ts";
import { Sent } from "../messages/sent.ts";
import { showMessage } from "../messages/show.ts";
import { storeUploads } from "../messages/store-uploads.ts";
import { operation } from "../operation.ts";
import { CursorInput, pageOf } from "../page.ts";
import { Deleted, Email, iso, Limit, listOf, TimestampInput } from "../schema.ts";
import { settle } from "../settle.ts";
import type { Work } from "../unit-of-work.ts";
import { findDraft } from "./find.ts";
import { afterEdit, checkAtRest, checkMaySchedule, checkSendAt } from "./rules.ts";
import { Draft, DraftKind, type DraftRecord } from "./schema.ts";
import { sendDraft } from "./send-draft.ts";
import { showDraft, showDraftInList } from "./show.ts";
import { dropDraft, noteBytes, storeDraft } from "./store.ts";
import { checkDraft, draftedMail } from "./write.ts";

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
    run: async (ctx, { draft_id }) => showDraft(await findDraft(ctx.storage, ctx.inbox.id, draft_id), ctx.options),
  }),

  create: operation({
    summary: "Writes a draft: a new mail, a reply, a reply to all or a forward. With send_at it is sent then.",
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
    async run(ctx, { kind, in_reply_to, forward_of, include_attachments, send_at = null, client_id = null, ...said }) {
      checkMaySchedule(ctx.caller.permissions, send_at !== null);
      checkSendAt(send_at, ctx.now);
      const mail = await draftedMail(ctx, { kind, in_reply_to, forward_of, include_attachments }, said);
      if (send_at !== null) await checkSend(ctx, mail);
      const { attachments: uploads = [], carried = [], text = null, html = null, labels = [], ...rest } = mail;
      const uploaded = await storeUploads(ctx, uploads, { text, html, stored: carried });
      const wish = {
        ...rest,
        text,
        html,
        labels,
        client_id,
        attachments: [...carried, ...uploaded],
        kind,
        forward_of,
        include_attachments,
        send_at,
      };
      return ctx.transaction(async (work) => {
        const inbox = await work.get("inboxes", ctx.inbox.id);
        if (inbox === undefined) throw fail("inbox_not_found");
        const sent = await messageNamed(ctx, work, client_id);
        if (sent !== undefined) return { ...sent, idempotent: true };
        const { draft, inserted } = await storeDraft(ctx, work, inbox, wish, ctx.now);
        const asks = inserted && send_at !== null && inbox.send_mode === "approval";
        const shown = showDraft(asks ? await askAboutDraft(ctx, work, inbox, draft, ctx.now) : draft, ctx.options);
        await settle(ctx, work, shown);
        return { ...shown, idempotent: !inserted };
      });
    },
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
      add_attachments: z.array(AttachmentInput).max(limits.attachments, { error: "invalid_attachment" }).default([]),
      remove_attachments: z.array(IdInput).max(limits.attachments, { error: "invalid_attachment" }).default([]),
      send_at: TimestampInput.nullable().optional(),
    }),
    output: Draft,
    async run(ctx, { inbox_id: _inbox, draft_id, add_attachments, remove_attachments, send_at, ...change }) {
      const named = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Partial<DraftRecord>;
      const touched = Object.keys(named).length + add_attachments.length + remove_attachments.length;
      if (touched === 0 && send_at === undefined) throw fail("missing_change");
      checkSendAt(send_at, ctx.now);
      const before = await findDraft(ctx.storage, ctx.inbox.id, draft_id);
      const uploaded = await storeUploads(ctx, add_attachments, { ...before, ...named, stored: before.attachments });

      return ctx.transaction(async (work) => {
        const current = await findDraft(work, ctx.inbox.id, draft_id);
        checkAtRest(current);
        const time = send_at === undefined ? current.send_at : send_at;
        checkMaySchedule(ctx.caller.permissions, time !== null || current.send_status === "scheduled");
        const kept = current.attachments.filter(({ id }) => !remove_attachments.includes(id));
        const missing = remove_attachments.find((id) => !current.attachments.some((attachment) => attachment.id === id));
        if (missing !== undefined) throw notFound("attachment_not_found", "att", missing);
        const attachments = [...kept, ...uploaded];
        if (attachments.length > limits.attachments) throw fail("invalid_attachment", { param: "add_attachments" });
        checkDraft({ ...current, ...named });

        await voidApprovals(work, draft_id, ctx.now);
        await work.delete("jobs", { subject_id: draft_id, kind: "draft.send" });
        await work.delete("blob_uses", { message_id: draft_id });
        const edited = { ...named, attachments, ...afterEdit(current, time), updated_at: iso(ctx.now) };
        const [changed] = await work.update("drafts", { id: draft_id }, edited);
        if (changed === undefined) throw notFound("draft_not_found", "dft", draft_id);
        noteBytes(work, changed);
        if (time !== null) work.job({ kind: "draft.send", subject_id: draft_id, due_at: new Date(time) });
        return showDraft(changed, ctx.options);
      });
    },
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
    summary: "Sends a draft now, once: the draft becomes a message. In approval mode its owners are asked first.",
    scope: "inbox",
    allow: ["message_send", "draft_send"],
    idempotent: true,
    input: z.object(one),
    output: Sent,
    async run(ctx, { draft_id }) {
      const { now, options } = ctx;
      const before = await findDraft(ctx.storage, ctx.inbox.id, draft_id);
      checkAtRest(before);
      await checkSend(ctx, before);
      return ctx.transaction(async (work) => {
        const inbox = await work.get("inboxes", ctx.inbox.id);
        if (inbox === undefined) throw fail("inbox_not_found");
        const found = await findDraft(work, ctx.inbox.id, draft_id);
        checkAtRest(found);
        if (mailDigest(inbox, found) !== mailDigest(inbox, before)) throw fail("draft_changed");
        const draft = await withoutTime(work, found, now);
        const approval = draft.approval_id === null ? undefined : await work.get("approvals", draft.approval_id);
        const approved = isApproved(draft, approval, mailDigest(inbox, draft));
        if (inbox.send_mode === "approval" && !approved) {
          const shown = showDraft(await askAboutDraft(ctx, work, inbox, draft, now), options);
          await settle(ctx, work, shown);
          return shown;
        }
        if (!approved) await voidApprovals(work, draft_id, now);
        const { record, body } = await sendDraft(ctx, work, inbox, draft, now, { keep: approved });
        const shown = showMessage(record, body, options);
        await settle(ctx, work, shown);
        return shown;
      });
    },
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
      if (attachment === undefined || bytes === undefined) throw notFound("attachment_not_found", "att", attachment_id);
      return { bytes, headers: downloadHeaders(attachment, download === "1") };
    },
  }),
};

const inboxOrAccount = ({ account_id, caller }: AccountContext) =>
  caller.inbox_id === null ? { account_id } : { inbox_id: caller.inbox_id };

/** To send a draft now is to drop the time that it was to wait for. */
async function withoutTime(work: Work, draft: DraftRecord, now: Date): Promise<DraftRecord> {
  if (draft.send_at === null || draft.send_at <= iso(now)) return draft;
  await work.delete("jobs", { subject_id: draft.id, kind: "draft.send" });
  const [freed] = await work.update("drafts", { id: draft.id }, { send_at: null, send_status: "draft" });
  return freed ?? draft;
}

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
