import { z } from "zod";

/** The delivery results of an account's mail on one UTC day, counted per recipient. */
export const SendingDayRecord = z.object({
  account_id: z.string(),
  /** The day as `2026-11-20`. */
  day: z.string(),
  sent: z.int(),
  bounced: z.int(),
  complained: z.int(),
});
export type SendingDayRecord = z.infer<typeof SendingDayRecord>;
