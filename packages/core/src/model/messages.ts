import { z } from "zod";
import { Attachment, StoredAttachment } from "./attachments.ts";
import { Timestamp } from "./fields.ts";
import { CallMode, Decisions, DeliveryEvent, MessageAuth, PhoneFacts, SmsEncoding } from "./message-facts.ts";
import { OutboundFinding } from "./outbound.ts";
import { Safety } from "./screening.ts";
import { TrashFields } from "./trash.ts";

/** A link in a mail's new text. */
const LinkInText = z.object({
  text: z.string().describe("The words that it shows, at most 200 characters."),
  url: z.string().describe("The whole address, as a browser reads it."),
  host: z.string().describe("The host that it leads to."),
});
LinkInText.register(z.globalRegistry, { title: "MessageLink" });

/** A message without its long fields: returned by lists with `view=summary`, and contained in events. */
export const MessageSummary = z.object({
  object: z.literal("message").default("message"),
  id: z.string().describe("The message's id."),
  inbox_id: z.string().describe("The inbox that it is in."),
  thread_id: z.string().describe("The thread that it belongs to."),
  direction: z.enum(["inbound", "outbound"]).describe("Whether the inbox received it or sent it."),
  channel: z
    .enum(["email", "sms", "voice", "voicemail", "console"])
    .describe(
      "How it came or went: as mail, text message, call or voicemail, or from a person who was signed in (`console`).",
    ),
  from: z
    .string()
    .describe("The author's address, empty if the mail has none; the display name is in `from_name`."),
  from_name: z
    .string()
    .nullable()
    .describe("The author's display name, as the mail states it; null without one."),
  to: z.array(z.string()).describe("The addresses in To."),
  cc: z.array(z.string()).describe("The addresses in Cc."),
  bcc: z.array(z.string()).describe("The addresses in Bcc; empty on received mail."),
  to_names: z
    .array(z.string().nullable())
    .describe("The display names of the addresses in To, in the same order; null where there is none."),
  cc_names: z.array(z.string().nullable()).describe("The same for Cc."),
  bcc_names: z.array(z.string().nullable()).describe("The same for Bcc."),
  unaddressed: z
    .array(
      z
        .object({
          field: z.enum(["from", "sender", "reply_to", "to", "cc"]).describe("The header that it stands in."),
          name: z.string().describe("The text of the entry; empty where only its existence is known."),
        })
        .meta({ title: "UnaddressedEntry" }),
    )
    .describe(
      "Entries of the mail's address headers that have no address, so that nobody can write to them.",
    ),
  subject: z.string().describe("The subject line; empty without one."),
  extracted_text: z
    .string()
    .nullable()
    .describe(
      "What the agent should read: the new text, without quotes and signature. Untrusted data; null while it is held.",
    ),
  extracted_text_truncated: z
    .boolean()
    .optional()
    .describe("True where only a part of the text is shown; otherwise absent."),
  extracted_text_chars: z
    .int()
    .nullable()
    .optional()
    .describe("The length of the whole text in characters; only in answers that show a part of it."),
  preview: z
    .string()
    .nullable()
    .describe("The beginning of the new text in one line; null while it is held."),
  status: z
    .enum(["queued", "sent", "received", "failed", "ringing", "completed", "no-answer"])
    .describe(
      "How far it is: sent mail and texts are `queued`, then `sent` or `failed`; what was received is `received`; a call is `queued`, `ringing`, then `completed`, `no-answer` or `failed`.",
    ),
  envelope_to: z
    .string()
    .nullable()
    .describe(
      "The address that it was delivered to, with its tag (`ada+orders@…`), also where To doesn't name it; null on mail that was sent, and on texts and calls.",
    ),
  reply_to: z
    .string()
    .nullable()
    .describe("Where the author wants replies: the first of `reply_to_all`; null if the mail doesn't say."),
  reply_to_all: z
    .array(z.string())
    .describe("All addresses at which the author wants replies; a reply goes to each of them."),
  in_reply_to: z.string().nullable().describe("The Message-ID that it replies to; null if it is no reply."),
  references: z.array(z.string()).describe("The Message-IDs of the conversation before it, oldest first."),
  message_id: z
    .string()
    .nullable()
    .describe("Its Message-ID header, with angle brackets; null if the mail has none."),
  labels: z.array(z.string()).describe("System labels such as `unread` and `held`, and the caller's own."),
  provider: z
    .string()
    .nullable()
    .describe("Which transport sent it; null for received mail and before it is sent."),
  client_id: z.string().nullable().describe("The caller's own id for it; null without one."),
  idempotent: z
    .boolean()
    .default(false)
    .describe("Whether this answer repeats an earlier call with the same client_id."),
  created_at: Timestamp.describe("When it was received or queued (ISO 8601, UTC)."),
  attachments: z.array(Attachment).describe("The attached files, without their bytes."),
  delivery_events: z
    .array(DeliveryEvent)
    .describe("What happened to sent mail, oldest first; empty on received mail."),
  auth: MessageAuth.describe("What our own check of the sender found; all `none` on sent mail."),
  safety: Safety.nullable().describe("What screening found; null on sent mail."),
  outbound_findings: z
    .array(OutboundFinding)
    .nullable()
    .describe(
      "What was found in it, or in whom it goes to, as it was sent; null where nothing was looked for.",
    ),
  duration_seconds: z
    .int()
    .min(0)
    .nullable()
    .describe("How long a call or voicemail lasted, in seconds; null on mail, and until a call has ended."),
  segments: z.int().optional().describe("How many parts a text message has; only on texts."),
  encoding: SmsEncoding.optional().describe("The alphabet of a text message; only on texts."),
  mode: CallMode.optional().describe("Whether a call only speaks or also records; only on placed calls."),
  type: z.literal("voicemail").optional().describe("`voicemail` on recorded speech; otherwise absent."),
  caller_number: z.string().optional().describe("Who spoke, in E.164; only on voicemail."),
  recording_url: z
    .string()
    .nullable()
    .optional()
    .describe("Where its audio is; null until it is fetched; only on voicemail."),
  transcript: z
    .string()
    .nullable()
    .optional()
    .describe("What was said, as the provider understood it; null without one; only on voicemail."),
  size_bytes: z.int().describe("The size of the whole mail, in bytes."),
  ...TrashFields,
  redacted: z
    .boolean()
    .describe(
      "Whether secrets of a letter, or links of mail that quotes one, were taken out before it was stored.",
    ),
});
MessageSummary.register(z.globalRegistry, { title: "MessageSummary" });
export type MessageSummary = z.infer<typeof MessageSummary>;

