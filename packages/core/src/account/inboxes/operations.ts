import { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { InboxId } from "../../catalogue/id-inputs.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { decidersOver, ownerCopiesOf } from "../../kernel/access/authority.ts";
import type { InboxContext } from "../../kernel/context.ts";
import { expiryFields, expiryOf } from "../../kernel/expiry.ts";
import { notFound } from "../../kernel/gate.ts";
import { answerInTransaction } from "../../kernel/idempotency.ts";
import { operation } from "../../kernel/operation.ts";
import { cursorAt, positionOf } from "../../kernel/page.ts";
import type { Work } from "../../kernel/work.ts";
import { TrashFolder } from "../../mailbox/messages/index.ts";
import { Approval } from "../../model/approvals.ts";
import { ClientId, CursorInput, clearable, created, iso, Limit, listOf } from "../../model/fields.ts";
import { DisplayName, Inbox, InboxRecord, OwnerCopy, SendMode, Username } from "../../model/inboxes.ts";
import { ScreeningMode } from "../../model/screening.ts";
import { TimestampInput } from "../../model/times.ts";
import { askAboutChange, recordDecision } from "../../owners/approvals/index.ts";
import { closeInvitations } from "../../owners/owners/index.ts";
import { insertInbox } from "./create.ts";
import { createInboxes } from "./create-batch.ts";
import { deletion } from "./deletion-operations.ts";
import { checkMayEnd } from "./held-deletion.ts";
import { listInboxes } from "./list.ts";
import {
  checkOwnerManage,
  checkSecurity,
  checkSendMode,
  checkUnderApproval,
  DEFAULT_SECURITY,
  endsCopies,
  isLaxer,
  mergeMetadata,
  metadataAfter,
  statusChange,
} from "./rules.ts";
import {
  copiesEnded,
  Greeting,
  InboxLabels,
  Metadata,
  MetadataChange,
  securityAsked,
  securityChanged,
} from "./settings.ts";
import { pageOfTrashedInboxes } from "./trash.ts";

const InboxDomain = z
  .string()
  .max(LIMITS.dns_name_chars)
  .optional()
  .describe("The domain of the address: a verified custom domain; the service's own by default.");

const SMS_TASKS =
  "Whether texts and voicemails from numbers on the allowlist make tasks. Anybody can forge a number: false by default.";
const GREETING = `What callers hear before the beep, 1 to ${LIMITS.voicemail_greeting_chars} characters; null for one with the display name.`;

/** The operations on inboxes. */
export const inboxes = {
  list: operation({
    summary: "Lists the inboxes, newest first. q searches usernames, addresses and display names.",
    when: "Find an inbox, or see all that a key reaches.",
    example: { q: "support", limit: 10 },
    scope: "filtered",
    effect: "read",
    pages: true,
    allow: ["inbox_read"],
    tool: {
      name: "list_inboxes",
      description: "List your inboxes: their addresses, ids and settings.",
      without: ["folder"],
    },
    input: z.object({
      q: z
        .string()
        .max(200)
        .optional()
        .describe(
          "Only inboxes whose username, address or display name contains this; at most 200 characters.",
        ),
      limit: Limit(LIMITS.list_default, LIMITS.list_max),
      cursor: CursorInput.optional(),
      folder: TrashFolder,
    }),
    output: listOf(Inbox),
    async run(ctx, { q = "", limit, cursor, folder }) {
      const word = q.trim().toLowerCase();
      if (folder === "trash") return pageOfTrashedInboxes(ctx, { word, limit, cursor });
      const filter = { list: "inboxes", account_id: ctx.account_id, inbox_ids: ctx.caller.inbox_ids, word };
      const { data, next } = await listInboxes(ctx.storage, {
        ...filter,
        limit,
        after: positionOf(cursor, filter),
      });
      return {
        object: "list" as const,
        data,
        has_more: next !== null,
        next_cursor: next === null ? null : cursorAt(next, filter),
      };
    },
  }),

  create: operation({
    summary: "Creates an inbox, with a random readable username if none is given.",
    when: "Give an agent, a customer or a conversation an address of its own; with ttl_hours for a while only.",
    example: {
      username: "support",
      display_name: "Support",
      labels: ["team:support"],
      client_id: "support-inbox",
    },
    errors: [
      "username_taken",
      "username_reserved",
      "domain_not_found",
      "domain_not_verified",
      "account_unclaimed",
      "plan_limit_exceeded",
    ],
    scope: "account",
    effect: "write",
    allow: ["inbox_create"],
    authorize: ({ permissions }, asked) =>
      checkSecurity(permissions, DEFAULT_SECURITY, { ...DEFAULT_SECURITY, ...securityAsked(asked) }),
    idempotent: true,
    tool: {
      name: "create_inbox",
      description: "Create an inbox with an address of its own.",
      without: [
        "metadata",
        "expires_at",
        "screening",
        "require_sender_auth",
        "sms_tasks",
        "voicemail_greeting",
      ],
      fields: {
        username: "Before the @; random by default",
        display_name: "What recipients see",
        domain: "A verified domain of yours",
        ttl_hours: "Deletes it after a while",
      },
    },
    input: z.object({
      username: Username.optional().describe(
        "The part of the address before the @; a random readable one by default.",
      ),
      display_name: DisplayName.nullable()
        .optional()
        .describe("The name that recipients see beside the address; at most 200 characters."),
      domain: InboxDomain,
      labels: InboxLabels.default([]).describe(
        `Your own labels, at most ${LIMITS.labels}: a to z, digits, \`:\`, \`_\` and \`-\`.`,
      ),
      metadata: Metadata.default({}).describe(
        `Your own values by key: text, numbers and booleans, at most ${LIMITS.metadata_keys} keys and 16 KB of JSON.`,
      ),
      ...expiryFields,
      client_id: ClientId.optional(),
      screening: ScreeningMode.default(DEFAULT_SECURITY.screening).describe(
        "What happens to incoming mail that looks suspicious.",
      ),
      require_sender_auth: z
        .boolean()
        .default(DEFAULT_SECURITY.require_sender_auth)
        .describe("Whether mail makes a task only if its sender is authenticated."),
      sms_tasks: z.boolean().default(DEFAULT_SECURITY.sms_tasks).describe(SMS_TASKS),
      voicemail_greeting: Greeting.nullable().default(null).describe(GREETING),
    }),
    output: Inbox,
    async replay(ctx, { client_id }) {
      if (client_id === undefined) return undefined;
      const [earlier] = await ctx.storage.find("inboxes", {
        where: { account_id: ctx.account_id, client_id },
        limit: 1,
      });
      return earlier;
    },
    async run(
      ctx,
      { domain, ttl_hours, expires_at, metadata, client_id = null, display_name = null, ...settings },
    ) {
      const checked = {
        ...settings,
        domain,
        account_id: ctx.account_id,
        client_id,
        display_name,
        metadata: mergeMetadata({}, metadata),
        expires_at: expiryOf({ ttl_hours, expires_at }, ctx.now) ?? null,
      };
      return answerInTransaction(ctx, async (work) => {
        const { inbox, inserted } = await insertInbox(ctx, work, checked, ctx.now);
        if (inserted && isLaxer(DEFAULT_SECURITY, inbox))
          work.publish(securityChanged(DEFAULT_SECURITY, inbox));
        return { ...inbox, idempotent: !inserted };
      });
    },
  }),

  createBatch: operation({
    summary: "Creates up to 100 inboxes with random names, all or none, optionally with a prefix.",
    when: "Make many addresses at once, such as one for each customer or test.",
    example: { count: 3, prefix: "lead" },
    errors: [
      "username_taken",
      "username_reserved",
      "account_unclaimed",
      "plan_limit_exceeded",
      "domain_not_found",
      "domain_not_verified",
    ],
    scope: "account",
    effect: "write",
    allow: ["inbox_create"],
    idempotent: true,
    input: z.object({
      count: z
        .int()
        .min(1)
        .max(LIMITS.batch_inboxes)
        .describe(`How many, from 1 to ${LIMITS.batch_inboxes}.`),
      prefix: Username.optional().describe(
        "What each username begins with; random readable ones by default.",
      ),
      domain: InboxDomain,
      labels: InboxLabels.default([]).describe(`Labels for each of them, at most ${LIMITS.labels}.`),
      metadata: Metadata.default({}).describe(
        `Metadata for each of them, at most ${LIMITS.metadata_keys} keys and 16 KB of JSON.`,
      ),
      ...expiryFields,
    }),
    output: created(listOf(Inbox).extend({ count: z.int().describe("How many inboxes were created.") })),
    async run(ctx, { count, prefix, domain, labels, metadata, ttl_hours, expires_at }) {
      const settings = {
        account_id: ctx.account_id,
        domain,
        labels,
        metadata: mergeMetadata({}, metadata),
        expires_at: expiryOf({ ttl_hours, expires_at }, ctx.now) ?? null,
      };
      return answerInTransaction(ctx, async (work) => {
        const data = await createInboxes(ctx, work, { count, prefix }, settings);
        return { object: "list" as const, count, data, has_more: false, next_cursor: null };
      });
    },
  }),

  get: operation({
    summary: "Shows an inbox, by id, username or address.",
    when: "See an inbox's address, settings and state.",
    scope: "inbox",
    effect: "read",
    allow: ["inbox_read"],
    inbox_by_name: true,
    input: z.object({ inbox_id: InboxId }),
    output: Inbox,
    run: async (ctx) => ctx.inbox,
  }),

  update: operation({
    summary:
      "Changes an inbox: its status, name, labels, metadata, expiry, screening, send mode and voicemail greeting.",
    when: "Rename or pause an inbox, or change how its mail is checked; making it less careful in approval mode is decided by an owner.",
    example: { display_name: "Support (Ada)", screening: "hold", metadata: { customer: "17" } },
    errors: ["missing_change", "owner_required", "approval_required"],
    scope: "inbox",
    effect: "write",
    patches: true,
    holds: true,
    allow: ["inbox_update"],
    authorize: ({ permissions }, asked, inbox) => {
      if (inbox === undefined) return;
      checkSecurity(permissions, inbox, { ...inbox, ...securityAsked(asked) });
      if (endsCopies(inbox, asked["owner_copy"])) checkOwnerManage(permissions);
    },
    inbox_by_name: "batch",
    input: z.object({
      inbox_id: InboxId,
      status: z
        .enum(["active", "paused"])
        .optional()
        .describe("`paused` stops sending and drops incoming mail; `active` ends that."),
      display_name: DisplayName.nullable()
        .optional()
        .describe("The name that recipients see beside the address; null clears it."),
      labels: clearable(InboxLabels, [])
        .optional()
        .describe(
          `All its labels, at most ${LIMITS.labels}: they replace those that it has; null removes them all.`,
        ),
      metadata: MetadataChange.nullable()
        .optional()
        .describe("Keys to set; a null value removes its key, and null instead of the object removes all."),
      expires_at: TimestampInput.nullable()
        .optional()
        .describe("When it is to expire, in the future; null for never."),
      require_sender_auth: z
        .boolean()
        .optional()
        .describe("Whether mail makes a task only if its sender is authenticated."),
      sms_tasks: z.boolean().optional().describe(SMS_TASKS),
      voicemail_greeting: Greeting.nullable().optional().describe(GREETING),
      screening: ScreeningMode.optional().describe("What happens to incoming mail that looks suspicious."),
      send_mode: SendMode.optional().describe("Whether mail is sent at once or after an owner's approval."),
      owner_copy: OwnerCopy.optional().describe(
        "Whether those in charge get a copy of each mail; only they turn it off again, in their session.",
      ),
    }),
    output: z.union([Inbox, Approval]),
    async run(ctx, { inbox_id: named, status, metadata, expires_at, send_mode, ...change }) {
      const { id } = ctx.inbox;
      const asked = { status, metadata, expires_at, send_mode, ...change };
      if (Object.values(asked).every((value) => value === undefined)) throw fail("missing_change");
      expiryOf({ expires_at }, ctx.now);

      return ctx.transaction(async (work) => {
        const before = await work.get("inboxes", id);
        if (before === undefined) throw notFound("inbox_not_found", "inb", named);
        if (before.send_mode === "approval") {
          checkUnderApproval(
            before,
            ctx.caller.type === "owner" ? { ...asked, expires_at: undefined } : asked,
          );
          if (send_mode === "direct") {
            const request = {
              subject_type: "send_mode_change" as const,
              subject_id: id,
              change: { send_mode },
            };
            if (ctx.caller.type !== "owner") return askAboutChange(ctx, work, before, request, ctx.now);
            await recordDecision(ctx, work, before, { ...request, email: ctx.caller.email }, ctx.now);
          }
        }
        if (expires_at !== undefined && expires_at !== null && ctx.caller.type !== "owner")
          await checkMayEnd(work, [before], "expires_at");
        if (send_mode === "approval" && before.send_mode === "direct") {
          const { emails } = await decidersOver(ctx, work, { account_id: before.account_id, inbox_id: id });
          checkSendMode(send_mode, emails.length > 0);
          await closeInvitations(work, id);
        }
        const after: InboxRecord = InboxRecord.parse({
          ...before,
          ...given({ ...change, expires_at, send_mode }),
          ...(status === undefined ? {} : statusChange(before, status, iso(ctx.now))),
          metadata: metadataAfter(before.metadata, metadata),
        });
        checkSecurity(ctx.caller.permissions, before, after);
        if (endsCopies(before, after.owner_copy)) await checkMayEndCopies(ctx, work, before);
        const { id: _id, ...columns } = after;
        const [changed] = await work.update("inboxes", { id }, columns);
        if (isLaxer(before, after)) work.publish(securityChanged(before, after));
        if (endsCopies(before, after.owner_copy)) work.publish(copiesEnded(before));
        return changed ?? after;
      });
    },
  }),

  ...deletion,
};

/** Checks that a caller may end the copies. Fails with `permission_denied`, or with `owner_only` once there are people. */
async function checkMayEndCopies(ctx: InboxContext, work: Work, inbox: InboxRecord): Promise<void> {
  checkOwnerManage(ctx.caller.permissions);
  const copies = ctx.caller.type === "owner" ? [] : await ownerCopiesOf(ctx, work, inbox);
  if (copies.length > 0)
    throw fail("owner_only", {
      param: "owner_copy",
      fix: "Ask an owner to turn the copies off in their session.",
    });
}

/** The fields that are set. */
function given(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
