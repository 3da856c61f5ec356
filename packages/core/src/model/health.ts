import { z } from "zod";

/** The delivery results of an account's mail on one UTC day, counted per recipient. */
export const SendingDayRecord = z.object({
  account_id: z.string().describe("The account that it belongs to."),
  day: z.string().describe("The day as `2026-11-20`, in UTC."),
  sent: z.int().describe("How many messages were sent, counted per recipient."),
  bounced: z.int().describe("How many of them bounced."),
  complained: z.int().describe("How many of them drew a complaint."),
});
export type SendingDayRecord = z.infer<typeof SendingDayRecord>;

/** A proven report about mail of an account to one organisation, which counts once a day. */
export const SendingReportRecord = z.object({
  account_id: z.string().describe("The account that it belongs to."),
  day: z.string().describe("The day as `2026-11-20`, in UTC."),
  kind: z.enum(["bounce", "hard", "complaint"]).describe("A bounce of any kind, a hard one, or a complaint."),
  domain: z.string().describe("The organisational domain of the recipient."),
});
export type SendingReportRecord = z.infer<typeof SendingReportRecord>;
