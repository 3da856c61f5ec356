import { z } from "zod";
import { Attachment, StoredAttachment } from "./attachments.ts";
import { Timestamp } from "./fields.ts";
import { Safety } from "./screening.ts";

const AuthWord = z.enum(["pass", "fail", "softfail", "neutral", "none", "temperror", "permerror", "policy"]);

/**
 * What our own check of the sender came to; `arc` where the mail was passed on with ARC headers (RFC 8617).
 */
export const MessageAuth = z.object({
  spf: AuthWord,
  dkim: AuthWord,
  dmarc: AuthWord,
  arc: AuthWord.optional(),
});
export type MessageAuth = z.infer<typeof MessageAuth>;

/** Something that happened to an outbound message on its way. */
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

/** Why an inbound message was or was not believed, held and made a task: the decisions as they were made. */
export const Decisions = z.object({
  origin: z.enum(["smtp", "internal_path", "internal", "injected"]),
  /**
   * A trusted sealer who passed the mail on and found its author authenticated; the task gate counts its
   * word.
   */
  forwarded_by: z.string().optional(),
  authentication: z.array(z.string()),
  /**
   * The marks of automatic mail: strong ones bar a task for anybody, weak ones for who isn't on the
   * allowlist.
   */
  automatic: z.object({ strong: z.string().nullable(), weak: z.string().nullable() }),
  task: z.object({ made: z.boolean(), reason: z.string(), task_id: z.string().nullable() }),
  /** When it was released, if it was held. */
  released_at: Timestamp.optional(),
});
export type Decisions = z.infer<typeof Decisions>;

/** A message without its long fields: what lists answer with `view=summary`, and what events carry. */
export const MessageSummary = z.object({
  object: z.literal("message").default("message"),
  id: z.string(),
  inbox_id: z.string(),
  thread_id: z.string(),
  direction: z.enum(["inbound", "outbound"]),
  channel: z.enum(["email", "sms", "voice", "voicemail"]),
  /** The bare address of the author; what the mail calls them is in `from_name`. */
  from: z.string(),
  from_name: z.string().nullable(),
  to: z.array(z.string()),
  cc: z.array(z.string()),
  bcc: z.array(z.string()),
  subject: z.string(),
  /** What the agent should read: the new words, without quotes and signature. */
  extracted_text: z.string().nullable(),
  extracted_text_truncated: z.boolean().optional(),
  extracted_text_chars: z.int().nullable().optional(),
  preview: z.string().nullable(),
  status: z.enum(["queued", "sent", "received", "failed"]),
  reply_to: z.string().nullable(),
  in_reply_to: z.string().nullable(),
  references: z.array(z.string()),
  /** The Message-ID header, with its angle brackets. */
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
});
export type MessageSummary = z.infer<typeof MessageSummary>;

/** A message as it is shown (interface, "Message"). While it is held, its body fields are null. */
export const Message = MessageSummary.extend({
  text: z.string().nullable(),
  text_truncated: z.boolean().optional(),
  html: z.string().nullable(),
  html_truncated: z.boolean().optional(),
  extracted_html: z.string().nullable(),
  extracted_html_truncated: z.boolean().optional(),
  /** Inbound: the X-* and list headers; outbound: the X-* headers that were asked for. */
  headers: z.record(z.string(), z.string()).nullable(),
  extraction: z.object({ method: z.string(), confidence: z.number(), removed_chars: z.int() }).nullable(),
});
export type Message = z.infer<typeof Message>;

/** A message as lists and waits show it, by their `view`. */
export const Shown = z.union([Message, MessageSummary]);

/**
 * A message as stored: what its lists show. Its other fields are in the table `message_bodies`, and its
 * preview follows from its text.
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
  /** DMARC passed, or an aligned DKIM signature did; false for what the service wrote. */
  authenticated: z.boolean(),
  /** Unique per inbox: Message-ID and content of inbound mail, so that a peer's retry is stored once. */
  dedupe_key: z.string().nullable(),
  raw_hash: z.string().nullable(),
});
export type MessageRecord = z.infer<typeof MessageRecord>;

/**
 * What of a message only its reader sees. `text` is null where it equals the message's `extracted_text`,
 * which spares storing it twice.
 */
export const MessageBodyRecord = z.object({
  message_id: z.string(),
  text: z.string().nullable(),
  html: z.string().nullable(),
  /** Null where it equals `html`, or where there is none. */
  extracted_html: z.string().nullable(),
  headers: z.record(z.string(), z.string()),
  extraction: z.object({ method: z.string(), confidence: z.number(), removed_chars: z.int() }).nullable(),
  /** Null for what the service wrote. */
  decisions: Decisions.nullable(),
});
export type MessageBodyRecord = z.infer<typeof MessageBodyRecord>;

/**
 * What messages are filtered by: `label:unread`, `from:ada@example.com`, `to:…`, `ready` (unread, inbound,
 * not held).
 */
export const MessageTermRecord = z.object({ inbox_id: z.string(), term: z.string(), message_id: z.string() });
export type MessageTermRecord = z.infer<typeof MessageTermRecord>;

/** Which thread a Message-ID belongs to within an inbox. */
export const MessageReferenceRecord = z.object({
  inbox_id: z.string(),
  reference: z.string(),
  message_id: z.string(),
  thread_id: z.string(),
  /** The inbox sent it itself. */
  own: z.boolean(),
});
export type MessageReferenceRecord = z.infer<typeof MessageReferenceRecord>;
