import { fail } from "../catalogue/errors.ts";
import { LIMITS } from "../catalogue/limits.ts";
import type { Services } from "../kernel/context.ts";
import type { StoredAttachment } from "../model/attachments.ts";
import type { AttachmentInput } from "./inputs.ts";

/** The parts that a mail's size is made of. */
interface Sized {
  text?: string | null | undefined;
  html?: string | null | undefined;
  /** Attachments that are already stored. */
  stored?: readonly StoredAttachment[];
}

/** Stores uploaded attachments. Fails with `message_too_large` when the whole mail would exceed 25 MB. */
export async function storeUploads(
  { blobs, makeId }: Pick<Services, "blobs" | "makeId">,
  uploads: readonly AttachmentInput[],
  { text, html, stored = [] }: Sized,
): Promise<StoredAttachment[]> {
  const decoded = uploads.map((upload) => ({ upload, bytes: Buffer.from(upload.content_base64, "base64") }));
  const bytes =
    decoded.reduce((sum, each) => sum + each.bytes.length, 0) +
    stored.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
  // Base64 makes attachments a third larger in transit.
  if ((text?.length ?? 0) + (html?.length ?? 0) + (bytes * 4) / 3 > LIMITS.message_bytes)
    throw fail("message_too_large");
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