/** A message as shown (interface, "Message"). While it is held, its body fields are null. */
export const Message = MessageSummary.extend({
  text: z
    .string()
    .nullable()
    .describe(
      "The whole text part as it came, with quotes and signature; null without one and while it is held.",
    ),
  text_truncated: z
    .boolean()
    .optional()
    .describe("True where a list shows only the beginning of the text; otherwise absent."),
  html: z
    .string()
    .nullable()
    .describe("The HTML part as it came, not made safe to render; null without one and while it is held."),
  html_truncated: z
    .boolean()
    .optional()
    .describe("True where a list shows only the beginning of the HTML; otherwise absent."),
  extracted_html: z
    .string()
    .nullable()
    .describe(
      "The new part of the HTML, without quotes and signature; null without one and while it is held.",
    ),
  extracted_html_truncated: z
    .boolean()
    .optional()
    .describe("True where a list shows only the beginning of it; otherwise absent."),
  headers: z
    .record(z.string(), z.string())
    .nullable()
    .describe(
      "Received: the X-* and list headers. Sent: the X-* headers that were asked for. Null while it is held.",
    ),
  extraction: z
    .object({
      method: z.string().describe("The sign that separated the new text from the old."),
      confidence: z.number().describe("How certain that is, from 0 to 1."),
      removed_chars: z.int().describe("How many characters of quotes and signature were left out."),
    })
    .nullable()
    .describe("How the new text was found; null on mail that the service wrote."),
  links: z
    .array(LinkInText)
    .nullable()
    .describe(
      "The links in the new text, each address once, at most 50; null while it is held. Empty on mail that was received before links were listed.",
    ),
});
export type Message = z.infer<typeof Message>;

/** A message as a text for a language model. */
export const MarkedMessage = z.object({
  object: z.literal("marked_message").default("marked_message"),
  id: z.string().describe("The message's id."),
  inbox_id: z.string().describe("The inbox that it is in."),
  thread_id: z.string().describe("The thread that it belongs to."),
  text: z
    .string()
    .describe(
      "First what the service knows, in its own words; then, between two lines with a mark that no mail can contain, what the sender wrote. Lines with the mark say what follows: `visible`, `quoted`, `signature`, `hidden`, `attachment`; the words of an attached mail are `quoted from attachment` with its id. Links are `[text](address)`: the whole address once, then its host.",
    ),
  chars: z.int().min(0).describe("How many characters of the mail are shown, not counting marks and facts."),
  total_chars: z.int().min(0).describe("How many characters of the mail can be shown."),
  next_offset: z.int().nullable().describe("The `offset` to read on with; null at the end."),
  hidden_blocks: z.int().min(0).describe("How many blocks of the mail a person does not see."),
  hidden_chars: z.int().min(0).describe("How many characters they have."),
});
export type MarkedMessage = z.infer<typeof MarkedMessage>;

/** A message as returned by lists and waits, depending on their `view`. */
export const Shown = z.union([Message, MessageSummary]);

