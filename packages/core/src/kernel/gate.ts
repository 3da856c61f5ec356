import type { z } from "zod";
import { type ErrorCode, fail, isErrorCode } from "../catalogue/errors.ts";
import { isId, looksLikeId } from "../catalogue/ids.ts";
import { holdsAny } from "../catalogue/permissions.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import type { Caller, KeyCaller } from "./caller.ts";
import type { InboxContext, Services } from "./context.ts";
import { answerOnce, fingerprintOf, type KeyedCall } from "./idempotency.ts";
import { findInbox } from "./inbox/find.ts";
import type { Operation } from "./operation.ts";
import { unitOfWork } from "./unit-of-work.ts";

const ownersOnly = "This is an owner's own page, which no API key opens: use the link without one.";

/** What a call carries beside its input. */
export interface CallOptions {
  idempotency_key?: string;
  signal?: AbortSignal;
}

/**
 * The one way into an operation. Checks in this order (decisions, section 1): who asks, the inbox scope, the
 * permission, the input, the record; then idempotency; and parses the answer with the output schema, so that
 * nothing is shown that the schema doesn't show.
 */
export async function callOperation(
  services: Services,
  caller: Caller,
  name: string,
  operation: Operation,
  raw: Record<string, unknown>,
  options: CallOptions = {},
): Promise<unknown> {
  const now = services.clock.now();
  if (operation.scope === "public") {
    if (operation.owners_only === true && caller.type === "key")
      throw fail("permission_denied", { message: ownersOnly });
    const ctx = contextOf(services, caller, now, options, undefined, undefined);
    return finish(operation, await operation.run(ctx, validate(operation, raw)));
  }
  if (caller.type !== "key") throw fail("invalid_api_key");

  const inbox = await inboxInScope(services, caller, operation, raw);
  checkPermission(caller, operation);
  const input = validate(operation, raw);
  if (operation.scope === "inbox" && inbox === undefined) throw inboxNotFound(raw["inbox_id"]);

  const { idempotency_key: key } = options;
  const { account_id } = caller;
  const keyed =
    key === undefined || operation.idempotent !== true
      ? undefined
      : { account_id, key, fingerprint: fingerprintOf(name, raw) };
  const ctx = contextOf(services, caller, now, options, keyed, inbox);
  const replayed = await operation.replay?.(ctx, input);
  if (replayed !== undefined) return finish(operation, { ...(replayed as object), idempotent: true });
  const run = () => operation.run(ctx, input) as Promise<Record<string, unknown>>;
  return finish(operation, keyed === undefined ? await run() : await answerOnce(services, keyed, now, run));
}

/** One context for every scope: what a scope is not promised is undefined, and its type doesn't show it. */
function contextOf(
  services: Services,
  caller: Caller,
  now: Date,
  options: CallOptions,
  keyed: KeyedCall | undefined,
  inbox: InboxRecord | undefined,
): InboxContext {
  const account_id = caller.type === "key" ? caller.account_id : "";
  return {
    ...services,
    caller,
    now,
    signal: options.signal,
    keyed,
    account_id,
    inbox,
    transaction: (run) => unitOfWork(services, account_id, now, run),
  } as InboxContext;
}

/** The inbox that the call names, and a 404 before anything else for a scoped key that names another. */
async function inboxInScope(
  services: Services,
  caller: KeyCaller,
  operation: Operation,
  raw: Record<string, unknown>,
): Promise<InboxRecord | undefined> {
  const named = raw["inbox_id"];
  if (operation.scope === "inbox") {
    const inbox =
      typeof named === "string"
        ? await findInbox(services, caller.account_id, named, operation.inbox_by_name === true)
        : undefined;
    if (caller.inbox_id !== null && inbox?.id !== caller.inbox_id) throw inboxNotFound(named);
    return inbox;
  }
  if (caller.inbox_id === null) return undefined;
  const others = raw["inbox_ids"];
  if (typeof named === "string" && named !== caller.inbox_id) throw inboxNotFound(named);
  if (Array.isArray(others) && others.some((id) => id !== caller.inbox_id))
    throw fail("inbox_not_found", { param: "inbox_ids" });
  return undefined;
}

function checkPermission(caller: KeyCaller, operation: Operation): void {
  if (operation.allow !== "any" && !holdsAny(caller.permissions, operation.allow)) {
    throw fail("permission_denied", { param: operation.allow[0] ?? "permissions" });
  }
  if (operation.scope === "account" && caller.inbox_id !== null) {
    throw fail("permission_denied", {
      param: "inbox_id",
      message: "The key is held to one inbox, and this is about the whole account.",
    });
  }
}

function validate(operation: Operation, raw: Record<string, unknown>): Record<string, unknown> {
  const unknown = Object.keys(raw).find((field) => !Object.hasOwn(operation.input.shape, field));
  if (unknown !== undefined) throw fail("unknown_parameter", { param: unknown });
  const parsed = operation.input.safeParse(raw);
  if (parsed.success) return parsed.data;
  throw failureOf(parsed.error);
}

/** The catalogue's failure for what a schema found first: a schema's error text is an error code. */
export function failureOf(error: z.ZodError): Error {
  const issue = error.issues[0];
  const path = issue?.path.join(".") ?? "";
  if (issue?.code === "unrecognized_keys")
    return fail("unknown_parameter", { param: [path, issue.keys[0]].filter(Boolean).join(".") });
  const said = issue?.code === "invalid_key" ? (issue.issues[0]?.message ?? "") : (issue?.message ?? "");
  const code: ErrorCode = isErrorCode(said) ? said : "invalid_request";
  const details = path === "" ? {} : { param: path };
  if (code !== "invalid_request") return fail(code, details);
  return fail(code, { ...details, message: `${path === "" ? "The request" : path} is not valid: ${said}.` });
}

function finish(operation: Operation, answer: unknown): unknown {
  return (operation.answers ?? "json") === "json" ? operation.output.parse(answer) : answer;
}

/** A 404 that tells a mistyped id from an unknown one (decisions, section 2). */
export function notFound(code: ErrorCode, prefix: Parameters<typeof isId>[0], id: unknown): Error {
  const mistyped = typeof id === "string" && looksLikeId(id) && !isId(prefix, id);
  return fail(
    code,
    mistyped
      ? { fix: "The id looks mistyped: its check character is wrong. Copy it whole from an earlier answer." }
      : {},
  );
}

const inboxNotFound = (id: unknown): Error => notFound("inbox_not_found", "inb", id);
