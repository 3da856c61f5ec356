import { z } from "zod";
import type { PublicContext } from "../../kernel/context.ts";
import type { ApprovalRecord } from "../../model/approvals.ts";
import type { Edit } from "./edit.ts";

/** `remember_recipients` as input. */
export const RememberRecipients = z
  .boolean()
  .default(false)
  .describe(
    "Whether those whom the approved mail goes to count as known to the account from now on; false by default.",
  );

/** `remember_values` as input. */
export const RememberValues = z
  .boolean()
  .default(false)
  .describe(
    "Whether the bank account numbers (IBAN) in the approved mail are remembered: nobody is asked about them again in this inbox; false by default.",
  );

/** The values of the mail, as it is approved, that a person may have remembered. */
export async function valuesOf(
  ctx: PublicContext,
  { subject_type, subject_id, inbox_id }: ApprovalRecord,
  edit: Edit | undefined,
): Promise<string[]> {
  if (subject_type !== "draft") return [];
  const [inbox, stored] = await Promise.all([
    ctx.storage.get("inboxes", inbox_id),
    ctx.storage.get("drafts", subject_id),
  ]);
  const draft = edit?.draft ?? stored;
  return inbox === undefined || draft === undefined
    ? []
    : ctx.heldDrafts.valuesIn(ctx, inbox, draft, ctx.now);
}
