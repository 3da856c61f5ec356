import { LIMITS } from "../../../catalogue/limits.ts";
import type { Services } from "../../../kernel/context.ts";
import { findReferenced } from "../../../kernel/inbox/references.ts";
import { type AutomaticMarks, automaticMarks } from "../../../mail/automatic-mail.ts";
import { isAutomaticSubject } from "../../../mail/subjects.ts";
import type { Evidence } from "../evidence.ts";

/** Reads the marks of automatic mail, with what the inbox knows of the mail that it answers. */
export async function readAutomaticMarks(
  { storage }: Pick<Services, "storage">,
  inbox_id: string,
  { mail, mail_from, origin, letter }: Pick<Evidence, "mail" | "mail_from" | "origin" | "letter">,
  { own_message }: { own_message: boolean },
  now: Date,
): Promise<AutomaticMarks> {
  // Hardly any mail has such a subject, so nothing is read for others.
  const sent_at = isAutomaticSubject(mail.subject)
    ? (letter?.record.created_at ?? (await timeOfAnswered(storage, inbox_id, mail)))
    : undefined;
  const answers_soon =
    sent_at !== undefined && now.getTime() - Date.parse(sent_at) <= LIMITS.automatic_reply_ms;
  return automaticMarks(mail, { mail_from, injected: origin === "injected", own_message, answers_soon });
}

/** When the inbox's own mail that a mail answers was last handed over; undefined if it answers none. */
async function timeOfAnswered(
  storage: Services["storage"],
  inbox_id: string,
  { references, in_reply_to }: Evidence["mail"],
): Promise<string | undefined> {
  const named = [...references, in_reply_to].filter((reference) => reference !== null);
  const [own] = await findReferenced(storage, inbox_id, named, { own: true });
  const message = own && (await storage.get("messages", own.message_id));
  const sent = message?.delivery_events.findLast(({ type }) => type === "sent");
  return sent?.created_at ?? message?.created_at;
}
