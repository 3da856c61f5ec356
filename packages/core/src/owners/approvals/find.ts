import { fail } from "../../catalogue/errors.ts";
import { decidersOver } from "../../kernel/access/authority.ts";
import { type Caller, reaches, signedIn } from "../../kernel/access/caller.ts";
import { isOutside } from "../../kernel/addresses/inbox-domain.ts";
import type { AccountContext, Services } from "../../kernel/context.ts";
import { notFound } from "../../kernel/gate.ts";
import { findLetterSecret } from "../../kernel/letters/letter-secrets.ts";
import type { LetterSubjects } from "../../kernel/letters/letter-token.ts";
import type { ApprovalRecord } from "../../model/approvals.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { isForAccountOwners, maySee, ruledBy } from "./rules.ts";

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
 * The approval of a letter's token, and whether its reader decides. Fails with `approval_link_invalid`, also
 * when the reader no longer may see it.
 */
export async function approvalByToken(
  services: Pick<Services, "storage" | "options">,
  token: string,
  now: Date,
): Promise<LetterSubjects["approval"]> {
  const { storage } = services;
  const secret = await findLetterSecret(services, token, ["approve"], now);
  // A letter that lists several requests is in no inbox: there its link alone says which it is about.
  const { message_id = null, subject_id: id = null, email: to = "" } = secret ?? {};
  const asked =
    message_id === null ? { approval_id: id, email: to } : await storage.get("approval_letters", message_id);
  const { approval_id = null, email = "" } = asked ?? {};
  const approval = approval_id === null ? undefined : await storage.get("approvals", approval_id);
  if (approval === undefined) throw fail("approval_link_invalid", { param: "token" });
  const part = await partOf(services, approval, email);
  if (part === "none") throw fail("approval_link_invalid", { param: "token" });
  return { approval, email, decides: part === "decides" };
}

/** Returns a person's part in an approval: to decide it, only to read it, or none. */
export async function partOf(
  services: Pick<Services, "storage" | "options">,
  approval: ApprovalRecord,
  email: string,
): Promise<"decides" | "reads" | "none"> {
  const { storage } = services;
  if ((await decidersOver(services, storage, ruledBy(approval))).emails.includes(email)) return "decides";
  if (isForAccountOwners(approval)) return "none";
  const { inbox_id } = approval;
  const [owner] = await storage.find("owners", { where: { inbox_id, email }, limit: 1 });
  if (owner === undefined) return "none";
  return maySee(owner, approval, await isOutside(services, storage, email)) ? "reads" : "none";
}

/**
 * Returns an approval that a signed-in person takes part in. Fails with `approval_not_found`, and with
 * `session_required` for a caller who isn't signed in.
 */
export async function approvalOfPerson(
  services: Pick<Services, "storage" | "options">,
  caller: Caller,
  id: string,
): Promise<{ approval: ApprovalRecord; email: string; decides: boolean }> {
  const { email, account_id } = signedIn(caller);
  const approval = await services.storage.get("approvals", id);
  const elsewhere = account_id !== "" && approval?.account_id !== account_id;
  const part = approval === undefined || elsewhere ? "none" : await partOf(services, approval, email);
  if (approval === undefined || part === "none") throw notFound("approval_not_found", "apr", id);
  return { approval, email, decides: part === "decides" };
}
