import { z } from "zod";
import { AttachmentId, DraftId, IdInput, InboxId, OnlyInboxId } from "../../../catalogue/id-inputs.ts";
import { LIMITS } from "../../../catalogue/limits.ts";
import { AGENTS, withinReach } from "../../../kernel/access/caller.ts";
import type { AccountContext } from "../../../kernel/context.ts";
import { notFound } from "../../../kernel/gate.ts";
import { checkInbox } from "../../../kernel/inbox/check.ts";
import { openInboxes } from "../../../kernel/inbox/find.ts";
import { operation } from "../../../kernel/operation.ts";
import { newestFirst } from "../../../kernel/page.ts";
import {
  Attachments,
  Correspondent,
  CustomHeaders,
  checkPermanent,
  downloadOf,
  LabelList,
  Permanent,
  Recipients,
  RecipientsOrNumber,
  SendFields,
  Subject,
  TrashFolder,
  withNames,
} from "../../../mailbox/messages/index.ts";
import { Download } from "../../../model/attachments.ts";
import { Draft, DraftKind } from "../../../model/drafts.ts";
import { CursorInput, clearable, Deleted, Limit, listOf } from "../../../model/fields.ts";
import { Message } from "../../../model/messages.ts";
import { SendCheck } from "../../../model/send-checks.ts";
import { ClaimToken } from "../../../model/threads.ts";
import { TimestampInput } from "../../../model/times.ts";
import { RestorableUntil } from "../../../model/trash.ts";
import { ANSWERED_REFERENCE } from "../answered.ts";
import { PHONE_ERRORS, PHONE_WORD_ERRORS } from "../phone/phone-send.ts";
import { AllowMultiple } from "../reply-guard.ts";
import { ATTACHMENT_ERRORS, DryRun, replaySend, SEND_ERRORS, Sent } from "../send.ts";
import { changeDraft } from "./change.ts";
import { createDraft } from "./create.ts";
import { findDraft } from "./find.ts";
import { checkMaySchedule } from "./rules.ts";
import { sendDraftNow } from "./send-now.ts";
import { showDraft, showDraftInList } from "./show.ts";
import { pageOfTrashedDrafts, removeDraft, restoreDraft } from "./trash.ts";

const one = { inbox_id: InboxId, draft_id: DraftId };
const paged = {
  limit: Limit(LIMITS.list_default, LIMITS.list_max),
  cursor: CursorInput.optional(),
  folder: TrashFolder,
};

const words = {
  to: Recipients.optional().describe(`The addresses in To, at most ${LIMITS.recipients} in all fields.`),
  cc: Recipients.optional().describe("The addresses in Cc."),
  bcc: Recipients.optional().describe("The addresses in Bcc, which the other recipients don't see."),
  reply_to: Correspondent.nullable()
    .optional()
    .describe("Where replies are to go; null for the inbox's own address."),
  subject: Subject.optional().describe(`The subject line, at most ${LIMITS.subject_chars} characters.`),
  headers: CustomHeaders.optional().describe(`X-* headers to add, at most ${LIMITS.custom_headers}.`),
  labels: SendFields.labels.describe(`Your own labels for the message, at most ${LIMITS.labels}.`),
};

const cleared = "; null removes all of them.";
/** The same fields where a draft is changed. */
const changedWords = {
  ...words,
  to: clearable(RecipientsOrNumber, [])
    .optional()
    .describe(
      `The addresses in To, at most ${LIMITS.recipients} in all fields, and for a text or call its one phone number${cleared}`,
    ),
  cc: clearable(Recipients, []).optional().describe(`The addresses in Cc${cleared}`),
  bcc: clearable(Recipients, [])
    .optional()
    .describe(`The addresses in Bcc, which the other recipients don't see${cleared}`),
  subject: clearable(Subject, "")
    .optional()
    .describe(`The subject line, at most ${LIMITS.subject_chars} characters; null removes it.`),
  headers: clearable(CustomHeaders, {})
    .optional()
    .describe(`X-* headers to add, at most ${LIMITS.custom_headers}${cleared}`),
  labels: clearable(LabelList, [])
    .optional()
    .describe(`Your own labels for the message, at most ${LIMITS.labels}${cleared}`),
};

/** A new draft, or what became of it; the type leaves out the `send_check` of a dry run. */
const Created = z.union([Draft, Message, SendCheck]) as unknown as z.ZodUnion<
  readonly [typeof Draft, typeof Message]
>;

