import { fail } from "../../catalogue/errors.ts";
import { newUploadWord } from "../../catalogue/letter-words.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { checkClaimed } from "../../kernel/access/claimed.ts";
import { rootAccount } from "../../kernel/access/root-account.ts";
import type { InboxContext, Services } from "../../kernel/context.ts";
import { notFound } from "../../kernel/gate.ts";
import { endJob, postponeJob } from "../../kernel/jobs/job-lease.ts";
import { hashSecret } from "../../kernel/secrets.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import type { Work } from "../../kernel/work.ts";
import { cleanFilename } from "../../mail/attachments.ts";
import { typeByName } from "../../mail/mime/media-types.ts";
import { iso } from "../../model/fields.ts";
import type { JobRecord } from "../../model/jobs.ts";
import type { UploadRecord } from "../../model/uploads.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { makeRoom, scheduleBlobCollection } from "../messages/index.ts";
import { checkMayWait, countedBytes } from "./rules.ts";

/** A file as its sender announces it. */
interface Announced {
  filename: string;
  content_type?: string | undefined;
  /** Null when it isn't known. */
  size_bytes: number | null;
}

/**
 * Creates an upload, and returns the word of its address once. Fails with `upload_limit`, `upload_too_large`,
 * `plan_limit_exceeded` or `account_unclaimed`.
 */
export async function createUpload(
  ctx: InboxContext,
  { filename, content_type, size_bytes }: Announced,
): Promise<{ record: UploadRecord; word: string }> {
  const { inbox, now, options, makeId } = ctx;
  const { id: inbox_id, account_id } = inbox;
  if (countedBytes({ size_bytes }) > LIMITS.message_bytes)
    throw fail("upload_too_large", { param: "size_bytes" });
  const root = await rootAccount(ctx.storage, account_id);
  if (root === undefined) throw fail("account_deleted");
  checkClaimed(root, options.onboarding);
  await makeRoom(ctx, account_id, size_bytes ?? 0, now);
  const word = newUploadWord();
  const put_until = new Date(now.getTime() + LIMITS.upload_put_ms);
  const record: UploadRecord = {
    ...{ id: makeId("upl"), account_id, inbox_id, root_account_id: root.id, status: "waiting" },
    filename: cleanFilename(filename),
    content_type: content_type ?? typeByName(filename) ?? "application/octet-stream",
    ...{ size_bytes, sha256: null, word_hash: hashSecret(word) },
    ...{ created_at: iso(now), expires_at: iso(put_until), put_until: iso(put_until) },
  };
  await ctx.transaction(async (work) => {
    const open = await work.count("uploads", { inbox_id }, LIMITS.uploads_per_inbox);
    const waiting = await work.find("uploads", {
      where: { root_account_id: root.id, status: "waiting" },
      order: { by: "id", direction: "asc" },
      limit: LIMITS.waiting_uploads,
    });
    checkMayWait({ open, waiting, size_bytes, has_plan: options.plans !== null });
    work.append("uploads", [record]);
    work.job({ kind: "upload.end", subject_id: record.id, due_at: endOf(record) });
  });
  return { record, word };
}

/** An upload of the inbox whose time isn't over. Fails with `upload_not_found`. */
export async function findUpload(
  storage: StorageReader,
  inbox_id: string,
  id: string,
  now: Date,
): Promise<UploadRecord> {
  const upload = await storage.get("uploads", id);
  if (upload?.inbox_id !== inbox_id || upload.expires_at <= iso(now))
    throw notFound("upload_not_found", "upl", id);
  return upload;
}

/** Keeps uploads that a mail has just used for another day. */
export async function renewUploads(work: Work, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  const expires_at = iso(new Date(now.getTime() + LIMITS.upload_kept_ms));
  await work.update("uploads", { id: { in: [...ids] }, status: "ready" }, { expires_at });
}

/** Deletes an upload with its job; bytes that nothing else uses are collected later. */
export async function deleteUpload(
  work: Work,
  { id, sha256, size_bytes }: UploadRecord,
  now: Date,
): Promise<void> {
  await work.delete("jobs", { subject_id: id });
  await work.delete("uploads", { id });
  if (sha256 === null) return;
  await work.delete("blob_uses", { hash: sha256, message_id: id });
  work.countBytes(-(size_bytes ?? 0));
  scheduleBlobCollection(work, [sha256], now);
}

/** Deletes an upload whose time is over; `subject_id` is the upload. */
export async function endUpload(services: Services, job: JobRecord): Promise<void> {
  const found = await services.storage.get("uploads", job.subject_id);
  if (found === undefined) return endJob(services.storage, job);
  const now = services.clock.now();
  await unitOfWork(services, found.account_id, now, async (work) => {
    const upload = await work.get("uploads", found.id);
    if (upload === undefined) return endJob(work, job);
    const end = endOf(upload);
    if (end > now) return postponeJob(work, job, end);
    await endJob(work, job);
    await deleteUpload(work, upload, now);
  });
}

/** When an upload is deleted; a PUT that began in time may still be under way until then. */
const endOf = ({ status, expires_at }: UploadRecord): Date =>
  new Date(Date.parse(expires_at) + (status === "waiting" ? LIMITS.upload_put_end_ms : 0));
