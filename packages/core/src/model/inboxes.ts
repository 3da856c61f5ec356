import { z } from "zod";
import { asciiLowerCase } from "./address.ts";
import { Line, Timestamp } from "./fields.ts";
import { ApproveWith, EffectiveOutbound, Outbound, SendMode } from "./outbound.ts";
import { ReleaseBy, ScreeningMode } from "./screening.ts";
import { DeletedBy, RestorableUntil, TrashFields } from "./trash.ts";

/** Whether those in charge of an inbox get a copy of the mail that it sends, and whether its recipients see that. */
export const OwnerCopy = z.enum(["off", "cc", "bcc"]);
export type OwnerCopy = z.infer<typeof OwnerCopy>;

/** The local part of an address, in lower case; `rules.ts` decides whether it may be taken. */
export const Username = z.string().max(320, { error: "invalid_username" }).transform(asciiLowerCase);

/** A name for people; an empty one becomes null. */
export const DisplayName = Line(200).transform((name) => name.trim() || null);

/** An inbox as shown (interface, "Inbox"). */
export const Inbox = z.object({
  object: z.literal("inbox").default("inbox"),
  id: z.string().describe("The inbox's id."),
  username: z.string().describe("The part of its address before the @, in lower case."),
  email: z.string().describe("Its address."),
  display_name: z
    .string()
    .nullable()
    .describe("The name that recipients see beside the address; null without one."),
  created_at: Timestamp.describe("When it was created (ISO 8601, UTC)."),
  require_sender_auth: z
    .boolean()
    .describe(
      "Whether mail makes a task only if DMARC passes, or DKIM for the sender's domain; true by default.",
    ),
  labels: z.array(z.string()).describe("The caller's labels for the inbox."),
  expires_at: Timestamp.nullable().describe(
    "When it stops receiving and sending, to be deleted 7 days later; null for never.",
  ),
  status: z.enum(["active", "paused"]).describe("A `paused` inbox sends nothing, and mail to it is dropped."),
  paused_at: Timestamp.nullable().describe("When it was paused; null while it is active."),
  metadata: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .describe(
      "The caller's own values by key: text, numbers and booleans, at most 256 keys and 16 KB of JSON.",
    ),
  client_id: z.string().nullable().describe("The caller's own id for it; null without one."),
  screening: ScreeningMode.describe(
    "What happens to incoming mail that looks suspicious: nothing, a label, or it is held; `observe` by default.",
  ),
  send_mode: SendMode.describe(
    "Whether mail is sent at once, at once unless something in it or its recipients speaks against that (`guarded`), or always after an owner's approval.",
  ),
  outbound: Outbound.describe(
    "What happens when something is found in mail that is to leave, if it says so itself.",
  ),
  effective_send_mode: SendMode.describe(
    "The send mode in force: the stricter of its own and its account's floor.",
  ),
  effective_outbound: EffectiveOutbound.describe(
    "What happens when something is found in mail that is to leave: each the stricter of its own and its account's floor.",
  ),
  release_by: ReleaseBy.describe(
    "Who releases held mail: a key with `message_release`, or a person with authority, whom such a key asks. `guarded` and `approval` set `authority`.",
  ),
  approve_with: ApproveWith.describe(
    "What a person approves with: their session, or a passkey, which also signs the receipt; `session` by default.",
  ),
  owner_copy: OwnerCopy.describe(
    "Whether everybody with authority over the inbox gets a copy of each mail that it sends: `cc`, which recipients see, or `bcc`; `off` by default.",
  ),
  reply_guard: z
    .boolean()
    .describe(
      "Whether a second reply to one message is refused unless the call says `allow_multiple`; false by default.",
    ),
  sending_paused_at: Timestamp.nullable().describe(
    "When a canary paused sending, until an owner lets the inbox send again; null while it may send.",
  ),
  sms_tasks: z
    .boolean()
    .describe(
      "Whether texts and voicemails from numbers on the allowlist make tasks; false by default, because a number can be forged.",
    ),
  voicemail_greeting: z
    .string()
    .nullable()
    .describe("What callers hear before the beep; null for a greeting with the display name."),
  idempotent: z
    .boolean()
    .default(false)
    .describe("Whether this answer repeats an earlier create with the same client_id."),
  ...TrashFields,
});
export type Inbox = z.infer<typeof Inbox>;

