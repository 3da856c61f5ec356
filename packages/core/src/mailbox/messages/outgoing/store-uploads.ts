import { createHash } from "node:crypto";
import type { InboxContext, Services } from "../../../kernel/context.ts";
import { createTurns, inPieces } from "../../../kernel/yield-to-event-loop.ts";
import type { StoredAttachment } from "../../../model/attachments.ts";
import { freeDecoded } from "../../../model/base64.ts";
import type { Blobs } from "../../../ports/blobs.ts";
import { makeRoom } from "../trash/purge-trash.ts";
import { checkSize, type SizedMail } from "./check-size.ts";
import { type GivenAttachment, type GivenFile, isInline, isStored, mediaTypeOf } from "./inputs.ts";

/** Bytes that are handed to the blobs at a time. */
const PIECE_BYTES = 256 * 1024;

/**
 * Stores the attachments of a mail whose bytes are in the call, which it takes, and returns all that it was given, in order. Fails with `message_too_large` as `checkSize` does, and with
 * `plan_limit_exceeded` when the plan has no room for the mail.
 */
export async function storeUploads(
  ctx: Services & Pick<InboxContext, "inbox" | "now">,
  given: readonly GivenAttachment[],
  mail: SizedMail,
): Promise<StoredAttachment[]> {
  const [files, referred] = [given.filter(isInline), given.filter(isStored)];
  await checkSize(ctx, { ...mail, stored: [...mail.stored, ...referred] }, files);
  const words = (mail.text?.length ?? 0) + (mail.html?.length ?? 0);
  const copied = referred.reduce((sum, { size_bytes }) => sum + size_bytes, words);
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, copied);
  await makeRoom(ctx, ctx.inbox.account_id, bytes, ctx.now);
  const stored: Promise<StoredAttachment>[] = [];
  const afterBytes = createTurns(ctx.yieldToEventLoop, PIECE_BYTES);
  for (const file of files) {
    await afterBytes(file.bytes.length);
    const storing = storeFile(ctx, file, afterBytes);
    // A failure is reported below, also when it comes before.
    storing.catch(() => undefined);
    stored.push(storing);
  }
  const uploaded = (await Promise.all(stored)).values();
  return given.flatMap((each) => (isInline(each) ? (uploaded.next().value ?? []) : each));
}

async function storeFile(
  { blobs, makeId }: Pick<Services, "blobs" | "makeId">,
  file: GivenFile,
  inTurn: (bytes: number) => Promise<void>,
): Promise<StoredAttachment> {
  const { filename, bytes, content_id = null } = file;
  // Put at once, a large one would be copied first.
  const hash = bytes.length > PIECE_BYTES ? await putInPieces(blobs, bytes, inTurn) : await blobs.put(bytes);
  const stored: StoredAttachment = {
    id: makeId("att"),
    filename,
    ...mediaTypeOf(file, bytes),
    content_id: content_id?.replace(/^<|>$/g, "") ?? null,
    disposition: content_id === null ? "attachment" : "inline",
    size_bytes: bytes.length,
    hash,
  };
  freeDecoded(bytes);
  return stored;
}

/** Stores bytes piece by piece, unless they are stored already; returns their hash. */
async function putInPieces(
  blobs: Blobs,
  bytes: Uint8Array,
  inTurn: (bytes: number) => Promise<void>,
): Promise<string> {
  const pieces = () => inPieces(bytes, PIECE_BYTES, inTurn);
  const counted = createHash("sha256");
  for await (const piece of pieces()) counted.update(piece);
  const known = { hash: counted.digest("hex"), size_bytes: bytes.length };
  return (await blobs.putStream(pieces(), known)).hash;
}
