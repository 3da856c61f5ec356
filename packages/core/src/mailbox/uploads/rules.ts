import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import type { UploadRecord } from "../../model/uploads.ts";
import type { AttachmentInput } from "../messages/index.ts";

/** Where the bytes of an attachment come from. */
export type Source = "content_base64" | "upload_id" | "attachment_id";

const SOURCES: readonly Source[] = ["content_base64", "upload_id", "attachment_id"];

/** The source of an attachment. Fails with `invalid_attachment` unless it has exactly one, and a name with its bytes. */
export function sourceOf(input: AttachmentInput, param: string): Source {
  const [source, ...others] = SOURCES.filter((each) => input[each] !== undefined);
  if (source === undefined || others.length > 0) throw fail("invalid_attachment", { param });
  if (source === "content_base64" && input.filename === undefined)
    throw fail("invalid_attachment", { param, message: "The attachment has no filename." });
  return source;
}

/**
 * Whether one more upload may be waited for: `open` are those of the inbox, `waiting` those that the account waits for.
 * Fails with `upload_limit`.
 */
export function checkMayWait(facts: {
  open: number;
  waiting: readonly Pick<UploadRecord, "size_bytes">[];
  size_bytes: number | null;
  has_plan: boolean;
}): void {
  const { open, waiting, size_bytes, has_plan } = facts;
  if (open >= LIMITS.uploads_per_inbox || waiting.length >= LIMITS.waiting_uploads)
    throw fail("upload_limit");
  // A plan's storage is the limit of accounts that have one.
  if (has_plan) return;
  const bytes = [...waiting, { size_bytes }].reduce((sum, each) => sum + countedBytes(each), 0);
  if (bytes > LIMITS.waiting_upload_bytes) throw fail("upload_limit");
}

/** The bytes that an upload counts as while it is waited for. */
export const countedBytes = ({ size_bytes }: Pick<UploadRecord, "size_bytes">): number =>
  size_bytes ?? LIMITS.message_bytes;

/** What comes of bytes that arrived for an upload. */
export type Arrival = "kept" | "repeated";

/**
 * Decides what becomes of bytes that arrived: the first PUT wins, and the same bytes again change nothing. Fails with
 * `upload_size_mismatch` or `upload_already_ready`.
 */
export function arrivalOf(
  upload: Pick<UploadRecord, "status" | "size_bytes" | "sha256">,
  arrived: { hash: string; size_bytes: number },
): Arrival {
  if (upload.status === "ready") {
    if (upload.sha256 === arrived.hash) return "repeated";
    throw fail("upload_already_ready");
  }
  checkSize(upload, arrived.size_bytes);
  return "kept";
}

/** Checks that all the bytes that were declared have come, and no more. Fails with `upload_size_mismatch`. */
export function checkSize({ size_bytes }: Pick<UploadRecord, "size_bytes">, arrived: number): void {
  if (size_bytes === null || size_bytes === arrived) return;
  throw fail("upload_size_mismatch", {
    message: `The body has ${arrived} bytes, and the upload was created for ${size_bytes}.`,
  });
}

/** The most bytes that a PUT may have: those that were declared, or the largest file. */
export const mostBytes = ({ status, size_bytes }: Pick<UploadRecord, "status" | "size_bytes">): number =>
  status === "waiting" ? countedBytes({ size_bytes }) : LIMITS.message_bytes;
