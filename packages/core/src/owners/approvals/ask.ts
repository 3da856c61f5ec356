import { fail, LetterslotError } from "../../catalogue/errors.ts";
import { newLetterWord } from "../../catalogue/letter-words.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { decidersOver } from "../../kernel/access/authority.ts";
import type { Caller } from "../../kernel/access/caller.ts";
import { outsideOf } from "../../kernel/addresses/inbox-domain.ts";
import type { Services } from "../../kernel/context.ts";
import { endJob } from "../../kernel/jobs/job-lease.ts";
import { countOrFail } from "../../kernel/rate.ts";
import { hashSecret } from "../../kernel/secrets.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import type { Work } from "../../kernel/work.ts";
import { sendLetter } from "../../mailbox/messages/index.ts";
import type { Approval, ApprovalRecord, ApprovalSubject, ReasonRecord } from "../../model/approvals.ts";
import type { DraftRecord } from "../../model/drafts.ts";
import { iso } from "../../model/fields.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { JobRecord } from "../../model/jobs.ts";
import { addressToOwner, type OwnerRecord } from "../../model/owners.ts";
import { type Asked, approvalLetters, changeAsked, draftAsked } from "../notifications/approval.ts";
import { newOwnerPages } from "../notifications/owner-pages.ts";
import { bodiesOfSame, type CleanedDraft, cleanDraft } from "./clean-draft.ts";
import { canonicalText, changeDigest, digestOfText, isDigestOf, mailContent, senderOf } from "./content.ts";
import { endApproval, voidApprovals } from "./end.ts";
import { checkMayAsk, hasOwnLetter } from "./flood.ts";
import { approvalInEvent, mergeReasons, READS_ALL, READS_NONE, reasonSentences } from "./reasons.ts";
import { isForAccountOwners, isOpen, maySee, ruledBy } from "./rules.ts";
import { firstVersion } from "./versions.ts";

const HOUR_MS = 3600_000;

type Request = Pick<
  ApprovalRecord,
  "subject_type" | "subject_id" | "digest" | "change" | "html_changes" | "reasons"
>;

/** The services, and who asks if somebody's call does. */
type Asking = Services & { caller?: Caller };

/** The key or app that asks; null for people, and for what nobody's call asks. */
function askerOf(caller: Caller | undefined): ApprovalRecord["asked_by"] {
  if (caller?.type === "key") return { key_id: caller.key.id, client_id: null };
  return caller?.type === "app" ? { key_id: null, client_id: caller.client_id } : null;
}

/**
 * Asks the owners to approve a draft as it is now, and links the approval to the draft. Its HTML was cleaned
 * before (`cleanDraft`): what the owners are shown is what the approval is bound to, and what is sent. An open
 * request for the same content is reused, with its reasons and these. Fails with `draft_changed` when it is not the draft that was cleaned,
 * with `owner_required` or with `rate_limited`.
 */
export async function askAboutDraft(
  services: Asking,
  work: Work,
  inbox: InboxRecord,
  given: DraftRecord,
  { cleaned, reasons = [] }: { cleaned: CleanedDraft | undefined; reasons?: readonly ReasonRecord[] },
  now: Date,
): Promise<DraftRecord> {
  const bodies = bodiesOfSame(cleaned, given);
  const draft = { ...given, ...bodies };
  const sender = await senderOf(services, work, inbox);
  const content = canonicalText(mailContent(sender, draft));
  const request: Request = {
    subject_type: "draft",
    subject_id: draft.id,
    digest: digestOfText(content),
    change: {},
    html_changes: draft.html_changes,
    reasons: mergeReasons([], reasons),
  };
  const isSame = ({ digest }: ApprovalRecord) => isDigestOf(digest, sender, draft);
  await voidApprovals(work, draft.id, now, isSame);
  const { asked_by_key_id: key_id } = draft;
  const asked_by = key_id === null ? null : { key_id, client_id: null };
  const how = { asked: draftAsked(draft), content, isSame, asked_by };
  const approval = await ask(services, work, inbox, request, how, now);
  const [asked] = await work.update(
    "drafts",
    { id: draft.id },
    {
      ...bodies,
      approval_id: approval.id,
      approval_status: approval.status,
      send_status: draft.send_status === "failed" ? "draft" : draft.send_status,
      send_error: null,
      updated_at: iso(now),
    },
  );
  return asked ?? draft;
}

/** Asks the owners to approve a change of an inbox, or the release of a message: that once, whatever is said of it. */
export async function askAboutChange(
  services: Asking,
  work: Work,
  inbox: InboxRecord,
  change: {
    subject_type: Exclude<ApprovalSubject, "draft">;
    subject_id: string;
    change: Record<string, string>;
  },
  now: Date,
  {
    reasons = [],
    asked_by = null,
  }: {
    reasons?: readonly ReasonRecord[];
    /** Who asked when nobody's call does. */
    asked_by?: ApprovalRecord["asked_by"];
  } = {},
): Promise<Approval> {
  const digest = changeDigest(change.subject_type, change.subject_id, change.change);
  const asked = await ask(
    services,
    work,
    inbox,
    { ...change, digest, html_changes: [], reasons: mergeReasons([], reasons) },
    {
      asked_by,
      asked: changeAsked(change.subject_type, inbox.email, change.change),
      content: null,
      isSame: (approval) => isSameChange(approval, change),
    },
    now,
  );
  return approvalInEvent(asked);
}

