import { z } from "zod";
import { fail } from "../catalogue/errors.ts";
import { IdInput } from "../catalogue/ids.ts";
import { operation } from "../kernel/operation.ts";
import { downloadHeaders, textHeaders } from "../mail/attachments.ts";
import { Download } from "../model/attachments.ts";
import { findAttachment } from "./find.ts";
import { readText } from "./read-text.ts";

/** What can be done with attachments. */
export const attachments = {
  get: operation({
    summary: "Downloads an attachment; bodies that a browser could run are served as plain bytes.",
    scope: "inbox",
    allow: ["message_read"],
    answers: "bytes",
    input: z.object({
      inbox_id: IdInput,
      message_id: IdInput,
      attachment_id: IdInput,
      download: z.enum(["0", "1"]).optional(),
    }),
    output: Download,
    async run({ storage, blobs, inbox }, { message_id, attachment_id, download }) {
      const attachment = await findAttachment(storage, inbox.id, message_id, attachment_id);
      const bytes = await blobs.get(attachment.hash);
      if (bytes === undefined) throw fail("attachment_not_found");
      return { bytes, headers: downloadHeaders(attachment, download === "1") };
    },
  }),

  text: operation({
    summary:
      "Answers the text of an attachment; x-svc-text-truncated and x-svc-text-empty say what is missing.",
    scope: "inbox",
    allow: ["message_read"],
    answers: "bytes",
    input: z.object({ inbox_id: IdInput, message_id: IdInput, attachment_id: IdInput }),
    output: Download,
    async run(ctx, { message_id, attachment_id }) {
      const attachment = await findAttachment(ctx.storage, ctx.inbox.id, message_id, attachment_id);
      const read = await readText(ctx, attachment);
      return { bytes: new TextEncoder().encode(read.text), headers: textHeaders(attachment.filename, read) };
    },
  }),
};
