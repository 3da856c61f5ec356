/** What a `LetterslotApiError` is made from. */
export interface ApiErrorDetails {
  code: string;
  message: string;
  status: number | null;
  type?: string | undefined;
  param?: string | undefined;
  fix?: string | undefined;
  request_id?: string | undefined;
  retryable?: boolean | undefined;
  retry_after_seconds?: number | undefined;
  cause?: unknown;
}

/**
 * The one error of the client. Branch on `code`: the server's codes (interface, "Errors"), or, when there was
 * no usable answer, `connection_failed`, `timed_out` or `unexpected_answer`.
 */
export class LetterslotApiError extends Error {
  readonly code: string;
  /** The HTTP status, or null when no answer came. */
  readonly status: number | null;
  readonly type: string | undefined;
  /** The parameter at fault. */
  readonly param: string | undefined;
  /** One sentence that says what to do next. */
  readonly fix: string | undefined;
  /** Tell this to the operator when something stays wrong. */
  readonly request_id: string | undefined;
  readonly retryable: boolean;
  readonly retry_after_seconds: number | undefined;

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
  }
}

/**
 * The failure that an answer with an error status tells of; something other than our error object is
 * `unexpected_answer`.
 */
export async function errorOf(response: Response): Promise<LetterslotApiError> {
  const body = await response.text().then(parsed, () => undefined);
  const told = (body as { error?: Partial<ApiErrorDetails> } | undefined)?.error;
  const { status } = response;
  const request_id = told?.request_id ?? response.headers.get("x-request-id") ?? undefined;
  const retry_after_seconds = told?.retry_after_seconds ?? retryAfter(response.headers.get("retry-after"));
  if (typeof told?.code === "string" && typeof told.message === "string") {
    const { code, message, type, param, fix, retryable } = told;
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
    });
  }
  const message = `The server answered ${status} without an error object; something between may have answered in its place.`;
  return new LetterslotApiError({
    code: "unexpected_answer",
    message,
    status,
    request_id,
    retryable: status >= 500,
    retry_after_seconds,
  });
}

/** Seconds of a Retry-After header, given as seconds or as a date (RFC 9110, section 10.2.3). */
function retryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