/**
 * Whether an approval asks for this change; a message is released whatever reason its agent gives, and an account deleted
 * whichever inboxes it has by then.
 */
const isSameChange = (
  approval: ApprovalRecord,
  { subject_type, subject_id, change }: Pick<ApprovalRecord, "subject_type" | "subject_id" | "change">,
): boolean =>
  approval.subject_type === subject_type &&
  (subject_type === "message_release" ||
    subject_type === "account_delete" ||
    changeDigest(subject_type, subject_id, approval.change) ===
      changeDigest(subject_type, subject_id, change));

/**
 * Stores an approval, mails it to everybody who may decide or read it, and schedules its expiry after 72 hours.
 * Returns an open approval of the same request unchanged. Fails with `owner_required` when nobody could
 * decide, with `rate_limited`, or as `checkMayAsk` does.
 */
async function ask(
  services: Asking,
  work: Work,
  inbox: InboxRecord,
  request: Request,
  {
    asked,
    content,
    isSame,
    asked_by = null,
  }: {
    asked: Asked;
    /** Who asked when nobody's call does. */
    asked_by?: ApprovalRecord["asked_by"];
    /** What is approved of a mail, in its canonical form; a change says it itself. */
    content: string | null;
    isSame: (approval: ApprovalRecord) => boolean;
  },
  now: Date,
): Promise<ApprovalRecord> {
  const { subject_id } = request;
  const pending = await work.find("approvals", { where: { subject_id, status: "pending" }, limit: 100 });
  const same = pending.find((approval) => isSame(approval) && approval.expires_at > iso(now));
  if (same !== undefined) return withReasons(work, same, request.reasons);

  const approval: ApprovalRecord = {
    ...request,
    html_changed: request.html_changes.length > 0,
    id: services.makeId("apr"),
    account_id: inbox.account_id,
    inbox_id: inbox.id,
    summary: asked.summary,
    status: "pending",
    requested_at: iso(now),
    expires_at: iso(new Date(now.getTime() + LIMITS.approval_ms)),
    decided_at: null,
    decided_by: null,
    asked_by: askerOf(services.caller) ?? asked_by,
    comment: null,
    ...{ edited: false, versions: [] },
    imported: false,
  };
  const { deciders, others } = await readersOf(services, work, approval);
  if (deciders.length === 0) throw fail("owner_required");
  await checkMayAsk(work, approval, isSame, now);
  await countOrFail(
    work,
    { name: `approvals:${inbox.id}`, max: LIMITS.approvals_per_inbox_hour, window_ms: HOUR_MS },
    now,
  );

  work.append("approvals", [approval]);
  if (content !== null) work.append("approval_versions", [firstVersion(approval, content)]);
  work.job({ kind: "approval.expire", subject_id: approval.id, due_at: new Date(approval.expires_at) });
  for (const reader of [...deciders, ...others])
    if (await hasOwnLetter(work, approval, reader.email, now))
      await mailQuestion(services, work, { inbox, approval, reader, asked, now });
  work.publish({
    type: "approval.requested",
    inbox_id: inbox.id,
    data: { approval: approvalInEvent(approval) },
  });
  return approval;
}

/** An open approval that is asked for again, with what else there is to tell the owners. */
async function withReasons(
  work: Work,
  approval: ApprovalRecord,
  more: readonly ReasonRecord[],
): Promise<ApprovalRecord> {
  const reasons = mergeReasons(approval.reasons, more);
  if (reasons.length === approval.reasons.length) return approval;
  const [updated] = await work.update("approvals", { id: approval.id }, { reasons });
  return updated ?? approval;
}

/**
 * Mails an open approval again, after the upgrade that ended the links of older letters: the same request, with
 * a new letter to everybody who may decide or read it now. What can no longer be asked is cancelled.
 */
export async function askAnew(services: Services, job: JobRecord): Promise<void> {
  const found = await services.storage.get("approvals", job.subject_id);
  if (found === undefined) return endJob(services.storage, job);
  const now = services.clock.now();
  const held =
    found.subject_type === "draft" ? await services.storage.get("drafts", found.subject_id) : undefined;
  const cleaned = held === undefined ? undefined : await cleanDraft(services, held).catch(neverShown);
  await unitOfWork(services, found.account_id, now, async (work) => {
    await endJob(work, job);
    const approval = await work.get("approvals", found.id);
    const inbox = await work.get("inboxes", found.inbox_id);
    if (approval === undefined || inbox === undefined || !isOpen(approval, iso(now))) return;
    if (cleaned === null) {
      await endApproval(work, approval, { status: "cancelled" }, now);
      return;
    }
    const asked = await askedBefore(services, work, inbox, approval, cleaned);
    if (asked === undefined) return;
    const { deciders, others } = await readersOf(services, work, approval);
    for (const reader of [...deciders, ...others])
      await mailQuestion(services, work, { inbox, approval, reader, asked, now });
  });
}

