import { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { InboxId } from "../../catalogue/id-inputs.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { expiryFields, expiryOf } from "../../kernel/expiry.ts";
import { answerInTransaction } from "../../kernel/idempotency.ts";
import { Metadata, MetadataChange, mergeMetadata } from "../../kernel/input/metadata.ts";
import { operation } from "../../kernel/operation.ts";
import { cursorAt, positionOf } from "../../kernel/page.ts";
import { TrashFolder } from "../../mailbox/messages/index.ts";
import { Approval } from "../../model/approvals.ts";
import { ClientId, CursorInput, clearable, created, Limit, listOf } from "../../model/fields.ts";
import { DisplayName, Inbox, OwnerCopy, Username } from "../../model/inboxes.ts";
import { ApproveWith, OutboundInput, SendMode } from "../../model/outbound.ts";
import { ReleaseBy, ScreeningMode } from "../../model/screening.ts";
import { TimestampInput } from "../../model/times.ts";
import { changeInbox, checkMayStart } from "./change-inbox.ts";
import { insertInbox } from "./create.ts";
import { createInboxes } from "./create-batch.ts";
import { deletion } from "./deletion-operations.ts";
import { tellLooser } from "./guards/change.ts";
import { outboundOf } from "./guards/rules.ts";
import { listInboxes } from "./list.ts";
import { checkOwnerManage, checkSecurity, DEFAULT_SECURITY, endsCopies } from "./rules.ts";
import { Greeting, InboxLabels, securityAsked } from "./settings.ts";
import { pageOfTrashedInboxes } from "./trash.ts";

const InboxDomain = z
  .string()
  .max(LIMITS.dns_name_chars)
  .optional()
  .describe("The domain of the address: a verified custom domain; the service's own by default.");

const SMS_TASKS =
  "Whether texts and voicemails from numbers on the allowlist make tasks. Anybody can forge a number: false by default.";
const REPLY_GUARD =
  "Whether a second reply to one message is refused unless the call says `allow_multiple`; false by default.";
const GREETING = `What callers hear before the beep, 1 to ${LIMITS.voicemail_greeting_chars} characters; null for one with the display name.`;

const outboundFields = {
  send_mode: SendMode.optional().describe(
    "Whether mail is sent at once (`direct`), at once unless something speaks against it (`guarded`), or always after an owner's approval.",
  ),
  outbound: OutboundInput.optional().describe(
    "What happens when something is found in mail that is to leave; the groups left out stay as they are, and null follows the send mode.",
  ),
};
const START_ERRORS = ["owner_required", "approval_required"] as const;

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
      ...START_ERRORS,
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
      reply_guard: z.boolean().default(false).describe(REPLY_GUARD),
      ...outboundFields,
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
        outbound: outboundOf(settings.outbound),
        domain,
        account_id: ctx.account_id,
        client_id,
        display_name,
        metadata: mergeMetadata({}, metadata),
        expires_at: expiryOf({ ttl_hours, expires_at }, ctx.now) ?? null,
      };
      return answerInTransaction(ctx, async (work) => {
        await checkMayStart(ctx, work, settings);
        const { inbox, inserted } = await insertInbox(ctx, work, checked, ctx.now);
        if (inserted)
          tellLooser(work, { ...inbox, ...DEFAULT_SECURITY, release_by: inbox.release_by }, inbox);
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
      ...START_ERRORS,
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
      ...outboundFields,
    }),
    output: created(listOf(Inbox).extend({ count: z.int().describe("How many inboxes were created.") })),
    async run(ctx, { count, prefix, domain, labels, metadata, ttl_hours, expires_at, send_mode, outbound }) {
      const settings = {
        account_id: ctx.account_id,
        domain,
        labels,
        metadata: mergeMetadata({}, metadata),
        expires_at: expiryOf({ ttl_hours, expires_at }, ctx.now) ?? null,
        ...{ send_mode, outbound: outboundOf(outbound) },
      };
      return answerInTransaction(ctx, async (work) => {
        await checkMayStart(ctx, work, { send_mode, outbound });
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
    errors: ["missing_change", "owner_required", "approval_limit", "approval_rejected", "approval_required"],
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
      release_by: ReleaseBy.optional().describe(
        "Who releases held mail: a key, or a person with authority, whom a key asks.",
      ),
      approve_with: ApproveWith.optional().describe(
        "What people approve with: their session, or a passkey, which one of them must have. Only with a passkey they take it back.",
      ),
      ...outboundFields,
      for_all: z
        .boolean()
        .optional()
        .describe(
          "In an account owner's session, with `send_mode` `guarded` or `approval`: true makes it the least of all inboxes of the account.",
        ),
      reply_guard: z.boolean().optional().describe(REPLY_GUARD),
      owner_copy: OwnerCopy.optional().describe(
        "Whether those in charge get a copy of each mail; that they get none any more is their decision.",
      ),
    }),
    output: z.union([Inbox, Approval]),
    async run(ctx, { inbox_id: named, ...asked }) {
      if (Object.values(asked).every((value) => value === undefined)) throw fail("missing_change");
      expiryOf({ expires_at: asked.expires_at }, ctx.now);
      return ctx.transaction(
        (work): Promise<z.input<typeof Inbox> | z.input<typeof Approval>> =>
          changeInbox(ctx, work, named, asked),
      );
    },
  }),

  ...deletion,
};
