import { z } from "zod";

/** How an account's mail fared on one UTC day, counted by recipient. */
export const SendingDayRecord = z.object({
  account_id: z.string(),
  /** The day as `2026-11-20`. */
  day: z.string(),
  sent: z.int(),
  bounced: z.int(),
  complained: z.int(),
});
export type SendingDayRecord = z.infer<typeof SendingDayRecord>;
