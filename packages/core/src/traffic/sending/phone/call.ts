import { z } from "zod";
import { InboxId } from "../../../catalogue/id-inputs.ts";
import { LIMITS } from "../../../catalogue/limits.ts";
import { AGENTS } from "../../../kernel/access/caller.ts";
import { operation } from "../../../kernel/operation.ts";
import { ClientId } from "../../../model/fields.ts";
import { CallMode } from "../../../model/message-facts.ts";
import { DryRun, replaySend, Sent } from "../send.ts";
import { PHONE_ERRORS, sendByPhone } from "./phone-send.ts";
import { NumberInput } from "./sms.ts";

/** The words spoken in a call. */
const SpokenWords = z
  .string({ error: "missing_say" })
  .max(LIMITS.say_chars, { error: "say_too_long" })
  .refine((text) => text.trim() !== "", { error: "missing_say" });

/** The operation that places a call. */
export const calls = {
  call: operation({
    summary:
      "Queues a call that speaks a text, and may record the answer; its status shows how far it is. In approval mode it is kept as a draft.",
    when: "Tell somebody in the US or Canada something by phone. Follow phone.call_updated: success means queued, not answered.",
    example: {
      to: "+14155550199",
      say: "Your two boxes arrive on Friday.",
      mode: "say",
      client_id: "order-17-call",
    },
    errors: [...PHONE_ERRORS, "daily_call_cap"],
    scope: "inbox",
    callers: AGENTS,
    effect: "write",
    holds: true,
    allow: ["call_place"],
    idempotent: true,
    // If several fields are wrong, the error is about the first: the words come before the number.
    tool: {
      name: "place_call",
      description: "Call a phone number and speak a text; say_and_record records the answer.",
      hints: { open_world: true },
      without: ["dry_run"],
      fields: { to: "US or Canadian, such as +14155550199", say: "", mode: "" },
    },
    input: z.object({
      inbox_id: InboxId,
      say: SpokenWords.describe(
        `What is said, 1 to ${LIMITS.say_chars} characters; it is spoken as plain text.`,
      ),
      to: NumberInput.describe("Whom to call: one number of the US or Canada, in E.164."),
      mode: CallMode.default("say").describe(
        `\`say\` speaks and hangs up; \`say_and_record\` says first that it records, then speaks, and records the answer for at most ${LIMITS.call_recording_seconds} seconds.`,
      ),
      client_id: ClientId.optional(),
      dry_run: DryRun,
    }),
    output: Sent,
    replay: (ctx, { client_id, dry_run }) => replaySend(ctx, dry_run ? undefined : client_id),
    run: (ctx, { to, say, mode, client_id = null, dry_run }) =>
      sendByPhone(ctx, { kind: "call", to, text: say, call_mode: mode, client_id }, { dry_run }),
  }),
};
