import type { Services } from "../kernel/context.ts";
import type { Work } from "../kernel/work.ts";
import { askedAgain } from "../letters/index.ts";
import { type Reading, readReply } from "../mail/answers/read-approval.ts";
import type { ApprovalLetterRecord } from "../model/approvals.ts";
import { iso } from "../model/fields.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import type { MessageRecord } from "../model/messages.ts";
import type { OwnerRecord } from "../model/owners.ts";
import type { ParsedMail } from "../model/parsed-mail.ts";
import { mailQuestion } from "./ask.ts";
import { decide } from "./decide.ts";
import { isOpen } from "./rules.ts";

const lettersRead = 100;

/** An owner's mail that answers a question which is still open, and what it says. */
export interface ApprovalReply {
  letter: ApprovalLetterRecord;
  reading: Reading;
}

/**
 * Whether an owner's mail answers the letter that asked that owner. It goes by the mail that it answers
 * alone: one in the same thread, or one that another owner was sent, is no answer to it. The mail's sender
 * must have been found to speak for the owner.
 */
export async function matchApprovalReply(
  { storage }: Pick<Services, "storage">,
  owner: OwnerRecord,
  mail: Pick<ParsedMail, "in_reply_to" | "references" | "from">,
  new_words: string,
  now: Date,
): Promise<ApprovalReply | undefined> {
  const reference = mail.in_reply_to ?? mail.references.at(-1);
  if (reference === undefined) return undefined;
  const [answered] = await storage.find("message_references", {
    where: { inbox_id: owner.inbox_id, reference, own: true },
    limit: 1,
  });
  const letter =
    answered === undefined ? undefined : await storage.get("approval_letters", answered.message_id);
  if (letter?.owner_id !== owner.id) return undefined;
  const approval = await storage.get("approvals", letter.approval_id);
  if (approval === undefined || !isOpen(approval, iso(now))) return undefined;
  return {
    letter,
    reading: readReply(new_words, [mail.from[0]?.name ?? "", owner.email.split("@")[0] ?? ""]),
  };
}

/**
 * Does what an owner answered, in the transaction that stores the answer. An unclear one is asked about once
 * more, and never again.
 */
export async function actOnReply(
  services: Services,
  work: Work,
  { letter, reading }: ApprovalReply,
  {
    inbox,
    message,
    owner,
    now,
  }: { inbox: InboxRecord; message: MessageRecord; owner: OwnerRecord; now: Date },
): Promise<void> {
  const { approval_id } = letter;
  if (reading.verdict !== "unclear") {
    await decide(services, work, { ...reading, approval_id, owner_id: owner.id, method: "reply" }, now);
    return;
  }
  const letters = await work.find("approval_letters", { where: { approval_id }, limit: lettersRead });
  if (letters.some(({ owner_id, again }) => again && owner_id === owner.id)) return;
  const approval = await work.get("approvals", approval_id);
  if (approval === undefined || !isOpen(approval, iso(now))) return;
  const again = { thread_id: message.thread_id, answers: message.id };
  await mailQuestion(services, work, { inbox, approval, owner, asked: askedAgain(approval), again, now });
}
