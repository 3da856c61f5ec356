import { fail } from "../../../catalogue/errors.ts";
import { LIMITS } from "../../../catalogue/limits.ts";
import type { InboxContext } from "../../../kernel/context.ts";
import { type AttachmentToMeasure, fitsWhenComposed } from "../../../mail/mime/composed-size.ts";
import { workOnContent } from "../../../mail/work-on-content.ts";
import type { StoredAttachment } from "../../../model/attachments.ts";
import { iso } from "../../../model/fields.ts";
import { nameOf } from "../../../model/mailbox.ts";
import { bodyBytes, checkMessageBytes, largestField } from "../message-size.ts";
import { type GivenFile, mediaTypeOf } from "./inputs.ts";
import type { Outgoing } from "./outgoing.ts";

/** A mail to be sent, before its uploads are stored. */
export interface SizedMail
  extends Pick<
    Outgoing,
    | "to"
    | "cc"
    | "reply_to"
    | "names"
    | "subject"
    | "text"
    | "html"
    | "headers"
    | "in_reply_to"
    | "references"
  > {
  /** Attachments that are already stored. */
  stored: readonly StoredAttachment[];
}

/** As long as the id of any message, which is the local part of its Message-ID. */
const ANY_ID = "0".repeat(20);

/**
 * Fails with `message_too_large` when the mail has more bodies and attachments than a message may, or, which takes
 * unusual ones, when it is composed to more MIME than is transported.
 */
export async function checkSize(
  { blobs, contentWorker, inbox, now }: Pick<InboxContext, "blobs" | "contentWorker" | "inbox" | "now">,
  { stored, ...mail }: SizedMail,
  uploads: readonly GivenFile[],
): Promise<void> {
  const sizes = [...stored.map(({ size_bytes }) => size_bytes), ...uploads.map(({ bytes }) => bytes.length)];
  const [attached, written] = [sizes.reduce((sum, size) => sum + size, 0), bodyBytes(mail)];
  const param = largestField(mail, attached);
  checkMessageBytes(attached + written, param);
  const uploaded = uploads.map((upload): AttachmentToMeasure => {
    const { filename, bytes, content_id = null } = upload;
    return {
      filename,
      ...mediaTypeOf(upload, bytes),
      content_id,
      size_bytes: bytes.length,
      read: async () => bytes,
    };
  });
  const kept = stored.map(({ hash, ...attachment }) => ({
    ...attachment,
    read: async () => (await blobs.get(hash)) ?? new Uint8Array(),
  }));
  const named = (address: string) => ({ address, name: nameOf(address, mail.names ?? {}) ?? "" });
  const fits = await fitsWhenComposed(
    {
      ...mail,
      from: { address: inbox.email, name: inbox.display_name ?? "" },
      to: mail.to.map(named),
      cc: mail.cc.map(named),
      reply_to: mail.reply_to === null ? [] : [named(mail.reply_to)],
      message_id: `${ANY_ID}@${inbox.domain}`,
      date: iso(now),
      sizeOf: (composed) => workOnContent(contentWorker, "composedSize", composed),
      attachments: [...kept, ...uploaded],
    },
    LIMITS.raw_mail_bytes,
  );
  if (!fits) throw fail("message_too_large", { param });
}
