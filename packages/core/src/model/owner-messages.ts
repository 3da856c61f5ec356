import { z } from "zod";
import { Message } from "./messages.ts";
import { Task } from "./tasks.ts";

/** A person's words to an agent in their session: the message, and the task that it made. */
export const OwnerMessage = z.object({
  object: z.literal("owner_message").default("owner_message"),
  message: Message.describe("The message, as the agent reads it."),
  task: Task.describe("The trusted task that it made."),
  idempotent: z
    .boolean()
    .default(false)
    .describe("Whether this answer repeats an earlier call with the same client_id."),
});
export type OwnerMessage = z.infer<typeof OwnerMessage>;
