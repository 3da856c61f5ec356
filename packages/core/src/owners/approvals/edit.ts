import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import type { Services } from "../../kernel/context.ts";
import type { Work } from "../../kernel/work.ts";
import type { ApprovalRecord, ReasonRecord, VersionChange } from "../../model/approvals.ts";
import type { DraftRecord } from "../../model/drafts.ts";
import { iso } from "../../model/fields.ts";
import { draftAsked } from "../notifications/approval.ts";
import { changedDraft, type DraftChanges, differences } from "./changes.ts";
import { cleanDraft } from "./clean-draft.ts";
import { canonicalText, isDigestOf, mailContent, mailDigest, senderOf } from "./content.ts";
import { mergeReasons, READS_ALL, reasonsFor } from "./reasons.ts";
import { latestVersion } from "./versions.ts";

/** A mail as a person changed it, cleaned and judged: what they approve. */
export interface Edit {
  /** The digest of what it was made from. */
  of: string;
  draft: DraftRecord;
  digest: string;
  reasons: ReasonRecord[];
}

/**
 * Makes and judges what a person wants to approve instead of what they were asked; undefined where it is the same.
 * `digest` is of what they read, or of the result. Fails with `approval_changed` where it is neither, and once, with
 * reasons and the result's digest, where something is found in it that they weren't told; as cleaning does; and with
 * the error that sending it would fail with.
 */
export async function editOf(
  services: Services,
  approval: ApprovalRecord,
  { changes, digest }: { changes: DraftChanges; digest: string },
  now: Date,
): Promise<Edit | undefined> {
  if (approval.subject_type !== "draft")
    throw fail("invalid_request", {
      param: "changes",
      message: "Only what is to be sent can be changed.",
      fix: "Approve or reject it as it is.",
    });
  const { storage } = services;
  const [inbox, before] = await Promise.all([
    storage.get("inboxes", approval.inbox_id),
    storage.get("drafts", approval.subject_id),
  ]);
  if (inbox === undefined || before === undefined) throw fail("approval_changed", { param: "digest" });
  const sender = await senderOf(services, storage, inbox);
  if (!isDigestOf(approval.digest, sender, before)) throw fail("approval_changed", { param: "digest" });
  const changed = changedDraft(before, changes);
  const { bodies } = await cleanDraft(services, changed);
  const draft = { ...changed, ...bodies };
  const result = mailDigest(sender, draft);
  const known = [approval.digest, mailDigest(sender, before)];
  if (digest !== result && !known.includes(digest)) throw fail("approval_changed", { param: "digest" });
  if (known.includes(result)) return undefined;
  const found = await services.heldDrafts.judge(services, inbox, draft, now);
  const reasons = mergeReasons(approval.reasons, found);
  if (digest !== result && reasons.length > approval.reasons.length) {
    const of_edit = { inbox_id: inbox.id, reasons: mergeReasons([], found) };
    throw fail("approval_changed", {
      param: "changes",
      message: "Something was found in the mail as you changed it.",
      fix: "Read the reasons; to approve it all the same, send the changes again with the digest of this error.",
      reasons: reasonsFor(of_edit, READS_ALL),
      digest: result,
    });
  }
  return { of: approval.digest, draft, digest: result, reasons };
}

/**
 * Makes the edit what is approved, in the transaction of the decision. Fails with `approval_changed` or
 * `approval_closed` if anything else was done to the approval or its draft in the meantime.
 */
export async function applyEdit(
  services: Services,
  work: Work,
  approval: ApprovalRecord,
  edit: Edit,
  by: string,
  now: Date,
): Promise<VersionChange[]> {
  const { draft, digest, reasons } = edit;
  const [inbox, before] = await Promise.all([
    work.get("inboxes", approval.inbox_id),
    work.get("drafts", approval.subject_id),
  ]);
  if (inbox === undefined || before === undefined) throw fail("approval_closed");
  const sender = await senderOf(services, work, inbox);
  if (approval.digest !== edit.of || mailDigest(sender, draft) !== digest)
    throw fail("approval_changed", { param: "digest" });
  const asked = await latestVersion(work, approval, canonicalText(mailContent(sender, before)));
  const content = mailContent(sender, draft);
  const made = { digest, by, at: iso(now) };
  const versions = approval.edited ? approval.versions : [{ digest: asked.digest, by: null, at: asked.at }];
  const [edited] = await work.update(
    "approvals",
    { id: approval.id, status: "pending", digest: edit.of },
    {
      ...{ digest, reasons, edited: true, versions: [...versions, made] },
      ...{ html_changes: draft.html_changes, html_changed: draft.html_changes.length > 0 },
      summary: draftAsked(draft).summary,
    },
  );
  if (edited === undefined) throw fail("approval_closed");
  const { to, cc, bcc, names, subject, text, html, html_changes, attachments } = draft;
  const words = { to, cc, bcc, names, subject, text, html, html_changes, attachments };
  await work.update("drafts", { id: draft.id }, { ...words, updated_at: iso(now) });
  if (attachments.length < before.attachments.length)
    await services.heldDrafts.useFiles(work, before, draft, now);
  work.append("approval_versions", [
    { approval_id: approval.id, number: asked.number + 1, ...made, content: canonicalText(content) },
  ]);
  return differences(mailContent(sender, before), content, LIMITS.event_text_chars);
}

/** Whether a digest is of a version that a decided approval had: the decision is repeated. */
export const isVersionOf = ({ versions }: ApprovalRecord, digest: string): boolean =>
  versions.some((version) => version.digest === digest);
