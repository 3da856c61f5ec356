import { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { AttachmentId, InboxId, MessageId } from "../../catalogue/id-inputs.ts";
import { notFound } from "../../kernel/gate.ts";
import { operation } from "../../kernel/operation.ts";
import { downloadHeaders, textHeaders } from "../../mail/attachments.ts";
import { findMessage, isHeld } from "../../mailbox/messages/index.ts";
import { Download, type StoredAttachment } from "../../model/attachments.ts";
import type { MessageRecord } from "../../model/messages.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { noteFileText } from "../gate/index.ts";
import { cleanText } from "../inbound/redaction/clean-text.ts";
import { readText } from "./read-text.ts";

/** The operations on attachments. */
export const attachments = {
  get: operation({
    summary: "Downloads an attachment; active content is served as application/octet-stream.",
    when: "Get the bytes of a file that came with a mail.",
    example: { download: "1" },
    errors: ["message_held"],
    scope: "inbox",
    inbox_by_name: true,
    effect: "read",
    allow: ["message_read"],
    answers: "bytes",
    input: z.object({
      inbox_id: InboxId,
      message_id: MessageId,
      attachment_id: AttachmentId,
      download: z
        .enum(["0", "1"])
        .optional()
        .describe("`1` makes browsers save the file instead of showing it."),
    }),
    output: Download,
    async run({ storage, blobs, inbox }, { message_id, attachment_id, download }) {
      const { attachment } = await findFile(storage, inbox.id, message_id, attachment_id);
      const bytes = await blobs.get(attachment.hash);
      if (bytes === undefined) throw fail("attachment_not_found");
      return { bytes, headers: downloadHeaders(attachment, download === "1") };
    },
  }),

  text: operation({
    summary:
      "Returns the text of an attachment; x-svc-text-truncated and x-svc-text-empty say what is missing.",
    when: "Read a PDF, a document or a table without a parser of your own.",
    errors: ["message_held", "attachment_too_large", "text_extraction_failed", "text_extraction_unsupported"],
    scope: "inbox",
    inbox_by_name: true,
    effect: "read",
    allow: ["message_read"],
    answers: "bytes",
    tool: {
      name: "read_attachment",
      description: "Read the text of a PDF, document, table, text file or attached mail.",
    },
    input: z.object({ inbox_id: InboxId, message_id: MessageId, attachment_id: AttachmentId }),
    output: Download,
    async run(ctx, { message_id, attachment_id }) {
      const { message, attachment } = await findFile(ctx.storage, ctx.inbox.id, message_id, attachment_id);
      const whole = await readText(ctx, attachment);
      if (message.direction === "inbound")
        await noteFileText(ctx, ctx.inbox, message, attachment.hash, whole.text);
      const read = { ...whole, text: await cleanText(ctx, whole.text) };
      return { bytes: new TextEncoder().encode(read.text), headers: textHeaders(attachment.filename, read) };
    },
  }),
};

/** An attachment of a message, with it. Fails with `message_not_found`, `attachment_not_found` or `message_held`. */
async function findFile(
  storage: StorageReader,
  inbox_id: string,
  message_id: string,
  id: string,
): Promise<{ message: MessageRecord; attachment: StoredAttachment }> {
  const message = await findMessage(storage, inbox_id, message_id);
  const attachment = message.attachments.find((each) => each.id === id);
  if (attachment === undefined) throw notFound("attachment_not_found", "att", id);
  if (isHeld(message)) throw fail("message_held");
  return { message, attachment };
}
