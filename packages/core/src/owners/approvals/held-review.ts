import { LIMITS } from "../../catalogue/limits.ts";
import type { Services } from "../../kernel/context.ts";
import { workOnContent } from "../../mail/work-on-content.ts";
import { truncate } from "../../mailbox/messages/index.ts";
import type { ApprovalRecord, HeldMail } from "../../model/approvals.ts";

const LINK = /\b(?:https?|ftp):\/\/[^\s<>"')\]]+/gi;

/** A text whose links are only named by their hosts, so that nobody follows one of a mail that may be a trap. */
export const linksAsHosts = (text: string): string =>
  text.replace(LINK, (link) => {
    const host = URL.canParse(link) ? new URL(link).host : "";
    return host === "" ? "[a link]" : `[a link to ${host}]`;
  });

/** The held mail that an approval would release; null if it is about something else, or the mail is gone. */
export async function heldMailOf(
  { storage, contentWorker }: Pick<Services, "storage" | "contentWorker">,
  { subject_type, subject_id, change }: Pick<ApprovalRecord, "subject_type" | "subject_id" | "change">,
): Promise<HeldMail | null> {
  if (subject_type !== "message_release") return null;
  const [message, body] = await Promise.all([
    storage.get("messages", subject_id),
    storage.get("message_bodies", subject_id),
  ]);
  if (message === undefined || body === undefined) return null;
  const { from, from_name, to, subject, created_at, safety, attachments } = message;
  const text = body.text ?? (body.html === null ? message.extracted_text : null);
  const max = LIMITS.review_body_chars;
  const html_text =
    body.html === null ? null : await workOnContent(contentWorker, "htmlToText", truncate(body.html, max));
  const shown = (words: string | null) => (words === null ? null : linksAsHosts(truncate(words, max)));
  return {
    ...{ from, from_name, to, subject, created_at },
    ...{ text: shown(text), html_text: shown(html_text) },
    truncated: [text, body.html].some((words) => (words?.length ?? 0) > max),
    score: safety?.score ?? null,
    signals: safety?.signals.map(({ detail }) => detail) ?? [],
    attachments: attachments.map(({ filename, content_type, size_bytes }) => ({
      ...{ filename, content_type, size_bytes },
    })),
    reason: change["reason"] ?? null,
  };
}
