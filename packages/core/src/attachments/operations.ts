import { z } from "zod";
import { fail } from "../errors.ts";
import { notFound } from "../gate.ts";
import { IdInput } from "../ids.ts";
import { findMessage } from "../messages/find.ts";
import { isHeld } from "../messages/show.ts";
import { operation } from "../operation.ts";
import { downloadHeaders } from "./rules.ts";
import { Download } from "./schema.ts";

/** What can be done with attachments. */
export const attachments = {
  get: operation({
    summary: "Downloads an attachment; bodies that a browser could run are served as plain bytes.",
    scope: "inbox",
    allow: ["message_read"],
    answers: "bytes",
    input: z.object({ inbox_id: IdInput, message_id: IdInput, attachment_id: IdInput, download: z.enum(["0", "1"]).optional() }),
    output: Download,
    async run({ storage, blobs, inbox }, { message_id, attachment_id, download }) {
      const message = await findMessage(storage, inbox.id, message_id);
      const attachment = message.attachments.find(({ id }) => id === attachment_id);
      if (attachment === undefined) throw notFound("attachment_not_found", "att", attachment_id);
      if (isHeld(message)) throw fail("message_held");
      const bytes = await blobs.get(attachment.hash);
      if (bytes === undefined) throw fail("attachment_not_found");
      return { bytes, headers: downloadHeaders(attachment, download === "1") };
    },
  }),
};
