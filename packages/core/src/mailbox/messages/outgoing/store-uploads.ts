import type { InboxContext, Services } from "../../../kernel/context.ts";
import { createTurns } from "../../../kernel/yield-to-event-loop.ts";
import type { StoredAttachment } from "../../../model/attachments.ts";
import { makeRoom } from "../trash/purge-trash.ts";
import { checkSize, type SizedMail } from "./check-size.ts";
import { type AttachmentInput, mediaTypeOf } from "./inputs.ts";

/** Bytes that are decoded, or handed to the blobs, in one turn of the event loop. */
const BYTES_PER_TURN = 4 * 1024 * 1024;

/**
 * Stores the uploaded attachments of a mail. Fails with `message_too_large` as `checkSize` does, and with
 * `plan_limit_exceeded` when the plan has no room for the mail.
 */
export async function storeUploads(
  ctx: Services & Pick<InboxContext, "inbox" | "now">,
  uploads: readonly AttachmentInput[],
  mail: SizedMail,
): Promise<StoredAttachment[]> {
  const { blobs, makeId } = ctx;
  const afterBytes = createTurns(ctx.yieldToEventLoop, BYTES_PER_TURN);
  const decoded: { upload: AttachmentInput; bytes: Uint8Array }[] = [];
  for (const upload of uploads) {
    await afterBytes(upload.content_base64.length);
    decoded.push({ upload, bytes: Buffer.from(upload.content_base64, "base64") });
  }
  await checkSize(ctx, mail, decoded);
  const words = (mail.text?.length ?? 0) + (mail.html?.length ?? 0);
  const bytes = decoded.reduce((sum, each) => sum + each.bytes.length, words);
  await makeRoom(ctx, ctx.inbox.account_id, bytes, ctx.now);
  const stored: Promise<StoredAttachment>[] = [];
  for (const each of decoded) {
    await afterBytes(each.bytes.length);
    const storing = storeUpload({ blobs, makeId }, each);
    // A failure is reported below, also when it comes before.
    storing.catch(() => undefined);
    stored.push(storing);
  }
  return Promise.all(stored);
}

async function storeUpload(
  { blobs, makeId }: Pick<InboxContext, "blobs" | "makeId">,
  { upload, bytes }: { upload: AttachmentInput; bytes: Uint8Array },
): Promise<StoredAttachment> {
  const { filename, content_id = null } = upload;
  return {
    id: makeId("att"),
    filename,
    ...mediaTypeOf(upload, bytes),
    content_id: content_id?.replace(/^<|>$/g, "") ?? null,
    disposition: content_id === null ? "attachment" : "inline",
    size_bytes: bytes.length,
    hash: await blobs.put(bytes),
  };
}
