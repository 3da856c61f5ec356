import type { Services } from "../kernel/context.ts";
import type { Work } from "../kernel/work.ts";
import {
  answeredMessageId,
  askedAgain,
  type OwnerReply,
  signaturesOf,
  threadOf,
  wasAskedAgain,
} from "../letters/index.ts";
import { type ApprovalReading, readApprovalReply } from "../mail/answers/read-approval.ts";
import type { ApprovalLetterRecord } from "../model/approvals.ts";
import { iso } from "../model/fields.ts";

import type { OwnerRecord } from "../model/owners.ts";
import type { ParsedMail } from "../model/parsed-mail.ts";
import { mailQuestion } from "./ask.ts";
import { decide } from "./decide.ts";
import { isOpen } from "./rules.ts";

const MAX_LETTERS = 100;

/** An owner's reply to an open approval. */
export interface ApprovalReply {
  letter: ApprovalLetterRecord;
  reading: ApprovalReading;
}

/**
 * Matches an owner's mail to an open approval, by the letter that it replies to; that letter must have been
 * sent to this owner. The caller must have authenticated the mail's sender as the owner.
 */
export async function matchApprovalReply(
  { storage }: Pick<Services, "storage">,
  owner: OwnerRecord,
  mail: Pick<ParsedMail, "in_reply_to" | "references" | "from">,
  new_words: string,
  now: Date,
): Promise<ApprovalReply | undefined> {
  const message_id = await answeredMessageId(storage, owner.inbox_id, mail);
  const letter = message_id === undefined ? undefined : await storage.get("approval_letters", message_id);
  if (letter?.owner_id !== owner.id) return undefined;
  const approval = await storage.get("approvals", letter.approval_id);
  if (approval === undefined || !isOpen(approval, iso(now))) return undefined;
  return { letter, reading: readApprovalReply(new_words, signaturesOf(mail, owner)) };
}

/**
 * Carries out an owner's reply in the transaction that stores it. After an unclear reply the owner is asked
 * again, once.
 */
export async function actOnReply(
  services: Services,
  work: Work,
  { letter, reading }: ApprovalReply,
  { inbox, message, owner, now }: OwnerReply,
): Promise<void> {
  const { approval_id } = letter;
  if (reading.verdict !== "unclear") {
    await decide(services, work, { ...reading, approval_id, email: owner.email, method: "reply" }, now);
    return;
  }
  const letters = await work.find("approval_letters", { where: { approval_id }, limit: MAX_LETTERS });
  if (wasAskedAgain(letters, owner)) return;
  const approval = await work.get("approvals", approval_id);
  if (approval === undefined || !isOpen(approval, iso(now))) return;
  const again = threadOf(message);
  const reader = { email: owner.email, owner };
  await mailQuestion(services, work, { inbox, approval, reader, asked: askedAgain(approval), again, now });
}
