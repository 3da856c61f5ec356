import { z } from "zod";
import { InboxId } from "../../../catalogue/id-inputs.ts";
import { LIMITS } from "../../../catalogue/limits.ts";
import { AGENTS } from "../../../kernel/access/caller.ts";
import { operation } from "../../../kernel/operation.ts";
import { ClientId } from "../../../model/fields.ts";
import { DryRun, replaySend, Sent } from "../send.ts";
import { PHONE_ERRORS, sendByPhone } from "./phone-send.ts";

/** The body of a text. */
export const TextWords = z
  .string({ error: "missing_text" })
  .max(LIMITS.sms_chars, { error: "text_too_long" })
  .refine((text) => text.trim() !== "", { error: "missing_text" });

/** The destination number of a text or call; its validity is checked later. */
export const NumberInput = z
  .string({ error: "invalid_e164" })
  .regex(/^\+[1-9]\d{6,14}$/, { error: "invalid_e164" });

/** The operation that sends a text. */
export const texts = {
  sendSms: operation({
    summary:
      "Queues a text message from the inbox's phone number; its status and delivery events show the result. In approval mode it is kept as a draft.",
    when: "Text somebody in the US or Canada. Follow the message's status or its events: success means queued, not delivered.",
    example: { to: "+14155550199", text: "Two boxes arrive on Friday.", client_id: "order-17-text" },
    errors: PHONE_ERRORS,
    scope: "inbox",
    callers: AGENTS,
    effect: "write",
    holds: true,
    allow: ["sms_send"],
    idempotent: true,
    tool: {
      name: "send_sms",
      description: "Send a text message from the inbox's phone number.",
      hints: { open_world: true },
      without: ["dry_run"],
      fields: { to: "US or Canadian, such as +14155550199" },
    },
    input: z.object({
      inbox_id: InboxId,
      text: TextWords.describe(
        `What it says, 1 to ${LIMITS.sms_chars} characters. 160 fit into one part, or 70 with letters beyond GSM-7.`,
      ),
      to: NumberInput.describe("Whom it goes to: one number of the US or Canada, in E.164."),
      client_id: ClientId.optional(),
      dry_run: DryRun,
    }),
    output: Sent,
    replay: (ctx, { client_id, dry_run }) => replaySend(ctx, dry_run ? undefined : client_id),
    run: (ctx, { to, text, client_id = null, dry_run }) =>
      sendByPhone(ctx, { kind: "sms", to, text, client_id }, { dry_run }),
  }),
};
