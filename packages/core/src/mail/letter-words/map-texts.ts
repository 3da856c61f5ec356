import type { ParsedAttachment } from "../../model/parsed-mail.ts";
import type { ReadMail } from "../../model/read-mail.ts";

type Mail = Omit<ReadMail, "struck">;

/** Headers whose numbers and links are not text. */
const NOT_TEXT =
  /^(?:message-id|in-reply-to|references|date|received|return-path|from|to|cc|sender|reply-to)$/;

/** A mail with its texts changed: subject, other headers, bodies, and attachments that are text. */
export function mapTexts(
  mail: Mail,
  change: (text: string) => string,
  change_html: (html: string) => string = change,
): Mail {
  const { headers, subject, text, html, extraction, attachments } = mail;
  const { extracted_text, extracted_html } = extraction;
  return {
    ...mail,
    headers: headers.map((header) =>
      NOT_TEXT.test(header.name) ? header : { ...header, value: change(header.value) },
    ),
    subject: change(subject),
    text: change(text),
    html: html === null ? null : change_html(html),
    extraction: {
      ...extraction,
      extracted_text: change(extracted_text),
      extracted_html: extracted_html === null ? null : change_html(extracted_html),
    },
    attachments: attachments.map((attachment) => changeAttachment(attachment, change, change_html)),
  };
}

const TEXT_TYPE = /^(?:text|message|multipart)\/|^application\/(?:json|xml|xhtml\+xml|ics|calendar\+json)/;

function changeAttachment(
  attachment: ParsedAttachment,
  change: (text: string) => string,
  change_html: (html: string) => string,
): ParsedAttachment {
  const { content_type, bytes } = attachment;
  if (!TEXT_TYPE.test(content_type)) return attachment;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  const changed = /html|^message|^multipart/.test(content_type) ? change_html(text) : change(text);
  return changed === text ? attachment : { ...attachment, bytes: Buffer.from(changed, "latin1") };
}
