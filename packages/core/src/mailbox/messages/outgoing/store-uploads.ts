import type { InboxContext, Services } from "../../../kernel/context.ts";
import { createTurns } from "../../../kernel/yield-to-event-loop.ts";
import type { StoredAttachment } from "../../../model/attachments.ts";
import { makeRoom } from "../trash/purge-trash.ts";
import { checkSize, type SizedMail } from "./check-size.ts";
import { type GivenAttachment, type InlineAttachment, isInline, isStored, mediaTypeOf } from "./inputs.ts";

/** Bytes that are decoded, or handed to the blobs, in one turn of the event loop. */
const BYTES_PER_TURN = 4 * 1024 * 1024;

/**
 * Stores the attachments of a mail whose bytes are in the call, and returns all that it was given, in order. Fails with `message_too_large` as `checkSize` does, and with
 * `plan_limit_exceeded` when the plan has no room for the mail.
 */
export async function storeUploads(
  ctx: Services & Pick<InboxContext, "inbox" | "now">,
  given: readonly GivenAttachment[],
  mail: SizedMail,
): Promise<StoredAttachment[]> {
  const { blobs, makeId } = ctx;
  const afterBytes = createTurns(ctx.yieldToEventLoop, BYTES_PER_TURN);
  const decoded: { upload: InlineAttachment; bytes: Uint8Array }[] = [];
  for (const upload of given.filter(isInline)) {
    await afterBytes(upload.content_base64.length);
    decoded.push({ upload, bytes: Buffer.from(upload.content_base64, "base64") });
  }
  const referred = given.filter(isStored);
  await checkSize(ctx, { ...mail, stored: [...mail.stored, ...referred] }, decoded);
  const words = (mail.text?.length ?? 0) + (mail.html?.length ?? 0);
  const copied = referred.reduce((sum, { size_bytes }) => sum + size_bytes, words);
  const bytes = decoded.reduce((sum, each) => sum + each.bytes.length, copied);
  await makeRoom(ctx, ctx.inbox.account_id, bytes, ctx.now);
  const stored: Promise<StoredAttachment>[] = [];
  for (const each of decoded) {
    await afterBytes(each.bytes.length);
    const storing = storeUpload({ blobs, makeId }, each);
    // A failure is reported below, also when it comes before.
    storing.catch(() => undefined);
    stored.push(storing);
  }
  const uploaded = (await Promise.all(stored)).values();
  return given.flatMap((each) => (isInline(each) ? (uploaded.next().value ?? []) : each));
}

async function storeUpload(
  { blobs, makeId }: Pick<InboxContext, "blobs" | "makeId">,
  { upload, bytes }: { upload: InlineAttachment; bytes: Uint8Array },
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
