import { z } from "zod";
import { InboxId } from "../../catalogue/id-inputs.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { operation } from "../../kernel/operation.ts";
import { inWaitingSlot, waitFor } from "../../kernel/waiting.ts";
import { channels } from "../../kernel/work.ts";
import { WaitSeconds } from "../../model/fields.ts";
import { type MessageRecord, Shown } from "../../model/messages.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { View } from "./outgoing/inputs.ts";
import { showMessages } from "./show.ts";
import { READY_ROWS } from "./terms.ts";
import { CodeRequest, InboxCode, waitForCode } from "./wait-for-code.ts";

/** The operations that wait for mail. */
export const waiting = {
  wait: operation({
    summary: "Returns the oldest unread mail, or waits for new mail.",
    when: "Wait for the answer to a mail; mark what you have read, so that the next wait returns something new.",
    example: { wait: 25 },
    scope: "inbox",
    inbox_by_name: true,
    effect: "read",
    allow: ["message_read"],
    tool: {
      name: "wait_for_mail",
      description:
        "Return unread mail, oldest first, or wait for new mail. Mark what you handled as read with label_messages.",
      sets: { view: "summary" },
    },
    input: z.object({
      inbox_id: InboxId,
      wait: WaitSeconds(LIMITS.wait_default_seconds, LIMITS.wait_max_seconds),
      view: View,
    }),
    output: z.object({
      object: z.literal("inbox_wait").default("inbox_wait"),
      inbox_id: z.string().describe("The inbox."),
      timed_out: z.boolean().describe("Whether the wait ended without mail."),
      data: z.array(Shown).describe("The unread mail, oldest first."),
    }),
    async run(ctx, { wait, view }) {
      const { storage, inbox, options } = ctx;
      const look = async () => {
        const unread = await readyMessages(ctx, inbox.id);
        return unread.length === 0 ? undefined : unread;
      };
      const found =
        (await look()) ??
        (await inWaitingSlot(ctx, wait, () =>
          waitFor(ctx, { channels: [channels.inbox(inbox.id)], seconds: wait, look }),
        ));
      const data = found === undefined ? [] : await showMessages(storage, found, view, options);
      return { inbox_id: inbox.id, timed_out: found === undefined, data };
    },
  }),

  waitForCode: operation({
    summary: "Returns the newest one-time code or link, or waits for one; nothing is marked read.",
    when: "Get the code or link of a sign-up or sign-in that the agent just began.",
    example: { from_domain: "shop.example", wait: 25 },
    scope: "inbox",
    inbox_by_name: true,
    effect: "read",
    allow: ["message_read"],
    tool: {
      name: "wait_for_code",
      description:
        "Get the newest one-time code or sign-in link, or wait for one. Check link_host before you open a link.",
      fields: {
        after: "Only mail since then; default 5 minutes ago",
        from_contains: "",
        from_domain: "Authenticated sender's domain",
        subject_contains: "",
      },
    },
    input: z.object({ inbox_id: InboxId, ...CodeRequest }),
    output: InboxCode,
    run: (ctx, { inbox_id: _named, ...request }) => waitForCode(ctx, request),
  }),
};

async function readyMessages(
  { storage }: { storage: StorageReader },
  inbox_id: string,
): Promise<MessageRecord[]> {
  const order = { by: "message_id", direction: "asc" } as const;
  const limit = LIMITS.wait_messages;
  const rows = await Promise.all(
    READY_ROWS.map((row) => storage.find("message_terms", { where: { inbox_id, term: row }, order, limit })),
  );
  const ids = [...new Set(rows.flat().map(({ message_id }) => message_id))].sort().slice(0, limit);
  if (ids.length === 0) return [];
  return storage.find("messages", {
    where: { id: { in: ids } },
    order: { by: "id", direction: "asc" },
    limit: ids.length,
  });
}
