import { fail } from "../catalogue/errors.ts";
import type { AccountContext, Services } from "../kernel/context.ts";
import { notFound } from "../kernel/gate.ts";
import { hashSecret } from "../kernel/secrets.ts";
import type { ApprovalLetterRecord, ApprovalRecord } from "../model/approvals.ts";
import type { OwnerRecord } from "../model/owners.ts";
import type { StorageReader } from "../ports/storage.ts";
import { mayDecide } from "./rules.ts";

/** An approval that the caller may see, else `approval_not_found`. */
export async function findApproval(
  { account_id, caller }: AccountContext,
  storage: StorageReader,
  id: string,
): Promise<ApprovalRecord> {
  const approval = await storage.get("approvals", id);
  const visible =
    approval?.account_id === account_id &&
    (caller.inbox_id === null || caller.inbox_id === approval.inbox_id);
  if (approval === undefined || !visible) throw notFound("approval_not_found", "apr", id);
  return approval;
}

/** What the token of a letter leads to. */
export interface Addressed {
  letter: ApprovalLetterRecord;
  approval: ApprovalRecord;
  owner: OwnerRecord;
}

/**
 * The question and the owner that a letter's token stands for, while that owner may decide it. Fails with
 * `approval_link_invalid`.
 */
export async function byToken(
  { storage, options }: Pick<Services, "storage" | "options">,
  token: string,
): Promise<Addressed> {
  const [letter] = await storage.find("approval_letters", {
    where: { token_hash: hashSecret(token) },
    limit: 1,
  });
  const approval = letter === undefined ? undefined : await storage.get("approvals", letter.approval_id);
  const owner = letter === undefined ? undefined : await storage.get("owners", letter.owner_id);
  if (letter === undefined || approval === undefined || owner === undefined)
    throw fail("approval_link_invalid", { param: "token" });
  if (!mayDecide(owner, approval, options.mail_domain))
    throw fail("approval_link_invalid", { param: "token" });
  return { letter, approval, owner };
}
