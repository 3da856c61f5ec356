import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { isWhollyDirect } from "../../model/outbound.ts";
import type { UploadRecord } from "../../model/uploads.ts";
import type { AttachmentInput } from "../messages/index.ts";

/** The field that gives the bytes of an attachment. */
export type Source = "content_base64" | "upload_id" | "attachment_id" | "url";

const SOURCES: readonly Source[] = ["content_base64", "upload_id", "attachment_id", "url"];

/** The source of an attachment. Fails with `invalid_attachment` unless it has exactly one, and a name with its bytes. */
export function sourceOf(input: AttachmentInput, param: string): Source {
  const [source, ...others] = SOURCES.filter((each) => input[each] !== undefined);
  if (source === undefined || others.length > 0) throw fail("invalid_attachment", { param });
  if (source === "content_base64" && input.filename === undefined)
    throw fail("invalid_attachment", { param, message: "The attachment has no filename." });
  return source;
}

/** The settings of an inbox that matter to a way out. */
type Fetching = Parameters<typeof isWhollyDirect>[0] & {
  /** It sends now: it isn't paused, has not expired, and no canary has stopped it. */
  sends: boolean;
  /** The caller may send mail, not only write it. */
  may_send: boolean;
  /** The caller's key, or one above it, has a budget, which counts mail and not what is asked for. */
  has_budget: boolean;
};

/** Paths that some servers read as others: slashes in another form, `..;` as a folder, and double encoding. */
const HIDDEN_PATH = /%2f|%5c|%25|\/(?:\.|%2e){1,2}(?:;|%3b)/i;

/**
 * The URL that a file is fetched from, as it is asked for. A fetch is a way out, so it is where nobody would be asked
 * about a mail, and to where the operator says. Fails with `attachment_url_refused`.
 */
export function fetchableUrl(
  { url: text, param }: { url: string; param: string },
  inbox: Fetching,
  prefixes: readonly string[],
): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const refuse = (message: string) => fail("attachment_url_refused", { param, message });
  if (url?.protocol !== "https:") throw refuse("The URL must start with https://.");
  if (text.includes("?")) throw refuse("The URL has a query.");
  if (url.username !== "" || url.password !== "") throw refuse("The URL has a user name or password.");
  if (prefixes.length === 0) throw refuse("This service fetches no files.");
  url.hash = "";
  // As parsed, so that no `..` leads out of what is allowed.
  if (HIDDEN_PATH.test(url.href) || !prefixes.some((prefix) => url.href.startsWith(prefix)))
    throw refuse("The URL is none of those that this service fetches files from.");
  if (!isWhollyDirect(inbox)) throw refuse("Mail of this inbox may wait for an owner, and a fetch couldn't.");
  if (inbox.has_budget) throw refuse("A key with a budget fetches nothing: the budget couldn't count it.");
  if (!inbox.sends || !inbox.may_send) throw refuse("A file is fetched only by whom mail could be sent now.");
  return url.href;
}

/** The name of a file that its URL says. */
export function nameInUrl(url: string): string {
  const { pathname } = new URL(url);
  const last = pathname.slice(pathname.lastIndexOf("/") + 1);
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
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

/** The outcome of bytes that arrived for an upload. */
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
