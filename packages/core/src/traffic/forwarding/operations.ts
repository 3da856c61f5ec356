import { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { ForwardingId, InboxId } from "../../catalogue/id-inputs.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { holdsAny } from "../../catalogue/permissions.ts";
import { OWNERS } from "../../kernel/access/caller.ts";
import type { InboxContext } from "../../kernel/context.ts";
import { notFound } from "../../kernel/gate.ts";
import { answerInTransaction } from "../../kernel/idempotency.ts";
import { operation } from "../../kernel/operation.ts";
import { newestFirst } from "../../kernel/page.ts";
import type { Work } from "../../kernel/work.ts";
import { CursorInput, created, Deleted, Limit, listOf, OwnerAddress } from "../../model/fields.ts";
import { Forwarding, ForwardingConfirmation, type ForwardingRecord } from "../../model/forwardings.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import { askForForwarding, checkAsked } from "./ask.ts";
import { confirmForwarding } from "./confirm.ts";
import { stopForwarding, withdrawRequest } from "./end.ts";

const one = z.object({ inbox_id: InboxId, forwarding_id: ForwardingId });
const Token = z
  .string({ error: "confirm_invalid" })
  .max(200, { error: "confirm_invalid" })
  .describe("The token of the link in the letter.");
/** A code as people type it, with or without spaces. */
const Code = z
  .string({ error: "forwarding_code_invalid" })
  .max(40, { error: "forwarding_code_invalid" })
  .transform((code) => code.replace(/\s/g, ""))
  .describe("The six digits of the letter.");

/** The operations on the forwarding of an inbox's mail. */
export const forwarding = {
  create: operation({
    summary:
      "Asks to forward mail of an inbox to an address outside: its mailbox is sent a code, and then a person in charge decides.",
    when: "A person wants the inbox's mail, or what its rules choose of it, in their own mailbox too.",
    example: { email: "grace@family.example", everything: true },
    errors: [
      "permission_denied",
      "forwarding_limit",
      "forwarding_exists",
      "forwarding_inside",
      "owner_required",
      "approval_rejected",
      "inbox_expired",
      "own_secret",
      "canary_leaked",
    ],
    scope: "inbox",
    effect: "write",
    allow: ["inbox_update"],
    idempotent: true,
    input: z.object({
      inbox_id: InboxId,
      email: OwnerAddress.describe("The address to forward to, outside this service."),
      everything: z
        .boolean()
        .default(false)
        .describe(
          "Whether all mail that comes is forwarded; false by default: then only what rules choose with `forward_to`.",
        ),
    }),
    output: created(Forwarding, "CreatedForwarding"),
    async run(ctx, { email, everything }) {
      if (!holdsAny(ctx.caller.permissions, ["message_send"]))
        throw fail("permission_denied", { param: "message_send" });
      await checkAsked(ctx, { email, everything });
      return answerInTransaction(ctx, (work) => askForForwarding(ctx, work, { email, everything }));
    },
  }),

  list: operation({
    summary: "Lists the addresses that mail of an inbox is forwarded to, newest first.",
    when: "See where mail goes besides the inbox, and what waits for a person.",
    scope: "inbox",
    inbox_by_name: true,
    effect: "read",
    pages: true,
    allow: ["message_read"],
    input: z.object({
      inbox_id: InboxId,
      limit: Limit(LIMITS.list_default, LIMITS.list_max),
      cursor: CursorInput.optional(),
    }),
    output: listOf(Forwarding),
    run: ({ storage, inbox }, { limit, cursor }) =>
      newestFirst(storage, "forwardings", { where: { inbox_id: inbox.id }, limit, cursor }),
  }),

  get: operation({
    summary: "Shows a forwarding of an inbox.",
    when: "See whether its mailbox and a person in charge have agreed.",
    scope: "inbox",
    inbox_by_name: true,
    effect: "read",
    allow: ["message_read"],
    input: one,
    output: Forwarding,
    run: ({ storage, inbox }, { forwarding_id }) => findForwarding(storage, inbox, forwarding_id),
  }),

  delete: operation({
    summary: "Ends a forwarding, or takes back that it was asked for; rules that use it are disabled.",
    when: "Mail is no longer to be forwarded there.",
    scope: "inbox",
    effect: "delete",
    allow: ["inbox_update"],
    input: one,
    output: Deleted("forwarding"),
    run: (ctx: InboxContext, { forwarding_id: id }) =>
      ctx.transaction(async (work) => {
        const found = await findForwarding(work, ctx.inbox, id);
        await work.delete("forwardings", { id });
        await withdrawRequest(work, found, ctx.now);
        if (found.status === "verified") await stopForwarding(work, ctx.inbox.id);
        return { id };
      }),
  }),

  confirmation: operation({
    summary: "Shows what the link of a forwarding's letter is about, without confirming anything.",
    when: "A page of your own behind the link of a forwarding's letter.",
    errors: ["confirm_invalid"],
    scope: "public",
    effect: "read",
    letter: "forwarding",
    allow: "any",
    callers: OWNERS,
    input: z.object({ token: Token }),
    output: ForwardingConfirmation,
    run: async (ctx) => shown(ctx.letter.forwarding, ctx.letter.inbox),
  }),

  confirm: operation({
    summary:
      "Confirms, by the link and the code of its letter, that a mailbox wants to be forwarded to; then a person in charge is asked.",
    when: "A page of your own on which the reader of a forwarding's letter enters its code; it needs no key.",
    example: { code: "123456" },
    errors: [
      "forwarding_code_invalid",
      "confirm_locked",
      "session_required",
      "owner_required",
      "approval_limit",
      "approval_rejected",
    ],
    scope: "public",
    effect: "write",
    letter: "forwarding",
    allow: "any",
    callers: OWNERS,
    input: z.object({ token: Token, code: Code }),
    output: ForwardingConfirmation,
    run: async (ctx, { code }) =>
      shown(await confirmForwarding(ctx, ctx.letter, code, ctx.caller, ctx.now), ctx.letter.inbox),
  }),
};

async function findForwarding(
  storage: Pick<Work, "get">,
  inbox: Pick<InboxRecord, "id">,
  id: string,
): Promise<ForwardingRecord> {
  const found = await storage.get("forwardings", id);
  if (found?.inbox_id !== inbox.id) throw notFound("forwarding_not_found", "fwd", id);
  return found;
}

const shown = (
  { email, given_email, everything, status, confirmed_at }: ForwardingRecord,
  inbox: Pick<InboxRecord, "email" | "display_name">,
): z.input<typeof ForwardingConfirmation> => ({
  ...{ email: given_email ?? email, everything, status, confirmed: confirmed_at !== null },
  ...{ inbox_email: inbox.email, inbox_display_name: inbox.display_name },
});
