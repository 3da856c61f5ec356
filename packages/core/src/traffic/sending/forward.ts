import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { forwardSubject, isHeld, truncate } from "../../mailbox/messages/index.ts";
import type { Names } from "../../model/mailbox.ts";
import type { MessageBodyRecord, MessageRecord } from "../../model/messages.ts";
import { escapeHtml } from "../../owners/notifications/index.ts";
import type { SendRequest } from "./send.ts";

/** The caller's input for a forward. */
export interface ForwardFields {
  to: string[];
  cc?: string[] | undefined;
  bcc?: string[] | undefined;
  names?: Names | undefined;
  /** By default the forwarded mail's subject with `Fwd:`. */
  subject?: string | null | undefined;
  text?: string | null | undefined;
  html?: string | null | undefined;
  include_attachments?: boolean | undefined;
  labels?: string[] | undefined;
  client_id?: string | undefined;
}

/**
 * Builds the forward of a message: in a new thread, the caller's text above the whole original, attachments
 * by their stored hash. Fails with `message_held`, since a held body is withheld.
 */
export function forwardOf(
  message: MessageRecord,
  body: MessageBodyRecord,
  forward: ForwardFields,
): SendRequest {
  if (isHeld(message)) throw fail("message_held");
  const {
    to,
    cc = [],
    bcc = [],
    names,
    subject,
    text,
    html,
    labels,
    client_id,
    include_attachments = true,
  } = forward;
  return {
    ...{ to, cc, bcc, names, labels, client_id },
    reply_to: null,
    subject: truncate(subject ?? forwardSubject(message.subject), LIMITS.subject_chars),
    text: forwardedText(message, body, text ?? ""),
    html: forwardedHtml(message, body, text ?? "", html ?? null) ?? undefined,
    headers: {},
    carried: include_attachments ? message.attachments : [],
    in_reply_to: null,
    references: [],
    thread_id: null,
  };
}

function forwardedText(message: MessageRecord, body: MessageBodyRecord, note: string): string {
  const head = headOf(message).map(([name, value]) => `${name}: ${value}`);
  const old = [
    "---------- Forwarded message ---------",
    ...head,
    "",
    body.text || message.extracted_text,
  ].join("\n");
  return note === "" ? old : `${note}\n\n${old}`;
}

/** The HTML body; null when neither the caller's text nor the original has HTML. */
function forwardedHtml(
  message: MessageRecord,
  body: MessageBodyRecord,
  note: string,
  note_html: string | null,
): string | null {
  if (body.html === null && note_html === null) return null;
  const lines = headOf(message).map(([name, value]) => `<b>${name}:</b> ${escapeHtml(value)}<br>`);
  const head = `<div>---------- Forwarded message ---------<br>${lines.join("")}</div><br>`;
  const above = `${note_html ?? paragraphsOf(note)}${note === "" && note_html === null ? "" : "<br>"}${head}`;
  if (body.html === null) return above + paragraphsOf(body.text || message.extracted_text);
  return above + withoutShell(body.html);
}

function headOf({
  from,
  from_name,
  created_at,
  subject,
  to,
  cc,
}: MessageRecord): [name: string, value: string][] {
  const head: [string, string][] = [
    ["From", from === "" ? (from_name ?? "") : from_name === null ? from : `${from_name} <${from}>`],
    ["Date", created_at],
    ["Subject", subject],
    ["To", to.join(", ")],
  ];
  return cc.length === 0 ? head : [...head, ["Cc", cc.join(", ")]];
}

/** Strips the original's doctype, html and body tags, which can't be nested in another page. */
const withoutShell = (html: string): string =>
  html.replace(/<\/?(?:html|body)\b[^<>]{0,2000}>|<!doctype\b[^<>]{0,500}>/gi, "");

const paragraphsOf = (text: string): string =>
  text === "" ? "" : `<div>${escapeHtml(text).replace(/\r?\n/g, "<br>\n")}</div>`;
