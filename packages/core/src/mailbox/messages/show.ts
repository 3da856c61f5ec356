import type { z } from "zod";
import { LIMITS } from "../../catalogue/limits.ts";
import type { Services } from "../../kernel/context.ts";
import { textKind } from "../../mail/attachments.ts";
import { previewOf } from "../../mail/reply-extraction/preview.ts";
import { Attachment } from "../../model/attachments.ts";
import { shownBy } from "../../model/fields.ts";
import { nameOf } from "../../model/mailbox.ts";
import { NO_AUTH } from "../../model/message-facts.ts";
import {
  type Message,
  type MessageBodyRecord,
  type MessageRecord,
  MessageSummary,
} from "../../model/messages.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { countCodePoints, truncate } from "./outgoing/code-points.ts";

/** The deployment's options for links in messages. */
export type LinkOptions = Pick<Services["options"], "baseUrl" | "attachment_text">;

/** Whether the body of a message is withheld (interface, "Message"). */
export const isHeld = ({ labels }: Pick<MessageRecord, "labels">): boolean => labels.includes("held");

/** A message without its body fields. While it is held, its text is withheld. */
export function showSummary(
  message: MessageRecord,
  { baseUrl: base_url, attachment_text }: LinkOptions,
): z.input<typeof MessageSummary> {
  const held = isHeld(message);
  const nameIn = (address: string) => nameOf(address, message.names);
  return {
    ...message,
    to_names: message.to.map(nameIn),
    cc_names: message.cc.map(nameIn),
    bcc_names: message.bcc.map(nameIn),
    reply_to_all: replyAddresses(message),
    extracted_text: held ? null : message.extracted_text,
    preview: held ? null : previewOf(message.extracted_text),
    auth: message.auth ?? NO_AUTH,
    ...phoneFields(message, base_url),
    attachments: message.attachments.map((attachment) => {
      const url = attachmentUrl(message, attachment.id, base_url);
      const readable = attachment_text && textKind(attachment) !== null;
      return { ...attachment, url, ...(readable ? { text_url: `${url}/text` } : {}) };
    }),
  };
}

/** All addresses at which the author of a message wants replies. */
export const replyAddresses = ({
  reply_to,
  more_reply_to,
}: Pick<MessageRecord, "reply_to" | "more_reply_to">): string[] =>
  reply_to === null ? [] : [reply_to, ...more_reply_to];

const attachmentUrl = ({ id, inbox_id }: MessageRecord, attachment_id: string, base_url: string): string =>
  `${base_url}/api/v1/inboxes/${inbox_id}/messages/${id}/attachments/${attachment_id}`;

/** Returns the fields that only texts, calls and voicemails have; the audio of a voicemail is its only attachment. */
function phoneFields(message: MessageRecord, base_url: string) {
  const { phone, channel, from, attachments } = message;
  if (phone === null) return { duration_seconds: null };
  const { duration_seconds, segments, encoding, mode, transcript } = phone;
  const [audio] = attachments;
  const withheld = isHeld(message);
  return {
    duration_seconds,
    ...(segments === null ? {} : { segments }),
    ...(encoding === null ? {} : { encoding }),
    ...(mode === null ? {} : { mode }),
    ...(channel === "voicemail"
      ? {
          type: "voicemail" as const,
          caller_number: from,
          recording_url: audio === undefined || withheld ? null : attachmentUrl(message, audio.id, base_url),
          transcript: withheld ? null : transcript,
        }
      : {}),
  };
}

/** A whole message. While it is held, its body fields are null. */
export function showMessage(
  message: MessageRecord,
  body: MessageBodyRecord,
  options: LinkOptions,
): z.input<typeof Message> {
  const summary = showSummary(message, options);
  if (isHeld(message))
    return {
      ...{ ...summary, text: null, html: null, extracted_html: null, headers: null },
      ...{ extraction: null, links: null },
    };
  return {
    ...summary,
    text: body.text ?? message.extracted_text,
    html: body.html,
    extracted_html: body.extracted_html ?? body.html,
    headers: body.headers,
    ...showExtraction(body),
  };
}

function showExtraction({
  extraction,
}: MessageBodyRecord): Pick<z.input<typeof Message>, "extraction" | "links"> {
  if (extraction === null) return { extraction, links: [] };
  const { links = [], ...how } = extraction;
  return { extraction: how, links };
}

const summaryOf = shownBy(MessageSummary);
const attachmentOf = shownBy(Attachment);

/** A message as events carry it: a summary with its text truncated at 4,000 characters. */
export function showInEvent(message: MessageRecord, options: LinkOptions): z.output<typeof MessageSummary> {
  const text = isHeld(message) ? null : message.extracted_text;
  const { attachments, ...summary } = showSummary(message, options);
  const chars = text === null ? null : countCodePoints(text);
  const long = (chars ?? 0) > LIMITS.event_text_chars;
  return summaryOf({
    ...summary,
    preview: long ? detachedCopy(summary.preview) : summary.preview,
    object: "message",
    idempotent: false,
    attachments: attachments.map((attachment) => attachmentOf({ ...attachment, object: "attachment" })),
    extracted_text: text === null || !long ? text : detachedCopy(truncate(text, LIMITS.event_text_chars)),
    extracted_text_chars: chars,
    extracted_text_truncated: long,
  });
}

/** A copy that does not keep the long string it was sliced from in memory: events may wait long. */
const detachedCopy = <T extends string | null>(text: T): T => structuredClone(text);

/** Truncates the body fields of a message at the limit for lists and sets `*_truncated`. */
export function truncateBodies<T extends Record<string, unknown>>(message: T): T {
  const shown: Record<string, unknown> = { ...message };
  for (const field of ["text", "html", "extracted_text", "extracted_html"]) {
    const body = shown[field];
    if (typeof body !== "string" || body.length <= LIMITS.list_body_chars) continue;
    const cut = truncate(body, LIMITS.list_body_chars);
    if (cut.length === body.length) continue;
    shown[field] = cut;
    shown[`${field}_truncated`] = true;
  }
  return shown as T;
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

/** Several messages as lists show them: whole with truncated bodies, or as summaries. */
export async function showMessages(
  storage: StorageReader,
  messages: readonly MessageRecord[],
  view: "full" | "summary",
  options: LinkOptions,
): Promise<z.input<typeof Message>[]> {
  if (view === "summary")
    return messages.map(
      (message) => truncateBodies(showSummary(message, options)) as z.input<typeof Message>,
    );
  const bodies = await bodiesOf(storage, messages);
  return messages.flatMap((message) => {
    const body = bodies.get(message.id);
    return body === undefined ? [] : [truncateBodies(showMessage(message, body, options))];
  });
}
