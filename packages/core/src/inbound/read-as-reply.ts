import type { Services } from "../kernel/context.ts";
import { workOnContent } from "../mail/content-tasks.ts";
import { readParentText } from "../messages/index.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import type { ParentText } from "../model/read-mail.ts";
import type { Evidence } from "./evidence.ts";
import type { Author } from "./look-up-sender.ts";

/** Messages that may have one Message-ID: whoever knows it can send more of them. */
const MAX_COPIES = 5;

/** A stored mail that is answered. */
export interface Parent extends ParentText {
  message_id: string;
}

/**
 * The mail that this one answers, where the same inbox has it: ours before others that bear its Message-ID, and the
 * oldest of those. Undefined for mail that answers none, and for mail about a letter: an owner's word is read as it is.
 */
export async function findParent(
  { storage }: Pick<Services, "storage">,
  inbox: InboxRecord,
  { mail, letter, redacted }: Pick<Evidence, "mail" | "letter" | "redacted">,
): Promise<Parent | undefined> {
  const reference = mail.in_reply_to ?? mail.references.at(-1);
  if (reference === undefined || letter !== undefined || redacted) return undefined;
  const rows = await storage.find("message_references", {
    where: { inbox_id: inbox.id, reference },
    limit: MAX_COPIES,
  });
  const [first] = rows.toSorted(
    (a, b) => Number(b.own) - Number(a.own) || (a.message_id < b.message_id ? -1 : 1),
  );
  if (first === undefined) return undefined;
  const text = await readParentText(storage, inbox.id, first.message_id);
  return text && { ...text, message_id: first.message_id };
}

/**
 * The evidence with the new words told from those of the mail that is answered. What was written into the quote counts only
 * for an author who orders nothing: a hostile mail could show a trusted reader words that its stored text doesn't have.
 * A mail that can't be compared, such as one that takes the worker too long, is received as it was read.
 */
export async function readAsReply(
  { contentWorker, log }: Pick<Services, "contentWorker" | "log">,
  evidence: Evidence,
  parent: Parent | undefined,
  author: Pick<Author, "owner" | "allowlisted">,
): Promise<Evidence> {
  if (parent === undefined) return evidence;
  const { mail } = evidence;
  const { text, html, subject } = mail;
  const { message_id, ...parent_text } = parent;
  const takes_answers = author.owner === undefined && !author.allowlisted;
  try {
    const extraction = await workOnContent(contentWorker, "extractNewText", {
      ...{ text, html, subject, is_reply: true, parent_text },
      sender: mail.from[0],
      takes_answers,
    });
    return { ...evidence, mail: { ...mail, extraction }, compared_with: { message_id, takes_answers } };
  } catch (error) {
    log.warn({ error }, "a reply was not compared with the mail that it answers");
    return evidence;
  }
}
