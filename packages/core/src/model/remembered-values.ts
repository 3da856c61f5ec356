import { z } from "zod";
import { Timestamp } from "./fields.ts";

/** A bank account number that a person who approved a mail of an inbox said to remember. */
export const RememberedValueRecord = z.object({
  inbox_id: z.string().describe("The inbox whose mail may have it."),
  fingerprint: z.string().describe("The content scanner's fingerprint of it; the number itself isn't kept."),
  account_id: z.string().describe("The account that it belongs to."),
  approved_at: Timestamp.describe("When the person said so (ISO 8601, UTC)."),
});
export type RememberedValueRecord = z.infer<typeof RememberedValueRecord>;
