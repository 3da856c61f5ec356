import { z } from "zod";
import { InboxId, MessageId } from "../../catalogue/id-inputs.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { AGENTS } from "../../kernel/access/caller.ts";
import { operation } from "../../kernel/operation.ts";
import type { Work } from "../../kernel/work.ts";
import { checkUpdate } from "../../mailbox/canaries/index.ts";
import { findBody, findMessage, showMessage } from "../../mailbox/messages/index.ts";
import { Approval } from "../../model/approvals.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import { Message } from "../../model/messages.ts";
import { asksForPasskey, recordDecision } from "../../owners/approvals/index.ts";
import { InjectInput, inject } from "./inject.ts";
import { askToRelease, releaseMessage, releaseOf } from "./release.ts";

/** The operations that send mail through the inbound pipeline. */
export const inbound = {
  release: operation({
    summary:
      "Releases a held message: its body is shown and message.received is published. Where release_by is authority, a key asks a person for it.",
    when: "Let a held mail through after a person looked at it, or ask them to.",
    example: { reason: "It answers the order that I placed this morning." },
    errors: [
      "message_not_held",
      "owner_required",
      "approval_limit",
      "approval_rejected",
      "approval_required",
      "own_secret",
      "canary_leaked",
    ],
    scope: "inbox",
    effect: "write",
    holds: true,
    allow: ["message_release"],
    input: z.object({
      inbox_id: InboxId,
      message_id: MessageId,
      reason: z
        .string()
        .max(LIMITS.release_reason_chars)
        .optional()
        .describe(
          `Why it is to be released, for the person who decides; at most ${LIMITS.release_reason_chars} characters.`,
        ),
    }),
    output: z.union([Message, Approval]),
    async run(ctx, { message_id, reason }) {
      const { caller, inbox } = ctx;
      const mustAsk = (present: InboxRecord) =>
        present.release_by === "authority" && (caller.type !== "owner" || asksForPasskey(present));
      if (mustAsk(inbox)) {
        await checkUpdate(ctx, inbox, [reason ?? ""], ctx.now);
        return ctx.transaction((work) => askToRelease(ctx, work, message_id, reason));
      }
      const message = await findMessage(ctx.storage, inbox.id, message_id);
      const body = await findBody(ctx.storage, message);
      const decided = async (work: Work, present: InboxRecord) => {
        if (caller.type !== "owner" || present.release_by === "key") return;
        const release = { ...releaseOf(message, reason), email: caller.email };
        await recordDecision(ctx, work, present, release, ctx.now);
      };
      const released = await releaseMessage(ctx, message, body, { mustAsk, also: decided });
      return showMessage(released, body, ctx.options);
    },
  }),

  inject: operation({
    summary: "Delivers a test mail to the inbox as if it had been received; it stays marked as injected.",
    when: "Try in development how the agent deals with a mail, without a mail server.",
    example: {
      from: "olga@owner.example",
      subject: "Printer",
      text: "Please order paper for the printer.",
      auth: { spf: "pass", dkim: "pass", dmarc: "pass" },
    },
    errors: ["inbox_paused", "inbox_expired", "sender_blocked", "message_too_large", "mail_too_complex"],
    scope: "inbox",
    callers: AGENTS,
    effect: "write",
    allow: ["message_inject"],
    idempotent: true,
    input: InjectInput,
    output: Message,
    run: inject,
  }),
};
