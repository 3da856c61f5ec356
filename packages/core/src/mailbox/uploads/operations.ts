import { z } from "zod";
import { InboxId, UploadId } from "../../catalogue/id-inputs.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { operation } from "../../kernel/operation.ts";
import { Deleted } from "../../model/fields.ts";
import { NewUpload, Upload } from "../../model/uploads.ts";
import { ContentType, Filename } from "../messages/index.ts";
import { createUpload, deleteUpload, findUpload } from "./store.ts";

const one = { inbox_id: InboxId, upload_id: UploadId };

/** The operations on uploads. */
export const uploads = {
  create: operation({
    summary:
      "Creates an upload and shows the address that takes its bytes, by one PUT without a key, once. Mail then takes it as an attachment by its id.",
    when: "Attach a file of any size without writing it into a call.",
    example: { filename: "report.pdf", size_bytes: 48_211 },
    errors: ["upload_limit", "upload_too_large", "account_unclaimed", "plan_limit_exceeded"],
    scope: "inbox",
    effect: "write",
    allow: ["message_send", "draft_write"],
    input: z.object({
      inbox_id: InboxId,
      filename: Filename,
      content_type: ContentType.optional(),
      size_bytes: z
        .int()
        .min(0)
        .optional()
        .describe(
          `The size of the file in bytes, at most ${LIMITS.message_bytes}: a PUT of another size is refused. Without it the upload counts as the largest while it waits.`,
        ),
    }),
    output: NewUpload,
    async run(ctx, { filename, content_type, size_bytes = null }) {
      const { record, word } = await createUpload(ctx, { filename, content_type, size_bytes });
      return { ...record, put_url: `${ctx.options.baseUrl}/api/v1/uploads?word=${word}` };
    },
  }),

  get: operation({
    summary: "Shows an upload; its address isn't shown again.",
    when: "See whether the bytes have arrived.",
    scope: "inbox",
    inbox_by_name: true,
    effect: "read",
    allow: ["message_send", "draft_write"],
    input: z.object(one),
    output: Upload,
    run: ({ storage, inbox, now }, { upload_id }) => findUpload(storage, inbox.id, upload_id, now),
  }),

  delete: operation({
    summary: "Deletes an upload; mail that has used it keeps its attachment.",
    when: "Take back a file that won't be sent.",
    scope: "inbox",
    effect: "delete",
    allow: ["message_send", "draft_write"],
    input: z.object(one),
    output: Deleted("upload"),
    run: (ctx, { upload_id: id }) =>
      ctx.transaction(async (work) => {
        await deleteUpload(work, await findUpload(work, ctx.inbox.id, id, ctx.now), ctx.now);
        return { id };
      }),
  }),
};
