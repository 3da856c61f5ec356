import { z } from "zod";

/** Whether an account gets the weekly product note. */
export const LifecycleSubscription = z.object({
  object: z.literal("lifecycle_subscription").default("lifecycle_subscription"),
  lifecycle_emails: z.enum(["on", "off"]).describe("Whether the account gets the weekly product note."),
  account_name: z
    .string()
    .describe("The account as people know it: its first inboxes, and how many more it has."),
});
export type LifecycleSubscription = z.infer<typeof LifecycleSubscription>;
