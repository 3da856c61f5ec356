import { LIMITS } from "../../catalogue/limits.ts";
import type { Services } from "../../kernel/context.ts";
import { notFound } from "../../kernel/gate.ts";
import type { Work } from "../../kernel/work.ts";
import type { ApprovalRecord, ApprovalReview, ApprovalVersionRecord } from "../../model/approvals.ts";
import type { Find, StorageReader } from "../../ports/storage.ts";
import { differences } from "./changes.ts";
import { canonicalText, changeContent, mailContent, senderOf } from "./content.ts";

/** The version of a mail that its agent asked about. */
export const firstVersion = (
  { id, digest, requested_at }: ApprovalRecord,
  content: string,
): ApprovalVersionRecord => ({ approval_id: id, number: 1, digest, by: null, at: requested_at, content });

/**
 * The latest version of a mail in an approval; that as it is now, which is stored then, if it was asked about before
 * these were kept.
 */
export async function latestVersion(
  work: Pick<Work, "find" | "append">,
  approval: ApprovalRecord,
  content: string,
): Promise<ApprovalVersionRecord> {
  const [latest] = await work.find("approval_versions", newestOf(approval.id));
  if (latest !== undefined) return latest;
  const first = firstVersion(approval, content);
  work.append("approval_versions", [first]);
  return first;
}

const newestOf = (approval_id: string): Find<"approval_versions"> => ({
  where: { approval_id },
  order: { by: "number", direction: "desc" },
  limit: 1,
});

/** The newest versions that are shown, oldest first: comparing more would hold up all others. */
function newestWithin(versions: readonly ApprovalVersionRecord[]): ApprovalVersionRecord[] {
  let chars = 0;
  const newest = versions.slice(-LIMITS.approval_versions_shown).reverse();
  const kept = newest.findIndex(({ content }) => {
    chars += content.length;
    return chars > LIMITS.approval_versions_chars;
  });
  return (kept === -1 ? newest : newest.slice(0, kept)).reverse();
}

/** A version of a mail, with what differs from the one before it. */
type ShownVersion = ApprovalReview["versions"][number];

/** The versions of a mail that people were asked about, over all its approvals up to this one, oldest first. */
export async function versionsUntil(
  storage: StorageReader,
  { id, subject_id, subject_type }: ApprovalRecord,
): Promise<ShownVersion[]> {
  if (subject_type !== "draft") return [];
  const statuses = ["approved", "cancelled", "expired", "pending", "rejected"] as const;
  const asked = await Promise.all(
    statuses.map((status) =>
      storage.find("approvals", {
        where: { subject_id, status },
        limit: LIMITS.approval_versions_shown,
      }),
    ),
  );
  const ids = asked
    .flat()
    .map((approval) => approval.id)
    .filter((each) => each <= id)
    .sort();
  const recent = ids.slice(-LIMITS.approval_versions_shown);
  const stored = await Promise.all(
    recent.map((approval_id) =>
      storage.find("approval_versions", {
        where: { approval_id },
        order: { by: "number", direction: "asc" },
        limit: LIMITS.approval_versions_shown,
      }),
    ),
  );
  const versions = newestWithin(stored.flat());
  return versions.map(({ approval_id, digest, by, at, content }, index) => {
    const before = versions[index - 1];
    const changes =
      before === undefined
        ? []
        : differences(JSON.parse(before.content), JSON.parse(content), LIMITS.approval_change_chars);
    return { approval_id, digest, by, at, changes };
  });
}

/**
 * What is approved, in its canonical form: its digest is the approval's. Of a mail that was asked about before these
 * were kept, that of its draft as it is now. Fails with `draft_not_found` when that is gone.
 */
export async function canonicalContent(
  own: Pick<Services, "options">,
  storage: StorageReader,
  { id, subject_type, subject_id, inbox_id, change }: ApprovalRecord,
): Promise<string> {
  if (subject_type !== "draft") return canonicalText(changeContent(subject_type, subject_id, change));
  const [latest] = await storage.find("approval_versions", newestOf(id));
  if (latest !== undefined) return latest.content;
  const [inbox, draft] = await Promise.all([
    storage.get("inboxes", inbox_id),
    storage.get("drafts", subject_id),
  ]);
  if (inbox === undefined || draft === undefined) throw notFound("draft_not_found", "dft", subject_id);
  return canonicalText(mailContent(await senderOf(own, storage, inbox), draft));
}