/** Returns null for mail that can never be shown whole to an owner, however often it is tried. */
function neverShown(error: unknown): null {
  if (error instanceof LetterslotError) return null;
  throw error;
}

/**
 * Returns the request of an approval. Mail held before HTML was cleaned is cleaned now, and the approval is bound to
 * the result.
 */
async function askedBefore(
  services: Pick<Services, "options">,
  work: Work,
  inbox: InboxRecord,
  approval: ApprovalRecord,
  cleaned: CleanedDraft | undefined,
): Promise<Asked | undefined> {
  const { id, subject_type, subject_id, change } = approval;
  if (subject_type !== "draft") return changeAsked(subject_type, inbox.email, change);
  const held = await work.get("drafts", subject_id);
  if (held === undefined) return undefined;
  const bodies = bodiesOfSame(cleaned, held);
  const draft = { ...held, ...bodies };
  const { html_changes } = bodies;
  const content = canonicalText(mailContent(await senderOf(services, work, inbox), draft));
  const digest = digestOfText(content);
  await work.update("drafts", { id: draft.id }, bodies);
  await work.delete("approval_versions", { approval_id: id });
  work.append("approval_versions", [firstVersion({ ...approval, digest }, content)]);
  await work.update("approvals", { id }, { digest, html_changed: html_changes.length > 0, html_changes });
  return draftAsked(draft);
}

/** A person who is asked: by address, with their owner record of the inbox if there is one. */
export interface Reader {
  email: string;
  decides: boolean;
  owner: OwnerRecord | undefined;
}

/**
 * Returns the recipients of an approval's letters: those who may decide it, and the inbox's other verified owners,
 * who may read it.
 */
export async function readersOf(
  services: Pick<Services, "options">,
  work: Pick<Work, "find" | "get">,
  asked: Pick<ApprovalRecord, "account_id" | "inbox_id" | "requested_at" | "subject_type" | "change">,
): Promise<{ deciders: Reader[]; others: Reader[] }> {
  const [{ emails }, owners] = await Promise.all([
    decidersOver(services, work, ruledBy(asked)),
    work.find("owners", {
      where: { inbox_id: asked.inbox_id },
      order: { by: "id", direction: "asc" },
      limit: LIMITS.owners_per_inbox,
    }),
  ]);
  const outside = new Set(await outsideOf(services, work, owners));
  const readers = owners.filter((owner) => maySee(owner, asked, outside.has(owner)));
  return {
    deciders: emails.map((email) => ({
      email,
      decides: true,
      owner: readers.find((owner) => owner.email === email),
    })),
    others: isForAccountOwners(asked)
      ? []
      : readers
          .filter(({ email }) => !emails.includes(email))
          .map((owner) => ({ email: owner.email, decides: false, owner })),
  };
}

/**
 * Mails an approval to one person. Only the copy that is sent contains the token.
 */
export async function mailQuestion(
  services: Services,
  work: Work,
  question: {
    inbox: InboxRecord;
    approval: ApprovalRecord;
    reader: Reader;
    asked: Asked;
    again?: { thread_id: string; answers: string };
    now: Date;
  },
): Promise<void> {
  const { inbox, approval, reader, asked, again, now } = question;
  const token = newLetterWord();
  const pages = reader.owner === undefined ? undefined : newOwnerPages(services);
  const letters = approvalLetters(asked, {
    inbox_email: inbox.email,
    display_name: inbox.display_name,
    expires_at: approval.expires_at,
    // The copy is read by whoever may read this inbox.
    reasons: {
      shown: reasonSentences(approval, (inbox_id) => inbox_id === inbox.id),
      sealed: reasonSentences(approval, reader.decides ? READS_ALL : READS_NONE),
    },
    url: `${services.options.baseUrl}/api/v1/owners/approve?token=${token}`,
    style_url: pages?.style_url ?? null,
  });
  const { id: message_id } = await sendLetter(services, work, {
    kind: "approval",
    inbox,
    to: reader.owner === undefined ? reader.email : addressToOwner(reader.owner),
    ...letters,
    owner_id: reader.owner?.id ?? null,
    secrets: [{ secret: token, kind: "approve", subject_id: approval.id }, ...(pages?.secrets ?? [])],
    thread: again ?? null,
    now,
  });
  work.append("approval_letters", [
    {
      message_id,
      approval_id: approval.id,
      inbox_id: inbox.id,
      owner_id: reader.owner?.id ?? null,
      email: reader.email,
      token_hash: hashSecret(token),
      again: again !== undefined,
      whole: asked.whole,
    },
  ]);
}
