import type { InboxContext } from "../kernel/context.ts";
import type { StoredAttachment } from "../model/attachments.ts";
import { checkSize, type SizedMail } from "./check-size.ts";
import type { AttachmentInput } from "./inputs.ts";

/** Stores the uploaded attachments of a mail. Fails with `message_too_large` as `checkSize` does. */
export async function storeUploads(
  ctx: Pick<InboxContext, "blobs" | "makeId" | "inbox" | "now">,
  uploads: readonly AttachmentInput[],
  mail: SizedMail,
): Promise<StoredAttachment[]> {
  const { blobs, makeId } = ctx;
  const decoded = uploads.map((upload) => ({ upload, bytes: Buffer.from(upload.content_base64, "base64") }));
  await checkSize(ctx, mail, decoded);
  return Promise.all(
    decoded.map(
      async ({
        upload: { filename, content_type = "application/octet-stream", content_id = null },
        bytes: content,
      }) => ({
        id: makeId("att"),
        filename,
        content_type,
        content_id: content_id?.replace(/^<|>$/g, "") ?? null,
        disposition: content_id === null ? ("attachment" as const) : ("inline" as const),
        size_bytes: content.length,
        hash: await blobs.put(content),
      }),
    ),
  );
}
