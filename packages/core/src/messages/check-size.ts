import { fail } from "../catalogue/errors.ts";
import { LIMITS } from "../catalogue/limits.ts";
import type { InboxContext } from "../kernel/context.ts";
import { workOnContent } from "../mail/content-tasks.ts";
import { type AttachmentToMeasure, fitsWhenComposed } from "../mail/mime/composed-size.ts";
import type { StoredAttachment } from "../model/attachments.ts";
import { iso } from "../model/fields.ts";
import { nameOf } from "../model/mailbox.ts";
import type { AttachmentInput } from "./inputs.ts";
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
  /** A forward may be larger. */
  kind?: string | undefined;
  /** Attachments that are already stored. */
  stored: readonly StoredAttachment[];
}

/** As long as the id of any message, which is the local part of its Message-ID. */
const ANY_ID = "0".repeat(20);

/** Fails with `message_too_large` when the composed mail would exceed 25 MB of MIME, or 30 MB for a forward. */
export async function checkSize(
  { blobs, contentWorker, inbox, now }: Pick<InboxContext, "blobs" | "contentWorker" | "inbox" | "now">,
  { kind, stored, ...mail }: SizedMail,
  uploads: readonly { upload: AttachmentInput; bytes: Uint8Array }[],
): Promise<void> {
  const uploaded = uploads.map(({ upload, bytes }): AttachmentToMeasure => {
    const { filename, content_type = "application/octet-stream", content_id = null } = upload;
    return { filename, content_type, content_id, size_bytes: bytes.length, read: async () => bytes };
  });
  const kept = stored.map(({ filename, content_type, content_id, disposition, size_bytes, hash }) => ({
    ...{ filename, content_type, content_id, disposition, size_bytes },
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
    kind === "forward" ? LIMITS.forward_bytes : LIMITS.message_bytes,
  );
  if (!fits) throw fail("message_too_large");
}
