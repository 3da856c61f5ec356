import { z } from "zod";
import { Timestamp } from "./fields.ts";

const AuthWord = z.enum(["pass", "fail", "softfail", "neutral", "none", "temperror", "permerror", "policy"]);

/**
 * The result of our own check of the sender; `arc` is present if the mail was forwarded with ARC headers (RFC
 * 8617).
 */
export const MessageAuth = z
  .object({
    spf: AuthWord.describe("The result of SPF for the sending server (RFC 7208)."),
    dkim: AuthWord.describe("The best result of the mail's DKIM signatures (RFC 6376)."),
    dmarc: AuthWord.describe("The result of DMARC for the domain in From (RFC 9989)."),
    arc: AuthWord.optional().describe(
      "The result of the ARC chain; absent if the mail wasn't forwarded with one (RFC 8617).",
    ),
    smime: z
      .literal("unverified")
      .optional()
      .describe(
        "Present when text of the mail stood in a signed S/MIME message (RFC 8551): its signature isn't checked.",
      ),
    imported: z
      .literal(true)
      .optional()
      .describe(
        "True on imported mail: the results are the archive's word, and pass nowhere; otherwise absent.",
      ),
  })
  .meta({ title: "MessageAuth" });
export type MessageAuth = z.infer<typeof MessageAuth>;

/** Nothing was checked. */
export const NO_AUTH: MessageAuth = { spf: "none", dkim: "none", dmarc: "none" };

/** A delivery event of an outbound message. */
export const DeliveryEvent = z
  .object({
    type: z
      .enum([
        "queued",
        "sent",
        "delivered",
        "deferred",
        "failed",
        "bounced",
        "complained",
        "possibly_repeated",
        "possibly_sent",
      ])
      .describe("What happened to the message."),
    recipient: z.string().describe("The address that it happened to; empty if it is about all of them."),
    created_at: Timestamp.describe("When it happened (ISO 8601, UTC)."),
    detail: z.string().describe("What the other mail server said, or an explanation; may be empty."),
    provider_id: z
      .string()
      .optional()
      .describe("The id under which the relay took it; absent if it gave none."),
    bounce_type: z
      .enum(["hard", "soft"])
      .optional()
      .describe(
        "Of a bounce: `hard` for good, `soft` for now. Absent otherwise, and in bounces of older releases.",
      ),
    unproven: z
      .literal(true)
      .optional()
      .describe(
        "True where nothing shows that the report is genuine: it changes nothing else; absent otherwise.",
      ),
  })
  .meta({ title: "DeliveryEvent" });
export type DeliveryEvent = z.infer<typeof DeliveryEvent>;

/** A rule that matched a mail, with what was done and what not. */
export const MatchedRule = z.object({
  rule_id: z.string(),
  name: z.string(),
  actions: z.array(z.string()),
  skipped: z.array(z.object({ action: z.string(), reason: z.string() })),
});
export type MatchedRule = z.infer<typeof MatchedRule>;

/** The outcome of forwarding a mail to an address. */
export const ForwardedTo = z.object({
  forwarding_id: z.string(),
  outcome: z.enum(["forwarded", "skipped"]),
  reason: z.string().nullable().describe("Why it wasn't forwarded, in a word; null if it was."),
  message_id: z.string().nullable().describe("The mail that left; null if none did."),
});
export type ForwardedTo = z.infer<typeof ForwardedTo>;

/**
 * The reasons why an inbound message was trusted or not, held or not, made a task or not: the decisions as they were
 * taken.
 */
export const Decisions = z.object({
  origin: z
    .enum(["smtp", "internal_path", "internal", "injected", "phone", "console"])
    .describe("How it came in."),
  forwarded_by: z
    .string()
    .optional()
    .describe(
      "A trusted ARC sealer that forwarded the mail and authenticated its author; this counts for tasks.",
    ),
  authentication: z.array(z.string()).describe("What the check of the sender found, in sentences."),
  automatic: z
    .object({ strong: z.string().nullable(), weak: z.string().nullable() })
    .describe(
      "The signs of automatic mail: a strong one never makes a task, a weak one only for senders on the allowlist.",
    ),
  task: z
    .object({ made: z.boolean(), reason: z.string(), task_id: z.string().nullable() })
    .describe("Whether it made a task, and why."),
  doubt: z
    .string()
    .optional()
    .describe("Why it is no trusted order, as the end of a sentence; absent where it could be one."),
  untrusted_reason: z
    .enum(["too_old", "dated_ahead", "before_owner", "imported"])
    .optional()
    .describe("The code of that doubt, where it is about dates."),
  proof: z
    .enum(["person", "inbox", "none"])
    .optional()
    .describe(
      "The proven author: a person outside, an inbox of this service, or nobody; absent on older mail.",
    ),
  sent_by: z
    .object({ inbox_id: z.string(), account_id: z.string() })
    .optional()
    .describe("The inbox of this service that sent it, if one did."),
  replayed: z.boolean().optional().describe("Whether its signature was seen in this inbox before."),
  rank: z
    .int()
    .optional()
    .describe("How well it is authenticated, by `AUTHENTICATION_RANKS`; a better copy replaces it."),
  compared_with: z
    .object({
      message_id: z.string().describe("The message that it answers."),
      takes_answers: z
        .boolean()
        .describe(
          "Whether words that the author wrote into the quote are new text, too; never where the author may give orders.",
        ),
    })
    .optional()
    .describe("The stored mail by whose text its new words were told from the quote; absent without one."),
  word: z
    .object({ letter_id: z.string(), missing: z.string().nullable() })
    .optional()
    .describe(
      "What it answers, if it is about one of our letters; `missing` says why it isn't the owner's word.",
    ),
  letter: z
    .string()
    .optional()
    .describe("The kind of letter of ours that it is itself, so that only a stub of it is stored."),
  rules: z.array(MatchedRule).optional().describe("The rules of the inbox that it matched."),
  forwarded_to: z.array(ForwardedTo).optional().describe("The forwardings that it went to, or didn't."),
  released_at: Timestamp.optional().describe("When it was released, if it was held."),
});
export type Decisions = z.infer<typeof Decisions>;

/** The alphabet of a text message (3GPP TS 23.038): 160 characters of GSM-7 or 70 of UCS-2 fit into one part. */
export const SmsEncoding = z.enum(["GSM-7", "UCS-2"]);
export type SmsEncoding = z.infer<typeof SmsEncoding>;

/** The course of a call: it speaks, or it speaks and then records what the other side says. */
export const CallMode = z.enum(["say", "say_and_record"]);
export type CallMode = z.infer<typeof CallMode>;

/** The facts that only texts, calls and voicemails have. */
export const PhoneFacts = z.object({
  provider_id: z
    .string()
    .nullable()
    .describe("The provider's id of the text or call; null until it has taken it."),
  segments: z.int().nullable().describe("The parts of a text; null on others."),
  encoding: SmsEncoding.nullable().describe("The alphabet of a text; null on others."),
  mode: CallMode.nullable().describe("What a placed call does; null on others."),
  duration_seconds: z
    .int()
    .nullable()
    .describe("How long the call or recording lasted; null before its end."),
  minutes_reserved: z.int().nullable().describe("Minutes taken from the plan before a call; null on others."),
  recording_id: z.string().nullable().describe("The provider's id of a recording; null without one."),
  transcript: z.string().nullable().describe("What a voicemail says; null without a transcript."),
});
export type PhoneFacts = z.infer<typeof PhoneFacts>;
