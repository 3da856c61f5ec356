import type { Services } from "../../../kernel/context.ts";
import { findReferenced } from "../../../kernel/inbox/references.ts";
import { workOnContent } from "../../../mail/work-on-content.ts";
import { readParentText } from "../../../mailbox/messages/index.ts";
import type { InboxRecord } from "../../../model/inboxes.ts";
import type { ParentText } from "../../../model/read-mail.ts";
import type { Evidence } from "../evidence.ts";
import type { Author } from "./look-up-sender.ts";

/** A stored mail that is answered. */
export interface Parent extends ParentText {
  message_id: string;
}

/**
 * Finds the mail in the same inbox that this one answers: ours before others with the same Message-ID, and the oldest
 * of those. Undefined for mail that answers none, and for mail about a letter: an owner's word is read as it is.
 */
export async function findParent(
  { storage }: Pick<Services, "storage">,
  inbox: InboxRecord,
  { mail, letter, redacted }: Pick<Evidence, "mail" | "letter" | "redacted">,
): Promise<Parent | undefined> {
  const reference = mail.in_reply_to ?? mail.references.at(-1);
  if (reference === undefined || letter !== undefined || redacted) return undefined;
  const [first] = await findReferenced(storage, inbox.id, [reference]);
  if (first === undefined) return undefined;
  const text = await readParentText(storage, inbox.id, first.message_id);
  return text && { ...text, message_id: first.message_id };
}

/**
 * Returns the evidence with the new words told apart from those of the answered mail. Text written into the quote
 * counts only if its author may give no orders: a hostile mail could otherwise show a trusted reader words that its
 * stored text doesn't have, or imitate the marks of that reader's answers. A mail that can't be compared, for example
 * because it takes the worker too long, is returned unchanged; fails if it would then keep such text.
 */
export async function readAsReply(
  { contentWorker, log }: Pick<Services, "contentWorker" | "log">,
  evidence: Evidence,
  parent: Parent | undefined,
  author: Pick<Author, "owner" | "allowlisted">,
): Promise<Evidence> {
  const { mail, letter } = evidence;
  const takes_answers = author.owner === undefined && !author.allowlisted && letter === undefined;
  const is_safe = takes_answers || !mail.extraction.from_quote;
  if (parent === undefined && is_safe) return evidence;
  const { text, html, subject } = mail;
  const is_reply = mail.in_reply_to !== null || parent !== undefined;
  try {
    const extraction = await workOnContent(contentWorker, "extractNewText", {
      ...{ text, html, subject, is_reply, parent_text: parent && textsOf(parent) },
      sender: mail.from[0],
      takes_answers,
    });
    const compared_with = parent && { message_id: parent.message_id, takes_answers };
    return { ...evidence, mail: { ...mail, extraction }, ...(compared_with && { compared_with }) };
  } catch (error) {
    if (!is_safe) throw error;
    log.warn({ error }, "a reply was not compared with the mail that it answers");
    return evidence;
  }
}

const textsOf = ({ text, new_text }: Parent): ParentText => ({ text, new_text });
