import { z } from "zod";
import { InboxId } from "../../../catalogue/id-inputs.ts";
import { LIMITS } from "../../../catalogue/limits.ts";
import { SIGNED_IN, signedIn } from "../../../kernel/access/caller.ts";
import { operation } from "../../../kernel/operation.ts";
import { ClientId, Line } from "../../../model/fields.ts";
import { OwnerMessage } from "../../../model/owner-messages.ts";
import { writerTo } from "./conversation.ts";
import { writeToAgent } from "./write.ts";

/** Operations with which a signed-in person writes to an agent. */
export const ownerMessages = {
  create: operation({
    summary:
      "Writes to the agent of an inbox in a person's session: a message from them, and its trusted task. For verified owners of the inbox and people with authority over it.",
    when: "An app or page on which people give their agents work without sending mail.",
    example: { text: "Please order two boxes of paper for the printer." },
    errors: [
      "inbox_not_found",
      "inbox_paused",
      "inbox_expired",
      "account_suspended",
      "task_not_found",
      "rate_limited",
      "message_too_large",
      "plan_limit_exceeded",
      "too_many_attachments",
      "upload_not_found",
      "upload_not_ready",
    ],
    scope: "public",
    callers: SIGNED_IN,
    effect: "write",
    allow: "any",
    input: z.object({
      inbox_id: InboxId,
      text: z
        .string()
        .max(LIMITS.owner_message_chars)
        .refine((text) => text.trim() !== "", { error: "missing_body" })
        .describe(`What the agent is to know or do; at most ${LIMITS.owner_message_chars} characters.`),
      upload_ids: z
        .array(z.string().max(64))
        .max(LIMITS.attachments)
        .default([])
        .describe("Uploads of this inbox to attach."),
      task_id: Line(LIMITS.update_line_chars)
        .min(1)
        .optional()
        .describe(
          "What it adds to: the id of a task of yours, or the `task_id` of updates that you were mailed. The message joins that thread, and its new task has the thread's `task_id`.",
        ),
      client_id: ClientId.optional(),
    }),
    output: OwnerMessage,
    async run(ctx, { inbox_id, text, upload_ids, task_id, client_id }) {
      const caller = signedIn(ctx.caller);
      const found = await ctx.storage.get("inboxes", inbox_id);
      const { inbox, ...writer } = await writerTo(ctx, found, { email: caller.email, inbox_id });
      return writeToAgent({ ...ctx, caller, inbox }, writer, { text, upload_ids, task_id, client_id });
    },
  }),
};
