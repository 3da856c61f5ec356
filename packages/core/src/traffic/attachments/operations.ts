import { z } from "zod";
import { AttachmentId, InboxId, MessageId } from "../../catalogue/id-inputs.ts";
import { operation } from "../../kernel/operation.ts";
import { textHeaders } from "../../mail/attachments.ts";
import { checkHasRaw, downloadOf, findMessage } from "../../mailbox/messages/index.ts";
import { Download } from "../../model/attachments.ts";
import { FileLink } from "../../model/file-links.ts";
import { noteFileText } from "../gate/index.ts";
import { cleanText } from "../inbound/redaction/clean-text.ts";
import { findFile } from "./find.ts";
import { linkTo } from "./links.ts";
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
    async run(ctx, { message_id, attachment_id, download }) {
      const { attachment } = await findFile(ctx.storage, ctx.inbox.id, message_id, attachment_id);
      return downloadOf(ctx, attachment, download === "1");
    },
  }),

  link: operation({
    summary:
      "Makes an address that gives this attachment without a key for 5 minutes, and ends with the key that made it.",
    when: "Hand a file to a tool or a shell that has no key. In mail, attach the file instead.",
    errors: ["message_held"],
    scope: "inbox",
    inbox_by_name: true,
    effect: "read",
    allow: ["message_read"],
    tool: {
      name: "get_download_link",
      description:
        "An address that gives an attachment for 5 minutes, for a shell or another tool: curl -o FILE URL. Never put it in mail; send attachment_ids.",
    },
    input: z.object({ inbox_id: InboxId, message_id: MessageId, attachment_id: AttachmentId }),
    output: FileLink,
    async run(ctx, { message_id, attachment_id }) {
      await findFile(ctx.storage, ctx.inbox.id, message_id, attachment_id);
      return linkTo(ctx, { message_id, attachment_id });
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

/** The operation that links to a raw mail. */
export const rawLinks = {
  rawLink: operation({
    summary:
      "Makes an address that gives the raw mail without a key for 5 minutes, and ends with the key that made it.",
    when: "Hand a whole mail to a tool that has no key.",
    errors: ["message_held", "not_a_mail"],
    scope: "inbox",
    inbox_by_name: true,
    effect: "read",
    allow: ["message_read"],
    input: z.object({ inbox_id: InboxId, message_id: MessageId }),
    output: FileLink,
    async run(ctx, { message_id }) {
      checkHasRaw(await findMessage(ctx.storage, ctx.inbox.id, message_id));
      return linkTo(ctx, { message_id, attachment_id: null });
    },
  }),
};