/** The operations on drafts. */
export const drafts = {
  list: operation({
    summary: "Lists the drafts of an inbox, newest first.",
    when: "See what is written but not sent, what is scheduled, and what waits for an owner.",
    scope: "inbox",
    inbox_by_name: true,
    effect: "read",
    pages: true,
    allow: ["draft_read", "message_read"],
    input: z.object({ inbox_id: InboxId, ...paged }),
    output: listOf(Draft),
    run: (ctx, { inbox_id: _named, ...asked }) => listDrafts(ctx, { inbox_id: ctx.inbox.id }, asked),
  }),

  listAll: operation({
    summary: "Lists the drafts of all inboxes, newest first.",
    when: "See the drafts of every inbox that the key reaches.",
    scope: "filtered",
    effect: "read",
    pages: true,
    allow: ["draft_read", "message_read"],
    tool: {
      name: "list_drafts",
      description: "List drafts: unsent, scheduled, or waiting for approval.",
      without: ["folder"],
    },
    input: z.object({ inbox_id: OnlyInboxId, ...paged }),
    output: listOf(Draft),
    async run(ctx, { inbox_id, ...asked }) {
      await checkInbox(ctx, inbox_id);
      const page = await listDrafts(ctx, withinReach(ctx.caller, inbox_id), asked);
      const open = await openInboxes(ctx.storage, page.data);
      return { ...page, data: page.data.filter((draft) => open.has(draft.inbox_id)) };
    },
  }),

  get: operation({
    summary: "Shows a draft.",
    when: "Read a draft, or see whether it is approved or sent.",
    scope: "inbox",
    inbox_by_name: true,
    effect: "read",
    allow: ["draft_read", "message_read"],
    tool: { name: "get_draft", description: "Read a draft and its approval's state." },
    input: z.object(one),
    output: Draft,
    run: async (ctx, { draft_id }) =>
      showDraft(await findDraft(ctx.storage, ctx.inbox.id, draft_id), ctx.options),
  }),

  create: operation({
    summary:
      "Creates a draft: a new mail, a reply, a reply to all or a forward. With send_at it is sent at that time.",
    when: "Write a mail for somebody else to check, or for later with send_at.",
    example: {
      to: ["olga@owner.example"],
      subject: "Weekly report",
      text: "All orders are placed.",
      send_at: "2026-11-23T08:00:00Z",
    },
    errors: [
      ...ATTACHMENT_ERRORS,
      "invalid_draft",
      "message_not_found",
      "not_a_mail",
      "no_reply_address",
      "missing_body",
      "no_recipients",
      "protected_label",
      "inbox_paused",
      "inbox_expired",
      "account_unclaimed",
      "recipient_blocked",
      "recipient_suppressed",
      "sending_paused",
      "owner_required",
      "approval_limit",
      "approval_rejected",
      "invalid_send_at",
      "already_replied",
      "own_secret",
      "canary_leaked",
      "outbound_blocked",
      "rate_limited",
      "thread_claimed",
    ],
    scope: "inbox",
    effect: "write",
    allow: ["message_send", "draft_write"],
    authorize: ({ permissions }, { send_at }) => checkMaySchedule(permissions, send_at !== undefined),
    idempotent: true,
    tool: {
      name: "create_draft",
      description: "Write a mail without sending it; with send_at it is sent then.",
      without: [
        ...["reply_to", "headers", "html", "include_attachments", "labels"],
        ...["allow_multiple", "claim_token", "dry_run"],
      ],
      fields: {
        kind: "",
        in_reply_to: "For a reply: the message_id",
        forward_of: "For a forward: the message_id",
        send_at: "",
      },
    },
    input: z.object({
      inbox_id: InboxId,
      kind: DraftKind.exclude(["sms", "call"])
        .default("new")
        .describe("What it becomes: a new mail, a reply, a reply to all or a forward."),
      ...words,
      text: SendFields.text,
      html: SendFields.html,
      attachments: SendFields.attachments,
      in_reply_to: z
        .string()
        .max(998)
        .regex(ANSWERED_REFERENCE, { error: "invalid_header" })
        .optional()
        .describe("The message that it answers, by its id or Message-ID."),
      forward_of: IdInput.optional().describe("The message that it forwards."),
      include_attachments: z
        .boolean()
        .default(true)
        .describe("Whether a forward takes the attachments of the original along."),
      send_at: TimestampInput.optional().describe(
        "When to send it: in the future, at most 366 days ahead; without it, when it is sent by hand.",
      ),
      client_id: SendFields.client_id,
      allow_multiple: AllowMultiple,
      dry_run: DryRun,
      claim_token: ClaimToken,
    }),
    // A repeated call shows what became of the draft.
    output: Created,
    replay: (ctx, { client_id, dry_run }) => replaySend(ctx, dry_run ? undefined : client_id),
    run: (ctx, { inbox_id: _inbox, ...request }) => createDraft(ctx, withNames(request)),
  }),

  update: operation({
    summary: "Changes a draft. This voids its approval requests; send it to ask the owners again.",
    when: "Correct a draft before it is sent.",
    example: { text: "All orders are placed and paid.", send_at: null },
    errors: [
      ...ATTACHMENT_ERRORS,
      "missing_change",
      "already_replied",
      "draft_sending",
      "thread_claimed",
      "protected_label",
      "invalid_send_at",
      "owner_required",
      "invalid_draft",
      "missing_text",
      "text_too_long",
      "missing_say",
      "say_too_long",
      "invalid_e164",
    ],
    scope: "inbox",
    effect: "write",
    patches: true,
    allow: ["message_send", "draft_write"],
    authorize: ({ permissions }, { send_at }) => checkMaySchedule(permissions, send_at != null),
    tool: {
      name: "update_draft",
      description: "Change a draft; owners are asked anew when it is sent.",
      hints: { destructive: true, idempotent: true },
      without: ["reply_to", "headers", "html", "labels", "allow_multiple", "claim_token"],
      fields: {
        to: "",
        text: "",
        remove_attachments: "Their ids",
        send_at: "Null ends the schedule",
      },
    },
    input: z.object({
      ...one,
      ...changedWords,
      text: SendFields.text
        .nullable()
        .describe(`The new text part, at most ${LIMITS.body_chars} characters; null removes it.`),
      html: SendFields.html
        .nullable()
        .describe(`The new HTML part, at most ${LIMITS.body_chars} characters; null removes it.`),
      add_attachments: Attachments.default([]).describe(
        `Files to attach besides those that it has, at most ${LIMITS.attachments}.`,
      ),
      remove_attachments: z
        .array(IdInput)
        .max(LIMITS.attachments, { error: "too_many_attachments" })
        .default([])
        .describe("The ids of attachments to take off."),
      send_at: TimestampInput.nullable()
        .optional()
        .describe("When to send it: in the future, at most 366 days ahead; null ends the schedule."),
      allow_multiple: AllowMultiple,
      claim_token: ClaimToken,
    }),
    output: Draft,
    run: (ctx, { inbox_id: _inbox, draft_id, ...change }) => changeDraft(ctx, draft_id, withNames(change)),
  }),

  delete: operation({
    summary:
      "Moves a draft to the trash, from which it can be restored for a time, and ends its schedule and its approval requests; with permanent=true deletes it for good.",
    when: "Throw a draft away.",
    errors: ["draft_sending"],
    scope: "inbox",
    effect: "delete",
    allow: ["message_delete", "message_send", "draft_write"],
    authorize: ({ permissions }, { permanent }) => checkPermanent(permissions, permanent),
    input: z.object({ ...one, permanent: Permanent }),
    output: Deleted("draft").extend({ restorable_until: RestorableUntil }),
    run: async (ctx, { draft_id, permanent }) => ({
      id: draft_id,
      restorable_until: await removeDraft(ctx, draft_id, permanent),
    }),
  }),

  restore: operation({
    summary: "Takes a draft out of the trash; it isn't scheduled any more.",
    when: "Take back that a draft was thrown away.",
    errors: ["not_in_trash", "owner_only"],
    scope: "inbox",
    effect: "write",
    allow: ["message_update"],
    input: z.object(one),
    output: Draft,
    run: async (ctx, { draft_id }) => showDraft(await restoreDraft(ctx, draft_id), ctx.options),
  }),

  send: operation({
    summary:
      "Sends a draft now, once: the draft becomes a message, which answers another send of it for 24 hours. In approval mode its owners are asked first.",
    when: "Send what was checked; in approval mode this asks the owners.",
    errors: [...new Set([...SEND_ERRORS, ...PHONE_ERRORS]), ...PHONE_WORD_ERRORS, "draft_sending"],
    scope: "inbox",
    callers: AGENTS,
    effect: "write",
    holds: true,
    allow: ["message_send", "draft_send"],
    idempotent: true,
    tool: {
      name: "send_draft",
      description: "Send a draft now, or ask its owners for approval.",
      hints: { open_world: true },
      without: ["dry_run", "allow_multiple"],
    },
    input: z.object({ ...one, dry_run: DryRun, allow_multiple: AllowMultiple, claim_token: ClaimToken }),
    output: Sent,
    run: (ctx, { draft_id, inbox_id: _inbox, ...how }) => sendDraftNow(ctx, draft_id, how),
  }),

  attachment: operation({
    summary: "Downloads an attachment of a draft; active content is served as application/octet-stream.",
    when: "Look at a file before it is sent.",
    scope: "inbox",
    inbox_by_name: true,
    effect: "read",
    allow: ["draft_read", "message_read"],
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
    async run(ctx, { draft_id, attachment_id, download }) {
      const draft = await findDraft(ctx.storage, ctx.inbox.id, draft_id);
      const attachment = draft.attachments.find(({ id }) => id === attachment_id);
      if (attachment === undefined) throw notFound("attachment_not_found", "att", attachment_id);
      return downloadOf(ctx, attachment, download === "1");
    },
  }),
};

interface Asked {
  limit: number;
  cursor?: string | undefined;
  folder?: "trash" | undefined;
}

async function listDrafts(
  { storage, options }: AccountContext,
  of: ReturnType<typeof withinReach>,
  { limit, cursor, folder }: Asked,
) {
  if (folder === "trash") return pageOfTrashedDrafts({ storage, options }, of, { limit, cursor });
  const page = await newestFirst(storage, "drafts", { where: of, limit, cursor });
  return { ...page, data: page.data.map((draft) => showDraftInList(draft, options)) };
}
