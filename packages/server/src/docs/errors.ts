import type { Route } from "@letterslot/client/routes";
import type { ErrorCode } from "@letterslot/core";
import type { Operation } from "@letterslot/core/internal";
import { isErrorCode } from "@letterslot/core/ports";

const IDEMPOTENCY_ERRORS = [
  "invalid_idempotency_key",
  "idempotency_key_conflict",
  "idempotency_request_in_progress",
] as const satisfies ErrorCode[];

/** Errors that any call may answer with, for every operation. */
export const COMMON_ERRORS: readonly ErrorCode[] = [
  "invalid_api_key",
  "api_key_revoked",
  "api_key_expired",
  "session_invalid",
  "session_required",
  "account_required",
  "account_not_found",
  "workspace_not_found",
  "account_suspended",
  "cross_site_request",
  "invalid_request",
  "unknown_parameter",
  "invalid_json",
  "unsupported_media_type",
  "unsupported_content_encoding",
  "idempotency_not_supported",
  "request_too_large",
  "request_timeout",
  "too_many_bytes",
  "rate_limited",
  "internal_error",
  "storage_unavailable",
];

/**
 * Returns the errors of an operation besides the common ones: those of its permissions, path, input and
 * Idempotency-Key, and those that it declares itself.
 */
export function errorsOf(operation: Operation, route: Route): ErrorCode[] {
  const ids = [...route.path.matchAll(/:([a-z]+)_id/g)].map(([, kind = ""]) => kind);
  const missing = ids.map((kind) => `${kind}_not_found`);
  const open = operation.scope === "public" && operation.in_account !== true;
  const codes = [
    ...callerErrors(operation),
    // Even where no permission is needed: only some callers act within a workspace.
    ...(open ? [] : ["permission_denied"]),
    ...missing,
    ...("inbox_id" in operation.input.shape ? ["inbox_not_found"] : []),
    ...inputErrors(operation.input),
    ...(operation.idempotent ? IDEMPOTENCY_ERRORS : []),
    ...(operation.errors ?? []),
  ];
  return [...new Set(codes)]
    .filter(isErrorCode)
    .filter((code) => missing.includes(code) || !COMMON_ERRORS.includes(code));
}

/** Returns the errors for callers of the wrong kind. */
function callerErrors({ callers }: Operation): ErrorCode[] {
  if (callers === undefined) return [];
  if (!callers.includes("owner")) return ["key_only"];
  const isPublic = callers.includes("public");
  return [
    ...(callers.includes("key") ? [] : ["owner_only" as const]),
    ...(isPublic ? [] : ["session_required" as const]),
  ];
}

/** The codes that a schema and all within it may fail with. */
function inputErrors(schema: Validator, seen = new Set<unknown>()): string[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const def = definitionOf(schema);
  const checks = (def["checks"] ?? []) as Validator[];
  const own = [def, ...checks.map(definitionOf)].flatMap(({ error }) => codeOf(error));
  const shape = (def["shape"] ?? {}) as Record<string, unknown>;
  const within = [
    ...Object.values(shape),
    ...((def["options"] ?? []) as unknown[]),
    ...["innerType", "element", "keyType", "valueType", "in", "out"].map((name) => def[name]),
  ];
  return [...own, ...within.filter(isSchema).flatMap((each) => inputErrors(each, seen))];
}

/** A schema of zod, or one of its checks. */
interface Validator {
  _zod: { def: object };
}

const definitionOf = ({ _zod: { def } }: Validator): Record<string, unknown> => ({ ...def });

const isSchema = (value: unknown): value is Validator =>
  typeof value === "object" && value !== null && "_zod" in value;

function codeOf(error: unknown): string[] {
  if (typeof error !== "function") return [];
  const said: unknown = error({ code: "custom", path: [], input: undefined });
  return typeof said === "string" ? [said] : [];
}
