import type { z } from "zod";
import { limits } from "../catalogue/limits.ts";
import type { Services } from "../kernel/context.ts";
import { textKind } from "../mail/attachments.ts";
import { previewOf } from "../mail/new-words/preview.ts";
import { Attachment } from "../model/attachments.ts";
import { shownBy } from "../model/fields.ts";
import {
  type Message,
  type MessageBodyRecord,
  type MessageRecord,
  MessageSummary,
} from "../model/messages.ts";
import type { StorageReader } from "../ports/storage.ts";

/** What the deployment decides about links in messages. */
export type LinkOptions = Pick<Services["options"], "base_url" | "attachment_text">;

/** Whether the body of a message is withheld (interface, "Message"). */
export const isHeld = ({ labels }: Pick<MessageRecord, "labels">): boolean => labels.includes("held");

/** A message without its long fields. While it is held, what it says is withheld. */
export function showSummary(
  message: MessageRecord,
  { base_url, attachment_text }: LinkOptions,
): z.input<typeof MessageSummary> {
  const held = isHeld(message);
  return {
    ...message,
    extracted_text: held ? null : message.extracted_text,
    preview: held ? null : previewOf(message.extracted_text),
    attachments: message.attachments.map((attachment) => {
      const url = `${base_url}/api/v1/inboxes/${message.inbox_id}/messages/${message.id}/attachments/${attachment.id}`;
      const readable = attachment_text && textKind(attachment) !== null;
      return { ...attachment, url, ...(readable ? { text_url: `${url}/text` } : {}) };
    }),
  };
}

/** A whole message. While it is held, every field that says what it says is null. */
export function showMessage(
  message: MessageRecord,
  body: MessageBodyRecord,
  options: LinkOptions,
): z.input<typeof Message> {
  const summary = showSummary(message, options);
  if (isHeld(message))
    return { ...summary, text: null, html: null, extracted_html: null, headers: null, extraction: null };
  return {
    ...summary,
    text: body.text ?? message.extracted_text,
    html: body.html,
    extracted_html: body.extracted_html ?? body.html,
    headers: body.headers,
    extraction: body.extraction,
  };
}

const summaryOf = shownBy(MessageSummary);
const attachmentOf = shownBy(Attachment);

/** A message as events carry it: a summary whose text is cut at 4,000 characters (decisions, section 9). */
export function showInEvent(message: MessageRecord, options: LinkOptions): z.output<typeof MessageSummary> {
  const text = isHeld(message) ? null : message.extracted_text;
  const { attachments, ...summary } = showSummary(message, options);
  const long = (text?.length ?? 0) > limits.event_text_chars;
  return summaryOf({
    ...summary,
    preview: long ? alone(summary.preview) : summary.preview,
    object: "message",
    idempotent: false,
    attachments: attachments.map((attachment) => attachmentOf({ ...attachment, object: "attachment" })),
    extracted_text: text === null || !long ? text : alone(cut(text, limits.event_text_chars)),
    extracted_text_chars: text?.length ?? null,
    extracted_text_truncated: long,
  });
}

/**
 * A copy of a text that was cut from a long one: a piece keeps the whole of it in memory, and an event may
 * wait long for its receiver.
 */
const alone = <T extends string | null>(text: T): T => structuredClone(text);

/** Cuts every body of a message in a list at the list's limit and says so (decisions, section 1). */
export function cutBodies<T extends Record<string, unknown>>(message: T): T {
  const shown: Record<string, unknown> = { ...message };
  for (const field of ["text", "html", "extracted_text", "extracted_html"]) {
    const body = shown[field];
    if (typeof body !== "string" || body.length <= limits.list_body_chars) continue;
    shown[field] = cut(body, limits.list_body_chars);
    shown[`${field}_truncated`] = true;
  }
  return shown as T;
}

/** Cuts a text, but never between the halves of a surrogate pair. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = /[\uD800-\uDBFF]/.test(text.charAt(max - 1)) ? max - 1 : max;
  return text.slice(0, end);
}

/**
 * A piece of a text that is read in several: at most `max` characters from `offset`, and never half a
 * surrogate pair; the next piece begins at the offset plus what was answered. `truncated` says that the text
 * goes on behind the piece.
 */
export function pieceOf(text: string | null, offset: number, max: number = Number.MAX_SAFE_INTEGER) {
  if (text === null)
    return { extracted_text: null, extracted_text_chars: null, extracted_text_truncated: false };
  const rest = text.slice(offset);
  const piece = cut(rest, max) || rest.slice(0, 2);
  return {
    extracted_text: piece,
    extracted_text_chars: text.length,
    extracted_text_truncated: piece.length < rest.length,
  };
}

/** The bodies of several messages, by message id. */
export async function bodiesOf(
  storage: StorageReader,
  messages: readonly MessageRecord[],
): Promise<Map<string, MessageBodyRecord>> {
  if (messages.length === 0) return new Map();
  const ids = messages.map(({ id }) => id);
  const bodies = await storage.find("message_bodies", {
    where: { message_id: { in: ids } },
    limit: ids.length,
  });
  return new Map(bodies.map((body) => [body.message_id, body]));
}

/** Several messages as a list shows them: whole with their bodies cut, or as summaries. */
export async function showMessages(
  storage: StorageReader,
  messages: readonly MessageRecord[],
  view: "full" | "summary",
  options: LinkOptions,
): Promise<z.input<typeof Message>[]> {
  if (view === "summary")
    return messages.map((message) => cutBodies(showSummary(message, options)) as z.input<typeof Message>);
  const bodies = await bodiesOf(storage, messages);
  return messages.flatMap((message) => {
    const body = bodies.get(message.id);
    return body === undefined ? [] : [cutBodies(showMessage(message, body, options))];
  });
}
