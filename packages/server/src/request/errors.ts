import {
  type ErrorCode,
  type ErrorKind,
  errorCatalogue,
  fail,
  LetterslotError,
  type Log,
} from "@letterslot/core";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { ServerContext } from "./context.ts";

/** What a kind of failure is on the wire (decisions, section 1). */
export const wireOfKind: Record<ErrorKind, { status: ContentfulStatusCode; type: string }> = {
  invalid: { status: 400, type: "invalid_request" },
  unauthenticated: { status: 401, type: "authentication_error" },
  payment: { status: 402, type: "plan_limit" },
  forbidden: { status: 403, type: "authentication_error" },
  not_found: { status: 404, type: "not_found" },
  conflict: { status: 409, type: "conflict" },
  gone: { status: 410, type: "gone" },
  too_large: { status: 413, type: "invalid_request" },
  unsupported: { status: 415, type: "invalid_request" },
  rate: { status: 429, type: "rate_limited" },
  internal: { status: 500, type: "api_error" },
  unavailable: { status: 503, type: "api_error" },
};

/** The status and type of a code. A wrong method has HTTP's own status. */
export function wireOf(code: ErrorCode): { status: ContentfulStatusCode; type: string } {
  const wire = wireOfKind[errorCatalogue[code].kind];
  return code === "method_not_allowed" ? { ...wire, status: 405 } : wire;
}

/** The error object (interface, "Error object"; decisions, section 1). */
export interface ErrorBody {
  error: {
    type: string;
    code: ErrorCode;
    message: string;
    param?: string;
    docs_url: string;
    request_id: string;
    retryable: boolean;
    retry_after_seconds?: number;
    fix: string;
  };
}

/** A failure in the words of the wire. */
export function errorBody(error: LetterslotError, request_id: string, base_url: string): ErrorBody {
  const { code, message, param, retryable, retry_after_seconds, fix } = error;
  return {
    error: {
      type: wireOf(code).type,
      code,
      message,
      ...(param === undefined ? {} : { param }),
      docs_url: `${base_url}/docs#${code}`,
      request_id,
      retryable,
      ...(retry_after_seconds === undefined ? {} : { retry_after_seconds }),
      fix,
    },
  };
}

/**
 * The failure that callers may see; what is not a `LetterslotError` goes to the log and is `internal_error`
 * outside.
 */
export function shownFailure(error: unknown, log: Log, request_id: string): LetterslotError {
  if (!(error instanceof LetterslotError)) {
    log.error({ error, request_id }, "request failed");
    return fail("internal_error");
  }
  if (error.kind === "internal" || error.kind === "unavailable")
    log.error({ error, request_id }, "request failed");
  return error;
}

/** Answers a failure as JSON. */
export function respondError(c: ServerContext, error: LetterslotError, base_url: string): Response {
  setErrorHeaders(c, error);
  return c.json(errorBody(error, c.get("request_id"), base_url), wireOf(error.code).status);
}

/** The headers that go with a failure, whatever form its body has. */
export function setErrorHeaders(c: ServerContext, error: LetterslotError): void {
  if (error.retry_after_seconds !== undefined) c.header("Retry-After", String(error.retry_after_seconds));
  if (error.kind === "unauthenticated") c.header("WWW-Authenticate", "Bearer");
}
