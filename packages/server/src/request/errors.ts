import { ERROR_CATALOGUE, type ErrorCode, type ErrorKind, LetterslotError } from "@letterslot/core";
import { fail, type Log } from "@letterslot/core/ports";
import type { Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { ServerContext, ServerEnv } from "./context.ts";
import { sendJson } from "./send-json.ts";
import { challengeOf, type Site } from "./www-authenticate.ts";

/** The HTTP status and error type of each kind of error. */
export const WIRE_BY_KIND: Record<ErrorKind, { status: ContentfulStatusCode; type: string }> = {
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
  upstream: { status: 502, type: "api_error" },
  unavailable: { status: 503, type: "api_error" },
};

/** Codes with a status of their own. */
const STATUS_BY_CODE = new Map<ErrorCode, ContentfulStatusCode>([
  ["method_not_allowed", 405],
  ["request_timeout", 408],
]);

/** The HTTP status and error type of an error code. */
export function wireOf(code: ErrorCode): { status: ContentfulStatusCode; type: string } {
  const wire = WIRE_BY_KIND[ERROR_CATALOGUE[code].kind];
  const status = STATUS_BY_CODE.get(code);
  return status === undefined ? wire : { ...wire, status };
}

/**
 * The error to show to the caller. Anything but a `LetterslotError` is logged and shown as `internal_error`.
 */
export function publicError(error: unknown, log: Log, request_id: string): LetterslotError {
  if (!(error instanceof LetterslotError)) {
    log.error({ error, request_id }, "request failed");
    return fail("internal_error");
  }
  if (error.kind === "internal" || error.kind === "unavailable")
    log.error({ error, request_id }, "request failed");
  return error;
}

/** Responds with the JSON error object. */
export function respondError(c: ServerContext, error: LetterslotError, site: Site): Response {
  setErrorHeaders(c, error, site);
  const { code, message, param, quota, resets_at, reasons, digest, retryable, retry_after_seconds, fix } =
    error;
  const { type, status } = wireOf(code);
  const body = {
    type,
    code,
    message,
    ...(param === undefined ? {} : { param }),
    ...quota,
    ...(resets_at === undefined ? {} : { resets_at }),
    ...(reasons === undefined ? {} : { reasons }),
    ...(digest === undefined ? {} : { digest }),
    docs_url: `${site.base_url}/docs#${code}`,
    request_id: c.get("request_id"),
    retryable,
    ...(retry_after_seconds === undefined ? {} : { retry_after_seconds }),
    fix,
  };
  return sendJson(c, { error: body }, status);
}

/** Sets the headers of an error, for JSON and HTML alike; with `site`, for programs, including how to get access. */
export function setErrorHeaders(c: ServerContext, error: LetterslotError, site?: Site): void {
  if (error.retry_after_seconds !== undefined) c.header("Retry-After", String(error.retry_after_seconds));
  const challenge = site === undefined ? undefined : challengeOf(error, site, c.req.path, c.get("granted"));
  if (challenge !== undefined) c.header("WWW-Authenticate", challenge);
}

/**
 * Answers every method that `path` has no handler for with `method_not_allowed`, and names those that it has: by any
 * route that matches, since a parameter of another path may stand for a segment of this one.
 */
export function refuseOtherMethods(app: Hono<ServerEnv>, path: string): void {
  app.all(path, (c) => {
    c.header("Allow", methodsAt(app, c.req.path).join(", "));
    throw fail("method_not_allowed");
  });
}

/** Names that Hono has for routes of every method. */
const ANY_METHOD = "ALL";

function methodsAt(app: Hono<ServerEnv>, path: string): string[] {
  const segments = path.split("/");
  const methods = app.routes
    .filter((route) => matches(route.path.split("/"), segments))
    .map(({ method }) => method);
  // Hono answers HEAD as GET without its body.
  const all = methods.includes("GET") ? ["GET", "HEAD", ...methods] : methods;
  return [...new Set(all)].filter((method) => method !== ANY_METHOD);
}

const matches = (pattern: readonly string[], segments: readonly string[]): boolean =>
  pattern.length === segments.length &&
  pattern.every(
    (part, index) => part === segments[index] || (part.startsWith(":") && segments[index] !== ""),
  );
