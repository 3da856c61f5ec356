import { z } from "zod";
import { InboxId, MessageId } from "../../catalogue/id-inputs.ts";
import { AGENTS } from "../../kernel/access/caller.ts";
import { operation } from "../../kernel/operation.ts";
import { findBody, findMessage, showMessage } from "../../mailbox/messages/index.ts";
import { Message } from "../../model/messages.ts";
import { InjectInput, inject } from "./inject.ts";
import { releaseMessage } from "./release.ts";

/** The operations that send mail through the inbound pipeline. */
export const inbound = {
  release: operation({
    summary: "Releases a held message: its body is shown and message.received is published.",
    when: "Let a held mail through after a person looked at it.",
    errors: ["message_not_held"],
    scope: "inbox",
    effect: "write",
    allow: ["message_release"],
    input: z.object({ inbox_id: InboxId, message_id: MessageId }),
    output: Message,
    async run(ctx, { message_id }) {
      const message = await findMessage(ctx.storage, ctx.inbox.id, message_id);
      const body = await findBody(ctx.storage, message);
      return showMessage(await releaseMessage(ctx, message, body), body, ctx.options);
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