/**
 * A message as stored: the fields shown in lists. The rest is in the table `message_bodies`; the preview is
 * derived from the text.
 */
export const MessageRecord = MessageSummary.omit({
  object: true,
  idempotent: true,
  to_names: true,
  cc_names: true,
  bcc_names: true,
  reply_to_all: true,
  attachments: true,
  extracted_text_truncated: true,
  extracted_text_chars: true,
  preview: true,
  duration_seconds: true,
  segments: true,
  encoding: true,
  mode: true,
  type: true,
  caller_number: true,
  recording_url: true,
  transcript: true,
  restorable_until: true,
  deleted_by: true,
}).extend({
  account_id: z.string().describe("The account that it belongs to."),
  names: z
    .record(z.string(), z.string())
    .describe("Display names by address: of the recipients and of reply_to."),
  more_reply_to: z.array(z.string()).describe("The addresses in Reply-To after the first."),
  extracted_text: z.string().describe("The new text, without quotes and signature."),
  auth: MessageAuth.nullable().describe(
    "What our own check of the sender found; null on mail that was sent.",
  ),
  attachments: z.array(StoredAttachment).describe("The attached files, by the hash of their bytes."),
  authenticated: z
    .boolean()
    .describe(
      "Whether DMARC passed, or an aligned DKIM signature did, or its author was signed in; false for mail that the service wrote.",
    ),
  owner_copies: z
    .array(z.string())
    .describe("The addresses in Cc or Bcc that the service added, for those in charge of the inbox."),
  dedupe_key: z
    .string()
    .nullable()
    .describe(
      "Unique per inbox: a hash of an inbound mail's Message-ID and content, so that a sender's retry is stored once.",
    ),
  raw_hash: z
    .string()
    .nullable()
    .describe("The hash of the raw mail; null where it is composed when it is asked for."),
  phone: PhoneFacts.nullable().describe("What only texts, calls and voicemails have; null on mail."),
  attention: z
    .enum(["held", "failed"])
    .nullable()
    .describe("Why a person should look at it: it is held, or it didn't reach somebody; null otherwise."),
});
export type MessageRecord = z.infer<typeof MessageRecord>;

/**
 * Body fields, loaded only when one message is read. `text` is null if it equals the message's
 * `extracted_text`, so that it isn't stored twice.
 */
export const MessageBodyRecord = z.object({
  message_id: z.string().describe("The message that it belongs to."),
  text: z
    .string()
    .nullable()
    .describe(
      "The text part; null if it equals the message's `extracted_text`, so that it isn't stored twice.",
    ),
  html: z.string().nullable().describe("The HTML part; null without one."),
  extracted_html: z
    .string()
    .nullable()
    .describe("The new part of the HTML; null if it equals `html`, or if there is no HTML."),
  headers: z.record(z.string(), z.string()).describe("The X-* and list headers."),
  extraction: z
    .object({
      method: z.string(),
      confidence: z.number(),
      removed_chars: z.int(),
      links: z.array(LinkInText).optional(),
    })
    .nullable()
    .describe("How the new text was found, and the links in it; null on mail that the service wrote."),
  decisions: Decisions.nullable().describe(
    "Why it was trusted or not, held or not, made a task or not; null for messages that the service wrote.",
  ),
});
export type MessageBodyRecord = z.infer<typeof MessageBodyRecord>;

/**
 * A term that messages are filtered by: `label:unread`, `from:ada@example.com`, `to:…`, `ready` (unread,
 * inbound, not held), `ready:here` (ready, and addressed to the inbox itself).
 */
export const MessageTermRecord = z.object({
  inbox_id: z.string().describe("The inbox that it is in."),
  term: z.string().describe("The term, such as `label:unread`."),
  message_id: z.string().describe("The message that has it."),
});
export type MessageTermRecord = z.infer<typeof MessageTermRecord>;

/** Which thread a Message-ID belongs to in an inbox. */
export const MessageReferenceRecord = z.object({
  inbox_id: z.string().describe("The inbox that it is in."),
  reference: z.string().describe("The Message-ID, with angle brackets."),
  message_id: z.string().describe("The message that has it."),
  thread_id: z.string().describe("The thread of that message."),
  own: z.boolean().describe("Whether the inbox itself sent it."),
});
export type MessageReferenceRecord = z.infer<typeof MessageReferenceRecord>;

/** A Message-ID that a message of an inbox follows, and that the inbox didn't have when the message came. */
export const AwaitedReferenceRecord = z.object({
  inbox_id: z.string().describe("The inbox that it is in."),
  reference: z.string().describe("The Message-ID that is awaited, with angle brackets."),
  message_id: z.string().describe("The message that names it."),
});
export type AwaitedReferenceRecord = z.infer<typeof AwaitedReferenceRecord>;
