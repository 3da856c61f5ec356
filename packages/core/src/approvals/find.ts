import { fail } from "../catalogue/errors.ts";
import { reaches } from "../kernel/caller.ts";
import type { AccountContext, Services } from "../kernel/context.ts";
import { notFound } from "../kernel/gate.ts";
import type { LetterSubjects } from "../kernel/letter-token.ts";
import { hashSecret } from "../kernel/secrets.ts";
import type { ApprovalRecord } from "../model/approvals.ts";
import type { StorageReader } from "../ports/storage.ts";
import { mayDecide } from "./rules.ts";

/** An approval that the caller may see. Fails with `approval_not_found`. */
export async function findApproval(
  { caller }: AccountContext,
  storage: StorageReader,
  id: string,
): Promise<ApprovalRecord> {
  const approval = await storage.get("approvals", id);
  if (approval === undefined || !reaches(caller, approval)) throw notFound("approval_not_found", "apr", id);
  return approval;
}

/**
 * The approval and the owner of a letter's token. Fails with `approval_link_invalid`, also when the owner may
 * not decide.
 */
export async function approvalByToken(
  { storage, options }: Pick<Services, "storage" | "options">,
  token: string,
): Promise<LetterSubjects["approval"]> {
  const [letter] = await storage.find("approval_letters", {
    where: { token_hash: hashSecret(token) },
    limit: 1,
  });
  const approval = letter === undefined ? undefined : await storage.get("approvals", letter.approval_id);
  const owner = letter === undefined ? undefined : await storage.get("owners", letter.owner_id);
  if (letter === undefined || approval === undefined || owner === undefined)
    throw fail("approval_link_invalid", { param: "token" });
  if (!mayDecide(owner, approval, { options })) throw fail("approval_link_invalid", { param: "token" });
  return { letter, approval, owner };
}
