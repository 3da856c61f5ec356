import { createHash } from "node:crypto";
import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { checkNotSuspended } from "../../kernel/access/suspended.ts";
import type { Services } from "../../kernel/context.ts";
import { hashSecret } from "../../kernel/secrets.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import { iso } from "../../model/fields.ts";
import type { UploadRecord } from "../../model/uploads.ts";
import { makeRoom, scheduleBlobCollection } from "../messages/index.ts";
import { checkedPieces } from "./pieces.ts";
import { arrivalOf, checkSize, mostBytes } from "./rules.ts";

/** The bytes of an upload, as they come. */
export interface Arriving {
  /** The word of the address. */
  word: string;
  /** How many there will be, if the sender says so. */
  declared_bytes: number | undefined;
  bytes: AsyncIterable<Uint8Array>;
}

/**
 * Receives the bytes of an upload, which go to the blobs as they come. What breaks off, is refused or has another size
 * than was declared leaves nothing, and may be sent again; of an upload that is ready the bytes are only compared. Fails
 * with `upload_not_found`, `account_suspended`, `upload_too_large`, `upload_size_mismatch`, `upload_already_ready` or
 * `plan_limit_exceeded`, and as the source does.
 */
export async function receiveUpload(
  services: Services,
  { word, declared_bytes, bytes }: Arriving,
): Promise<UploadRecord> {
  const upload = await findByWord(services, word);
  const most = mostBytes(upload);
  checkArrived(upload, most, declared_bytes ?? 0);
  if (upload.status === "ready") {
    arrivalOf(upload, await hashed(atMost(bytes, upload, most)));
    return upload;
  }
  await makeRoom(services, upload.account_id, declared_bytes ?? 0, services.clock.now());
  const arrived = await services.blobs.putStream(allOf(services, bytes, upload, most));
  try {
    return await keep(services, upload, arrived);
  } catch (error) {
    await forget(services, upload, arrived.hash);
    throw error;
  }
}

/**
 * Finds an upload by its word. Fails with `upload_not_found` for a word that nobody gave out or whose time is over, and
 * where its inbox is gone, with `account_suspended` or `account_deleted`.
 */
async function findByWord(services: Services, word: string): Promise<UploadRecord> {
  const { storage, clock } = services;
  const [upload] = await storage.find("uploads", { where: { word_hash: hashSecret(word) }, limit: 1 });
  if (upload === undefined || upload.put_until <= iso(clock.now())) throw fail("upload_not_found");
  await checkNotSuspended(services, upload.account_id);
  if ((await storage.get("inboxes", upload.inbox_id)) === undefined) throw fail("upload_not_found");
  return upload;
}

/** The bytes, with all that can be refused once they have come: a source that fails stores nothing. */
async function* allOf(
  services: Services,
  bytes: AsyncIterable<Uint8Array>,
  upload: UploadRecord,
  most: number,
): AsyncGenerator<Uint8Array> {
  const size = yield* atMost(bytes, upload, most);
  checkSize(upload, size);
  // Where another PUT was sooner these bytes are its own, or refused: neither needs room.
  const current = await services.storage.get("uploads", upload.id);
  if (current?.status !== "ready") await makeRoom(services, upload.account_id, size, services.clock.now());
}

const atMost = (bytes: AsyncIterable<Uint8Array>, upload: UploadRecord, most: number) =>
  checkedPieces(bytes, (size) => checkArrived(upload, most, size));

async function hashed(bytes: AsyncIterable<Uint8Array>): Promise<{ hash: string; size_bytes: number }> {
  const hash = createHash("sha256");
  let size_bytes = 0;
  for await (const piece of bytes) {
    hash.update(piece);
    size_bytes += piece.byteLength;
  }
  return { hash: hash.digest("hex"), size_bytes };
}

/** Of what was declared smaller, more is a mistake; of what was not, it is too much. */
function checkArrived({ size_bytes }: UploadRecord, most: number, size: number): void {
  if (size <= most) return;
  throw size_bytes === null || size > LIMITS.message_bytes
    ? fail("upload_too_large")
    : fail("upload_size_mismatch", { message: `The body has more than the declared ${size_bytes} bytes.` });
}

/** Of several PUTs at once the first to end wins: the condition is part of the write. */
async function keep(
  services: Services,
  { id, account_id }: UploadRecord,
  arrived: { hash: string; size_bytes: number },
): Promise<UploadRecord> {
  const now = services.clock.now();
  return unitOfWork(services, account_id, now, async (work) => {
    const current = await work.get("uploads", id);
    if (current === undefined) throw fail("upload_not_found");
    if (arrivalOf(current, arrived) === "repeated") return current;
    const { hash: sha256, size_bytes } = arrived;
    const expires_at = iso(new Date(now.getTime() + LIMITS.upload_kept_ms));
    const change = { status: "ready", sha256, size_bytes, expires_at } as const;
    const [ready] = await work.update("uploads", { id, status: "waiting" }, change);
    if (ready === undefined) throw fail("upload_already_ready");
    work.append("blob_uses", [{ hash: sha256, message_id: id }]);
    work.countBytes(size_bytes);
    return ready;
  });
}

/** Bytes that nothing will use go when their hour is over. */
async function forget(services: Services, { account_id }: UploadRecord, hash: string): Promise<void> {
  const now = services.clock.now();
  await unitOfWork(services, account_id, now, async (work) => scheduleBlobCollection(work, [hash], now));
}
