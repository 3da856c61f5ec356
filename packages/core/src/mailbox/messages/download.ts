import { fail } from "../../catalogue/errors.ts";
import type { Services } from "../../kernel/context.ts";
import { downloadHeaders } from "../../mail/attachments.ts";
import type { StoredAttachment, StreamedDownload } from "../../model/attachments.ts";

/**
 * An attachment as a download, whose bytes are read as they are sent. Fails with `attachment_not_found`, and with
 * `storage_unavailable` where other bytes are stored than came.
 */
export async function downloadOf(
  { blobs }: Pick<Services, "blobs">,
  attachment: StoredAttachment,
  saved: boolean,
): Promise<StreamedDownload> {
  const found = await blobs.getStream(attachment.hash);
  if (found === undefined) throw fail("attachment_not_found");
  if (found.size_bytes !== attachment.size_bytes)
    throw fail("storage_unavailable", { cause: new Error("The stored bytes of an attachment are damaged.") });
  const headers = { ...downloadHeaders(attachment, saved), "Content-Length": String(found.size_bytes) };
  return { stream: found.bytes, headers };
}
