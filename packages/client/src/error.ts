import type { ErrorCode } from "@letterslot/core";

/**
 * Why a call failed: a code of the server's, or the client's own when there was no usable response. A newer
 * server may have codes that this client doesn't know.
 */
export type ApiErrorCode =
  | ErrorCode
  | "connection_failed"
  | "timed_out"
  | "unexpected_answer"
  | "replayed"
  | (string & {});

/** Why an owner would be asked, as approvals show it. */
export interface ApiErrorReason {
  code: string;
  detail: string | null;
  /** The same in plain words for people. */
  sentence: string;
  message_id?: string;
}

/** The arguments of `LetterslotApiError`. */
export interface ApiErrorDetails {
  code: ApiErrorCode;
  message: string;
  status: number | null;
  type?: string | undefined;
  param?: string | undefined;
  fix?: string | undefined;
  request_id?: string | undefined;
  retryable?: boolean | undefined;
  retry_after_seconds?: number | undefined;
  resource?: string | undefined;
  limit?: number | undefined;
  used?: number | undefined;
  upgrade_url?: string | null | undefined;
  resets_at?: string | undefined;
  reasons?: readonly ApiErrorReason[] | undefined;
  digest?: string | undefined;
  cause?: unknown;
}

/**
 * The only error the client throws for a failed call. Branch on `code`: one of the server's error codes, or
 * `connection_failed`, `timed_out` or `unexpected_answer` when there was no usable response, `replayed` of `whole`.
 */
export class LetterslotApiError extends Error {
  readonly code: ApiErrorCode;
  /** The HTTP status, or null if there was no response. */
  readonly status: number | null;
  readonly type: string | undefined;
  /** The parameter at fault. */
  readonly param: string | undefined;
  /** The remedy, in one sentence. */
  readonly fix: string | undefined;
  /** Quote this to the server's operator when a problem persists. */
  readonly request_id: string | undefined;
  readonly retryable: boolean;
  readonly retry_after_seconds: number | undefined;
  /** With `plan_limit_exceeded`: the resource that the plan limits. */
  readonly resource: string | undefined;
  /** The plan's limit for the resource. */
  readonly limit: number | undefined;
  /** The amount of it that is used. */
  readonly used: number | undefined;
  /** The page that sells a larger plan; null if the plan names none. */
  readonly upgrade_url: string | null | undefined;
  /** With `budget_exceeded`: when the key's budget may allow it again (ISO 8601, UTC). */
  readonly resets_at: string | undefined;
  /** Why an owner would be asked: with `approval_changed`, what was found in the mail as edited. */
  readonly reasons: readonly ApiErrorReason[] | undefined;
  /** With `approval_changed`: the digest that approves the mail as edited, with these reasons. */
  readonly digest: string | undefined;

  constructor(details: ApiErrorDetails) {
    super(details.message, { cause: details.cause });
    this.name = "LetterslotApiError";
    this.code = details.code;
    this.status = details.status;
    this.type = details.type;
    this.param = details.param;
    this.fix = details.fix;
    this.request_id = details.request_id;
    this.retryable = details.retryable ?? false;
    this.retry_after_seconds = details.retry_after_seconds;
    this.resource = details.resource;
    this.limit = details.limit;
    this.used = details.used;
    this.upgrade_url = details.upgrade_url;
    this.resets_at = details.resets_at;
    this.reasons = details.reasons;
    this.digest = details.digest;
  }
}

/** Converts an error response; a body that is not our error object becomes `unexpected_answer`. */
export async function readError(response: Response): Promise<LetterslotApiError> {
  const body = await response.text().then(tryParseJson, () => undefined);
  const detail = (body as { error?: Partial<ApiErrorDetails> } | undefined)?.error;
  const { status } = response;
  const request_id = detail?.request_id ?? response.headers.get("x-request-id") ?? undefined;
  const retry_after_seconds =
    detail?.retry_after_seconds ?? parseRetryAfter(response.headers.get("retry-after"));
  if (typeof detail?.code === "string" && typeof detail.message === "string") {
    const { code, message, type, param, fix, retryable, resource, limit, used, upgrade_url, resets_at } =
      detail;
    const { reasons, digest } = detail;
    return new LetterslotApiError({
      code,
      message,
      status,
      type,
      param,
      fix,
      retryable,
      request_id,
      retry_after_seconds,
      resource,
      limit,
      used,
      upgrade_url,
      resets_at,
      reasons,
      digest,
    });
  }
  const message = `Status ${status} without an error object; a proxy may have responded instead of the server.`;
  return new LetterslotApiError({
    code: "unexpected_answer",
    message,
    status,
    request_id,
    retryable: status >= 500,
    retry_after_seconds,
  });
}

/** Parses Retry-After, which holds seconds or a date (RFC 9110, section 10.2.3), into seconds. */
function parseRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}

function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The error for an answer that wasn't complete in time. */
export const timedOut = (timeout_ms: number, cause?: unknown): LetterslotApiError =>
  new LetterslotApiError({
    code: "timed_out",
    message: `No complete response within ${timeout_ms} ms.`,
    status: null,
    retryable: true,
    cause,
  });

/** The connection couldn't be made, or broke. */
export const connectionFailed = (cause: unknown): LetterslotApiError =>
  new LetterslotApiError({
    code: "connection_failed",
    message: "The server could not be reached.",
    status: null,
    retryable: true,
    cause,
  });
