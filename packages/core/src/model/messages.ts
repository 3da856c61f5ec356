import { z } from "zod";
import { Attachment, StoredAttachment } from "./attachments.ts";
import { Timestamp } from "./fields.ts";
import { Safety } from "./screening.ts";

const AuthWord = z.enum(["pass", "fail", "softfail", "neutral", "none", "temperror", "permerror", "policy"]);

/**
 * The result of our own check of the sender; `arc` is present if the mail was forwarded with ARC headers (RFC
 * 8617).
 */
export const MessageAuth = z.object({
  spf: AuthWord,
  dkim: AuthWord,
  dmarc: AuthWord,
  arc: AuthWord.optional(),
});
export type MessageAuth = z.infer<typeof MessageAuth>;

/** A delivery event of an outbound message. */
export const DeliveryEvent = z.object({
  type: z.enum([
    "queued",
    "sent",
    "delivered",
    "deferred",
    "failed",
    "bounced",
    "complained",
    "possibly_repeated",
  ]),
  recipient: z.string(),
  created_at: Timestamp,
  detail: z.string(),
});
export type DeliveryEvent = z.infer<typeof DeliveryEvent>;

/**
 * Why an inbound message was trusted or not, held or not, made a task or not: the decisions as they were
 * made.
 */
export const Decisions = z.object({
  origin: z.enum(["smtp", "internal_path", "internal", "injected"]),
  /** A trusted ARC sealer that forwarded the mail and authenticated its author; this counts for tasks. */
  forwarded_by: z.string().optional(),
  authentication: z.array(z.string()),
  /**
   * The signs of automatic mail: a strong one never makes a task, a weak one only for senders on the
   * allowlist.
   */
  automatic: z.object({ strong: z.string().nullable(), weak: z.string().nullable() }),
  task: z.object({ made: z.boolean(), reason: z.string(), task_id: z.string().nullable() }),
  /** Why it is no trusted order although its author was authenticated, as the end of a sentence. */
  doubt: z.string().optional(),
  /** Its signature was seen in this inbox before. */
  replayed: z.boolean().optional(),
  /** How well it is authenticated, by `AUTHENTICATION_RANKS`; a better copy replaces it. */
  rank: z.int().optional(),
  /** What it answers, if it is about one of our letters; `missing` says why it isn't the owner's word. */
  word: z.object({ letter_id: z.string(), missing: z.string().nullable() }).optional(),
  /** When it was released, if it was held. */
  released_at: Timestamp.optional(),
});
export type Decisions = z.infer<typeof Decisions>;

/** A message without its long fields: returned by lists with `view=summary`, and contained in events. */
export const MessageSummary = z.object({
  object: z.literal("message").default("message"),
  id: z.string(),
  inbox_id: z.string(),
  thread_id: z.string(),
  direction: z.enum(["inbound", "outbound"]),
  channel: z.enum(["email", "sms", "voice", "voicemail"]),
  /** The author's address; the display name is in `from_name`. */
  from: z.string(),
  from_name: z.string().nullable(),
  to: z.array(z.string()),
  cc: z.array(z.string()),
  bcc: z.array(z.string()),
  subject: z.string(),
  /** What the agent should read: the new text, without quotes and signature. */
  extracted_text: z.string().nullable(),
  extracted_text_truncated: z.boolean().optional(),
  extracted_text_chars: z.int().nullable().optional(),
  preview: z.string().nullable(),
  status: z.enum(["queued", "sent", "received", "failed"]),
  reply_to: z.string().nullable(),
  in_reply_to: z.string().nullable(),
  references: z.array(z.string()),
  /** The Message-ID header with its angle brackets. */
  message_id: z.string().nullable(),
  labels: z.array(z.string()),
  provider: z.string().nullable(),
  client_id: z.string().nullable(),
  idempotent: z.boolean().default(false),
  created_at: Timestamp,
  attachments: z.array(Attachment),
  delivery_events: z.array(DeliveryEvent),
  auth: MessageAuth.nullable(),
  safety: Safety.nullable(),
  size_bytes: z.int(),
  /** Secrets of a letter, or links of mail that quotes one, were taken out before it was stored. */
  redacted: z.boolean(),
});
export type MessageSummary = z.infer<typeof MessageSummary>;

/** A message as shown (interface, "Message"). While it is held, its body fields are null. */
export const Message = MessageSummary.extend({
  text: z.string().nullable(),
  text_truncated: z.boolean().optional(),
  html: z.string().nullable(),
  html_truncated: z.boolean().optional(),
  extracted_html: z.string().nullable(),
  extracted_html_truncated: z.boolean().optional(),
  /** Inbound: the X-* and list headers; outbound: the X-* headers that were requested. */
  headers: z.record(z.string(), z.string()).nullable(),
  extraction: z.object({ method: z.string(), confidence: z.number(), removed_chars: z.int() }).nullable(),
});
export type Message = z.infer<typeof Message>;

/** A message as returned by lists and waits, depending on their `view`. */
export const Shown = z.union([Message, MessageSummary]);

/**
 * A message as stored: the fields shown in lists. The rest is in the table `message_bodies`; the preview is
 * derived from the text.
 */
export const MessageRecord = MessageSummary.omit({
  object: true,
  idempotent: true,
  attachments: true,
  extracted_text_truncated: true,
  extracted_text_chars: true,
  preview: true,
}).extend({
  account_id: z.string(),
  extracted_text: z.string(),
  attachments: z.array(StoredAttachment),
  /** DMARC passed, or an aligned DKIM signature did; false for mail that the service wrote. */
  authenticated: z.boolean(),
  /**
   * Unique per inbox: a hash of an inbound mail's Message-ID and content, so that a sender's retry is stored
   * once.
   */
  dedupe_key: z.string().nullable(),
  raw_hash: z.string().nullable(),
});
export type MessageRecord = z.infer<typeof MessageRecord>;

/**
 * Body fields, loaded only when one message is read. `text` is null if it equals the message's
 * `extracted_text`, so that it isn't stored twice.
 */
export const MessageBodyRecord = z.object({
  message_id: z.string(),
  text: z.string().nullable(),
  html: z.string().nullable(),
  /** Null if it equals `html`, or if there is no HTML. */
  extracted_html: z.string().nullable(),
  headers: z.record(z.string(), z.string()),
  extraction: z.object({ method: z.string(), confidence: z.number(), removed_chars: z.int() }).nullable(),
  /** Null for messages that the service wrote. */
  decisions: Decisions.nullable(),
});
export type MessageBodyRecord = z.infer<typeof MessageBodyRecord>;

/**
 * A term that messages are filtered by: `label:unread`, `from:ada@example.com`, `to:…`, `ready` (unread,
 * inbound, not held).
 */
export const MessageTermRecord = z.object({ inbox_id: z.string(), term: z.string(), message_id: z.string() });
export type MessageTermRecord = z.infer<typeof MessageTermRecord>;

/** Which thread a Message-ID belongs to in an inbox. */
export const MessageReferenceRecord = z.object({
  inbox_id: z.string(),
  reference: z.string(),
  message_id: z.string(),
  thread_id: z.string(),
  /** Whether the inbox itself sent it. */
  own: z.boolean(),
});
export type MessageReferenceRecord = z.infer<typeof MessageReferenceRecord>;
