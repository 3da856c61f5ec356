import { z } from "zod";
import { LIMITS } from "../catalogue/limits.ts";
import { Timestamp } from "./fields.ts";
import { TimestampInput } from "./times.ts";

/** A relay's report about one recipient of a mail that was handed to it. */
export const RelayReport = z
  .strictObject({
    message_id: z
      .string()
      .min(1)
      .max(998)
      .optional()
      .describe("The mail's Message-ID, with or without angle brackets; else provider_id."),
    provider_id: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe("The id under which the relay took the mail, as it said so when it took it."),
    recipient: z.string().min(1).max(320).describe("The address that it is about."),
    type: z
      .enum(["delivered", "bounced", "deferred", "complained"])
      .describe("What became of the mail at that address."),
    permanent: z
      .boolean()
      .default(true)
      .describe("Of a bounce: whether the address will never take mail; true by default."),
    detail: z
      .string()
      .max(LIMITS.relay_detail_chars)
      .default("")
      .describe("What the recipient's mail server said, or the relay about it."),
    at: TimestampInput.describe("When it happened."),
  })
  .refine(({ message_id, provider_id }) => (message_id === undefined) !== (provider_id === undefined), {
    path: ["message_id"],
    error: "must be there, or provider_id, and not both",
  })
  .meta({ title: "RelayReport" });
export type RelayReport = z.output<typeof RelayReport>;

/** The id under which a relay took a mail, as stored: its reports name it. */
export const RelayIdRecord = z.object({
  account_id: z.string().describe("The account that sent the mail."),
  provider_id: z.string().describe("The relay's id."),
  message_id: z.string().describe("The message's id."),
  at: Timestamp.describe("When the relay took it (ISO 8601, UTC)."),
});
export type RelayIdRecord = z.infer<typeof RelayIdRecord>;

/** The outcome of the reports of one call. */
export interface TakenReports {
  /** Those that say something new. */
  accepted: number;
  /** Those that were known. */
  repeated: number;
  /** Those about mail, recipients or times that can't be. */
  ignored: number;
}
