import { notFound } from "../../kernel/gate.ts";
import type { ApprovalRecord, ApprovalVersionRecord } from "../../model/approvals.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { canonicalText, changeContent, mailContent } from "./content.ts";

/** The version of a mail that its agent asked about. */
export const firstVersion = (
  { id, digest, requested_at }: ApprovalRecord,
  content: string,
): ApprovalVersionRecord => ({ approval_id: id, number: 1, digest, by: null, at: requested_at, content });

/**
 * What is approved, in its canonical form: its digest is the approval's. Of a mail that was asked about before these
 * were kept, that of its draft as it is now. Fails with `draft_not_found` when that is gone.
 */
export async function canonicalContent(
  storage: StorageReader,
  { id, subject_type, subject_id, inbox_id, change }: ApprovalRecord,
): Promise<string> {
  if (subject_type !== "draft") return canonicalText(changeContent(subject_type, subject_id, change));
  const [latest] = await storage.find("approval_versions", {
    where: { approval_id: id },
    order: { by: "number", direction: "desc" },
    limit: 1,
  });
  if (latest !== undefined) return latest.content;
  const [inbox, draft] = await Promise.all([
    storage.get("inboxes", inbox_id),
    storage.get("drafts", subject_id),
  ]);
  if (inbox === undefined || draft === undefined) throw notFound("draft_not_found", "dft", subject_id);
  return canonicalText(mailContent(inbox, draft));
}