/** An inbox as stored. */
export const InboxRecord = Inbox.omit({
  ...{ object: true, idempotent: true },
  ...{ restorable_until: true, deleted_by: true },
}).extend({
  account_id: z.string().describe("The account that it belongs to."),
  domain: z.string().describe("The domain of its address."),
  expects_until: Timestamp.nullable().describe(
    "Until when expectations of it may wait, so that none are looked for in other inboxes; null if none was made.",
  ),
  has_rules: z
    .boolean()
    .describe("Whether it has rules that are tried, so that none are read for other inboxes."),
  forwards_all: z
    .boolean()
    .describe(
      "Whether all mail that comes is forwarded somewhere, so that nothing is looked up for other inboxes.",
    ),
  imported_at: Timestamp.nullable().describe(
    "When it was imported: an older order may have been carried out before; null if it never was.",
  ),
});
export type InboxRecord = z.infer<typeof InboxRecord>;

/**
 * An inbox in the trash. It has left the table of inboxes, so that nothing finds it or what is in it; its address, owners
 * and mail stay until it is restored or gone.
 */
export const TrashedInboxRecord = z.object({
  id: z.string().describe("The inbox's id."),
  account_id: z.string().describe("The account that it belongs to."),
  deleted_by: DeletedBy.describe("Who moved it to the trash."),
  decided: z.boolean().describe("Whether its deletion took a person's decision."),
  trashed_at: Timestamp.describe("When it was moved to the trash."),
  restorable_until: Timestamp.describe("When it is deleted for good."),
  record: InboxRecord.describe("The inbox as it was stored."),
});
export type TrashedInboxRecord = z.infer<typeof TrashedInboxRecord>;

/** The answer to the deletion of an inbox. */
export const DeletedInbox = z.object({
  id: z.string().describe("The inbox's id."),
  object: z.literal("inbox"),
  deleted: z.literal(true),
  restorable_until: RestorableUntil,
  messages_deleted: z.int().describe("How many messages were deleted with it."),
  threads_deleted: z.int().describe("How many threads were deleted with it."),
  drafts_deleted: z.int().describe("How many drafts were deleted with it."),
  tasks_deleted: z.int().describe("How many tasks were deleted with it."),
  owners_deleted: z.int().describe("How many owners were removed."),
  updates_deleted: z.int().describe("How many updates were deleted with it."),
  keys_revoked: z.int().describe("How many keys held to it were revoked."),
  webhooks_deleted: z.int().describe("How many webhooks of only this inbox were deleted."),
  consumers_deleted: z.int().describe("How many durable consumers of only this inbox were deleted."),
});

/**
 * The holder of an address in this service: an inbox, a person with a say in some account, the service itself, or a
 * deleted inbox. Each address has one record, so that nobody is mistaken for another.
 */
export const AddressRecord = z.object({
  address: z.string().describe("The whole address, in its canonical form."),
  domain: z.string().describe("Its domain."),
  kind: z
    .enum(["inbox", "person", "service", "retired"])
    .describe("Who has it; `retired` once its inbox is deleted."),
  account_id: z
    .string()
    .nullable()
    .describe("The account that it was issued to as an inbox, for good; null if it never was."),
  inbox_id: z.string().nullable().describe("The inbox that has it now; null without one."),
  created_at: Timestamp.describe("When it was first taken (ISO 8601, UTC)."),
});
export type AddressRecord = z.infer<typeof AddressRecord>;
