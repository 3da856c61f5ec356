import { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { nameOfAccount } from "../../kernel/access/account-name.ts";
import type { AccountContext } from "../../kernel/context.ts";
import { operation } from "../../kernel/operation.ts";
import type { Work } from "../../kernel/work.ts";
import { DeletedAccount } from "../../model/accounts.ts";
import { Approval } from "../../model/approvals.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import { askAboutChange, asksForPasskey, recordDecision } from "../../owners/approvals/index.ts";
import { beginErasing } from "./begin.ts";
import { checkMayAsk } from "./rules.ts";

/** The operation that ends the caller's own account. */
export const erasing = {
  delete: operation({
    summary:
      "Deletes the account with all that it holds: its keys and apps stop at once, and everything is erased within 24 hours but its addresses, which nobody else ever gets. For a key an account owner must approve first.",
    when: "End the use of the service for good. Export the account before.",
    errors: ["permission_denied", "owner_required", "approval_limit", "approval_rejected", "account_deleted"],
    scope: "account",
    effect: "delete",
    holds: true,
    allow: "any",
    authorize: (caller) => checkMayAsk(caller),
    input: z.object({}),
    output: z.union([DeletedAccount, Approval]),
    run: (ctx) =>
      ctx.transaction(async (work) => {
        const { account_id, caller, now } = ctx;
        const inbox = await oldestInbox(work, account_id);
        const request = {
          subject_type: "account_delete" as const,
          subject_id: account_id,
          change: { account_id, inboxes: await nameOfAccount(work, account_id) },
        };
        if (caller.type !== "owner" || (inbox !== undefined && asksForPasskey(inbox))) {
          if (inbox === undefined) throw NOWHERE_TO_ASK_FROM();
          return askAboutChange(ctx, work, inbox, request, now);
        }
        if (inbox !== undefined)
          await recordDecision(ctx, work, inbox, { ...request, email: caller.email }, now);
        return deleteAccount(ctx, work);
      }),
  }),
};

async function deleteAccount(ctx: AccountContext, work: Work): Promise<z.input<typeof DeletedAccount>> {
  const deleted = await beginErasing(work, ctx.account_id, ctx.now);
  if (deleted === undefined) throw fail("account_deleted");
  const { erased_by, keys_revoked } = deleted;
  return { id: ctx.account_id, deleted: true, keys_revoked, erased_by, kept: ["addresses"] };
}

async function oldestInbox(work: Work, account_id: string): Promise<InboxRecord | undefined> {
  const [inbox] = await work.find("inboxes", {
    where: { account_id },
    order: { by: "id", direction: "asc" },
    limit: 1,
  });
  return inbox;
}

const NOWHERE_TO_ASK_FROM = () =>
  fail("owner_required", {
    message: "The account has no inbox from which its owner could be asked.",
    fix: "Let an account owner delete it in their own session, or create an inbox first.",
  });
