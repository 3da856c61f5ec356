import { fail } from "../../catalogue/errors.ts";
import type { Services } from "../../kernel/context.ts";
import { notFound } from "../../kernel/gate.ts";
import type { ApprovalRecord } from "../../model/approvals.ts";
import type { DraftRecord } from "../../model/drafts.ts";
import { isClean } from "./clean-draft.ts";
import { isDigestOf, senderOf } from "./content.ts";

/**
 * The mail that an approval is bound to, as long as it is the one that somebody has read, by its digest. Fails with
 * `draft_not_found` where there is none, and with `approval_changed`, also for mail from before HTML was cleaned.
 */
export async function mailAsRead(
  services: Pick<Services, "storage" | "options" | "contentWorker">,
  { subject_type, subject_id, inbox_id, digest: asked }: ApprovalRecord,
  digest: string,
): Promise<DraftRecord> {
  const { storage } = services;
  const inbox = await storage.get("inboxes", inbox_id);
  const draft = subject_type === "draft" ? await storage.get("drafts", subject_id) : undefined;
  if (inbox === undefined || draft === undefined) throw notFound("draft_not_found", "dft", subject_id);
  const is_same = digest === asked && isDigestOf(digest, await senderOf(services, storage, inbox), draft);
  if (!is_same || !(await isClean(services, draft))) throw fail("approval_changed", { param: "digest" });
  return draft;
}
