import { z } from "zod";
import { Timestamp } from "./fields.ts";

const Claims = z.record(z.string(), z.unknown());

/** The proof of a decision and of the mail that followed, as shown. */
export const ApprovalReceipt = z.object({
  object: z.literal("approval_receipt").default("approval_receipt"),
  jws: z
    .string()
    .describe("The receipt: a JWS in compact form, signed with Ed25519 by a key of this service."),
  payload: Claims.describe("What the receipt says, decoded."),
  salt: z
    .string()
    .nullable()
    .describe(
      "What the receipt's hashes are salted with, for people in their session: `SHA-256(salt + value)`. Null for keys and apps.",
    ),
  sent: z
    .object({
      jws: z.string().describe("The second receipt: that the approved mail left."),
      payload: Claims.describe("What it says, decoded."),
    })
    .meta({ title: "SentReceipt" })
    .nullable()
    .describe("The receipt of the mail that left; null until then, and for what is no mail."),
});
export type ApprovalReceipt = z.infer<typeof ApprovalReceipt>;

/** The receipts of an approval, as stored: they outlive its inbox. */
export const ReceiptRecord = z.object({
  approval_id: z.string().describe("The approval that was decided."),
  account_id: z.string().describe("The account that it belongs to."),
  inbox_id: z.string().describe("The inbox that it was about."),
  salt: z.string().describe("What the hashes in the receipt are salted with."),
  jws: z.string().describe("The receipt of the decision."),
  sent_jws: z.string().nullable().describe("The receipt of the mail that left; null until then."),
  created_at: Timestamp.describe("When it was decided."),
});
export type ReceiptRecord = z.infer<typeof ReceiptRecord>;
