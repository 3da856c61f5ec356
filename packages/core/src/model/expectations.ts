import { z } from "zod";
import { Timestamp } from "./fields.ts";

/** The kind of mail that an expectation waits for. */
export const ExpectationKind = z.enum(["message", "code", "link", "reply"]);

/** How far an expectation is. */
export const ExpectationStatus = z.enum(["waiting", "met", "expired", "cancelled"]);

/** The action when an expectation expires. */
export const OnExpiry = z.enum(["none", "task"]);

/** The one condition that a mail failed which was nearly the expected one. */
export const NearMissReason = z.enum(["sender", "auth", "subject", "held", "no_code"]);
export type NearMissReason = z.infer<typeof NearMissReason>;

/** Mail that an agent expects: it is met by one mail, in the transaction that stores that. */
export const Expectation = z.object({
  object: z.literal("expectation").default("expectation"),
  id: z.string().describe("The expectation's id."),
  inbox_id: z.string().describe("The inbox that the mail is expected in."),
  status: ExpectationStatus.describe(
    "How far it is: `waiting`, then `met`, `expired` or `cancelled` for good.",
  ),
  kind: ExpectationKind.describe(
    "What is expected: any `message`, one with a `code` or a `link`, or a `reply`.",
  ),
  address: z
    .string()
    .describe(
      "Where the mail is to be sent: an address of its own, or else the inbox's. Give it to the sender.",
    ),
  own_address: z.boolean().describe("Whether the address is its own, so that no other mail can meet it."),
  from: z.string().nullable().describe("The author's address that is expected; null for any."),
  from_domain: z
    .string()
    .nullable()
    .describe("The author's domain that is expected, or one above it; null for any."),
  subject_contains: z.string().nullable().describe("What the subject is to contain; null for anything."),
  in_reply_to: z.string().nullable().describe("The message that is to be answered; null for none."),
  require_auth: z
    .boolean()
    .describe("Whether only mail whose sender was authenticated meets it; true by default."),
  on_expiry: OnExpiry.describe("What happens when it expires: nothing, or a task says so."),
  message_id: z.string().nullable().describe("The mail that met it; null before that."),
  code: z
    .string()
    .nullable()
    .describe(
      "The one-time code in that mail; null without one, and in every answer but that of one expectation.",
    ),
  link: z
    .object({
      url: z.string().describe("The whole link."),
      host: z.string().describe("The host that it leads to: check it before you open the link."),
    })
    .meta({ title: "ExpectedLink" })
    .nullable()
    .describe(
      "The one-time link in that mail; null without one, and in every answer but that of one expectation.",
    ),
  near_misses: z
    .array(
      z
        .object({
          message_id: z.string().describe("The mail."),
          reason: NearMissReason.describe(
            "The condition that it failed: the author, their authentication, the subject, that it is held, or that it has no code or link.",
          ),
        })
        .meta({ title: "NearMiss" }),
    )
    .describe("Mail that was nearly the expected one, oldest first: the first 20."),
  met_at: Timestamp.nullable().describe("When it was met (ISO 8601, UTC); null before that."),
  expires_at: Timestamp.describe("When it expires unless it is met (ISO 8601, UTC)."),
  created_at: Timestamp.describe("When it was made (ISO 8601, UTC); older mail doesn't count."),
  client_id: z.string().nullable().describe("The caller's own id for it; null without one."),
  idempotent: z
    .boolean()
    .default(false)
    .describe("Whether this answer repeats an earlier create with the same client_id."),
});
export type Expectation = z.infer<typeof Expectation>;

/** An expectation as stored. Code and link are read from the mail that met it. */
export const ExpectationRecord = Expectation.omit({
  ...{ object: true, code: true, link: true, idempotent: true },
}).extend({
  account_id: z.string().describe("The account that it belongs to."),
  own_email: z.string().nullable().describe("Its own address, in its canonical form; null without one."),
  awaited_reference: z.string().nullable().describe("The Message-ID that a reply refers to; null for none."),
  thread_id: z.string().nullable().describe("The thread of the message to be answered; null for none."),
});
export type ExpectationRecord = z.infer<typeof ExpectationRecord>;
