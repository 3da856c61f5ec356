import { decidersOver } from "../../kernel/access/authority.ts";
import type { Services } from "../../kernel/context.ts";
import type { Work } from "../../kernel/work.ts";
import type { ApprovalReading } from "../../mail/answers/read-approval.ts";
import { loadOnce } from "../../mail/load-once.ts";
import type { ApprovalLetterRecord, ApprovalRecord } from "../../model/approvals.ts";
import { iso } from "../../model/fields.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { MessageRecord } from "../../model/messages.ts";
import type { ParsedMail } from "../../model/parsed-mail.ts";
import type { DkimSignature } from "../../model/sender-facts.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { askedAgain, draftAsked } from "../notifications/approval.ts";
import { signaturesOf, threadOf } from "../notifications/reply.ts";
import { type Claims, dkimEvidence } from "../receipts/index.ts";
import { mailQuestion } from "./ask.ts";
import { decide } from "./decide.ts";
import { asksForPasskey, isOpen, ruledBy } from "./rules.ts";

const loadReadApproval = loadOnce(() => import("../../mail/answers/read-approval.ts"));

const MAX_LETTERS = 100;

/** A reply to an open approval. */
export interface ApprovalReply {
  letter: ApprovalLetterRecord;
  /** `unclear` also when the mail does not count, whatever it says. */
  reading: ApprovalReading;
  /** What proves that its author sent it, for the receipt. */
  evidence: readonly Claims[];
  /** Why it does not count, as a sentence; null when it counts or is unclear. */
  missing: string | null;
}

/**
 * Matches a mail to an open approval by the letter that it answers; that letter must have been sent to `email`. A
 * reply can only decide the sending of a mail, and only when the letter showed all of it. `missing` says why the mail
 * does not count as that person's word.
 */
export async function matchApprovalReply(
  { storage }: Pick<Services, "storage">,
  {
    letter_id,
    email,
    missing,
    signatures,
  }: { letter_id: string; email: string; missing: string | null; signatures: readonly DkimSignature[] },
  mail: Pick<ParsedMail, "from">,
  new_words: string,
  now: Date,
): Promise<ApprovalReply | undefined> {
  const letter = await storage.get("approval_letters", letter_id);
  if (letter === undefined || letter.email !== email) return undefined;
  const approval = await storage.get("approvals", letter.approval_id);
  if (approval === undefined || !isOpen(approval, iso(now))) return undefined;
  const doubt =
    missing ??
    (approval.subject_type === "draft" ? null : "Changes of an inbox are not decided by email.") ??
    (letter.whole ? null : "The letter did not show everything.") ??
    ((await takesPasskey(storage, approval)) ? "Approving takes a passkey here: use the button." : null);
  const evidence = dkimEvidence(signatures);
  if (doubt !== null) return { letter, reading: { verdict: "unclear" }, evidence, missing: doubt };
  const { readApprovalReply } = await loadReadApproval();
  const reading = readApprovalReply(new_words, signaturesOf(mail, { email }));
  return { letter, reading, evidence, missing: null };
}

const takesPasskey = async (
  storage: Pick<StorageReader, "get">,
  { inbox_id }: ApprovalRecord,
): Promise<boolean> => {
  const inbox = await storage.get("inboxes", inbox_id);
  return inbox !== undefined && asksForPasskey(inbox);
};

/**
 * Carries out a reply in the transaction that stores it. After an unclear reply, or one that doesn't count, writes to
 * its sender again, once.
 */
export async function actOnReply(
  services: Services,
  work: Work,
  { letter, reading, evidence, missing }: ApprovalReply,
  { inbox, message, now }: { inbox: InboxRecord; message: MessageRecord; now: Date },
): Promise<void> {
  const { approval_id, email } = letter;
  if (reading.verdict !== "unclear") {
    await decide(services, work, { ...reading, evidence, approval_id, email, method: "reply" }, now);
    return;
  }
  const letters = await work.find("approval_letters", { where: { approval_id }, limit: MAX_LETTERS });
  if (letters.some((sent) => sent.again && sent.email === email)) return;
  const approval = await work.get("approvals", approval_id);
  if (approval === undefined || !isOpen(approval, iso(now))) return;
  const [owner] = await work.find("owners", { where: { inbox_id: inbox.id, email }, limit: 1 });
  const draft = approval.subject_type === "draft" ? await work.get("drafts", approval.subject_id) : undefined;
  const asked = askedAgain(approval, draft === undefined ? null : draftAsked(draft), missing !== null);
  const { emails } = await decidersOver(services, work, ruledBy(approval));
  const reader = {
    email,
    decides: emails.includes(email),
    owner: owner?.status === "verified" ? owner : undefined,
  };
  await mailQuestion(services, work, { inbox, approval, reader, asked, again: threadOf(message), now });
}
