import type { z } from "zod";
import { type ErrorCode, fail, isErrorCode, LetterslotError } from "../catalogue/errors.ts";
import { isId, looksLikeId } from "../catalogue/ids.ts";
import { holdsAny } from "../catalogue/permissions.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import { type AccountCaller, AGENTS, type Caller, reachesInbox } from "./caller.ts";
import type { Services } from "./context.ts";
import { answerOnce, fingerprintOf, type KeyedCall } from "./idempotency.ts";
import { findInbox } from "./inbox/find.ts";
import { omitNulls } from "./omit-nulls.ts";
import type { Operation } from "./operation.ts";
import { readableBy } from "./readable-by.ts";
import { checkNotSuspended } from "./suspended.ts";
import { unitOfWork } from "./unit-of-work.ts";

/** What a call carries besides its input. */
export interface CallOptions {
  idempotency_key?: string;
  signal?: AbortSignal;
}

/**
 * The only way to call an operation. Checks in this order: the caller, whether the account is suspended, the inbox
 * scope, the permission, the input, the record, idempotency. Parses the answer with the output schema, so
 * that it contains nothing else; what an earlier call made is shown to those who may read it.
 */
export async function callOperation(
  services: Services,
  caller: Caller,
  name: string,
  operation: Operation,
  given: Record<string, unknown>,
  options: CallOptions = {},
): Promise<unknown> {
  const now = services.clock.now();
  const raw = omitNulls(operation.input, given);
  checkCaller(caller, operation);
  if (operation.scope === "public") {
    if (operation.in_account === true && caller.type !== "public") {
      await inboxUnlessSuspended(services, caller, operation, raw);
      checkPermission(caller, operation);
    }
    checkKeyed(operation, options);
    const input = validate(operation, raw);
    const letter = await letterOf(services, operation, input, now);
    const ctx = contextOf(services, caller, now, options, { letter });
    return finish(operation, await operation.run(ctx, input));
  }
  if (caller.type === "public") throw fail("invalid_api_key");

  const inbox = await inboxUnlessSuspended(services, caller, operation, raw);
  checkPermission(caller, operation);
  operation.authorize?.(caller, raw, inbox);
  checkKeyed(operation, options);
  const input = validate(operation, raw);
  if (operation.scope === "inbox" && inbox === undefined) throw inboxNotFound(raw["inbox_id"]);

  const { idempotency_key: key } = options;
  const { account_id } = caller;
  const keyed =
    key === undefined || operation.idempotent !== true
      ? undefined
      : { account_id, key, fingerprint: await fingerprintOf(services, name, raw) };
  const ctx = contextOf(services, caller, now, options, { keyed, inbox });
  const replayed = await operation.replay?.(ctx, input);
  if (replayed !== undefined)
    return readableBy(caller, finish(operation, { ...(replayed as object), idempotent: true }));
  const run = () => operation.run(ctx, input) as Promise<Record<string, unknown>>;
  const answer = keyed === undefined ? await run() : await answerOnce(services, keyed, now, run);
  const shown = finish(operation, answer);
  return answer["idempotent"] === true ? readableBy(caller, shown) : shown;
}

/**
 * Checks what can be told of a call before its input has been received: the kind of caller, the inbox scope
 * and the permission, in the order of `callOperation`, which checks them again. `known` are the fields of the
 * path; for an operation whose path doesn't name an inbox, only the kind of caller is checked.
 */
export async function admitCall(
  services: Services,
  caller: Caller,
  operation: Operation,
  known: Record<string, unknown>,
): Promise<void> {
  checkCaller(caller, operation);
  if (operation.scope !== "inbox" || known["inbox_id"] === undefined) return;
  if (caller.type === "public") throw fail("invalid_api_key");
  await inboxInScope(services, caller, operation, known);
  checkPermission(caller, operation);
}

/**
 * Whether a caller may call an operation at all: what `callOperation` asks before it looks at the input. A
 * particular call may still be refused.
 */
export function mayCall(
  caller: Pick<AccountCaller, "type" | "permissions" | "inbox_ids">,
  operation: Operation,
): boolean {
  try {
    checkCaller(caller, operation);
    checkPermission(caller, operation);
    operation.authorize?.(caller as AccountCaller, {}, undefined);
    return true;
  } catch (error) {
    if (error instanceof LetterslotError) return false;
    throw error;
  }
}

type AnyContext = Parameters<Operation<"inbox">["run"]>[0];

/** One context for every scope: what a scope doesn't have is undefined, and hidden by its type. */
function contextOf(
  services: Services,
  caller: Caller,
  now: Date,
  options: CallOptions,
  found: { keyed?: KeyedCall | undefined; inbox?: InboxRecord | undefined; letter?: unknown },
): AnyContext {
  const account_id = caller.type === "public" ? "" : caller.account_id;
  return {
    ...services,
    ...found,
    caller,
    now,
    signal: options.signal,
    account_id,
    transaction: (run: Parameters<AnyContext["transaction"]>[0]) =>
      unitOfWork(services, account_id, now, run),
  } as unknown as AnyContext;
}

/** Checks the kind of caller. Fails with `owner_only`, `key_only` or `invalid_api_key`. */
function checkCaller(caller: Pick<Caller, "type">, { callers }: Operation): void {
  if (callers === undefined || callers.includes(caller.type)) return;
  if (caller.type === "public") throw fail(callers.includes("key") ? "invalid_api_key" : "session_required");
  throw fail(AGENTS.some((type) => type === caller.type) ? "owner_only" : "key_only");
}

/** The subject of the letter token in the input, for operations that belong to a letter. */
async function letterOf(
  services: Services,
  { letter }: Operation,
  { token }: Record<string, unknown>,
  now: Date,
): Promise<unknown> {
  if (letter === undefined || typeof token !== "string") return undefined;
  return services.letterTokens[letter](services, token, now);
}

/**
 * The inbox that the call names, as `inboxInScope` finds it. Fails first with `account_suspended`, where
 * suspension shuts the operation; both are read at once.
 */
async function inboxUnlessSuspended(
  services: Services,
  caller: AccountCaller,
  operation: Operation,
  raw: Record<string, unknown>,
): Promise<InboxRecord | undefined> {
  const inbox = inboxInScope(services, caller, operation, raw);
  // Awaited below, unless the account is suspended.
  inbox.catch(() => undefined);
  if (endsWithSuspension(operation)) await checkNotSuspended(services, caller.account_id);
  return inbox;
}

/** Suspension shuts what agents can call, but for what says otherwise; owners' own acts stay open. */
const endsWithSuspension = ({ callers, while_suspended }: Operation): boolean =>
  while_suspended !== true && (callers === undefined || AGENTS.some((type) => callers.includes(type)));

/** The inbox that the call names. Fails with a 404 first when a scoped key names another inbox. */
async function inboxInScope(
  services: Services,
  caller: AccountCaller,
  operation: Operation,
  raw: Record<string, unknown>,
): Promise<InboxRecord | undefined> {
  const named = raw["inbox_id"];
  if (operation.scope === "inbox") {
    const inbox =
      typeof named === "string"
        ? await findInbox(services, caller.account_id, named, mayBeNamed(operation, named))
        : undefined;
    if (caller.inbox_ids !== null && (inbox === undefined || !reachesInbox(caller, inbox.id)))
      throw inboxNotFound(named);
    return inbox;
  }
  if (caller.inbox_ids === null) return undefined;
  const others = raw["inbox_ids"];
  if (typeof named === "string" && !reachesInbox(caller, named)) throw inboxNotFound(named);
  if (Array.isArray(others) && others.some((id) => !reachesInbox(caller, id)))
    throw fail("inbox_not_found", { param: "inbox_ids" });
  return undefined;
}

/** Whether an operation takes this name of an inbox in place of its id. */
const mayBeNamed = ({ inbox_by_name }: Operation, named: string): boolean =>
  inbox_by_name === true || (inbox_by_name !== undefined && named.toLowerCase() === inbox_by_name);

function checkPermission(
  caller: Pick<AccountCaller, "permissions" | "inbox_ids">,
  operation: Operation,
): void {
  const { allow } = operation;
  if (allow !== "any" && !holdsAny(caller.permissions, allow))
    throw fail("permission_denied", allow[0] === undefined ? {} : { param: allow[0] });
  if (operation.scope === "account" && caller.inbox_ids !== null) {
    // No permission would do, so `param` names none.
    throw fail("permission_denied", {
      message: "This key is limited to single inboxes; this operation needs the whole account.",
    });
  }
}

/** A write that can't honour an Idempotency-Key says so: its caller would repeat it. */
function checkKeyed({ effect, idempotent }: Operation, { idempotency_key }: CallOptions): void {
  if (idempotency_key !== undefined && effect === "write" && idempotent !== true)
    throw fail("idempotency_not_supported", { param: "Idempotency-Key" });
}

function validate(operation: Operation, raw: Record<string, unknown>): Record<string, unknown> {
  const unknown = Object.keys(raw).find((field) => !Object.hasOwn(operation.input.shape, field));
  if (unknown !== undefined) throw fail("unknown_parameter", { param: unknown });
  const parsed = operation.input.safeParse(raw);
  if (parsed.success) return parsed.data;
  throw failureOf(parsed.error);
}

/** The error for a schema's first issue. A schema's error text is an error code. */
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
  const { answers, already_shown = answers !== undefined, output } = operation;
  return already_shown ? answer : output.parse(answer);
}

/** A 404 that distinguishes a mistyped id from an unknown one. */
export function notFound(code: ErrorCode, prefix: Parameters<typeof isId>[0], id: unknown): Error {
  const mistyped = typeof id === "string" && looksLikeId(id) && !isId(prefix, id);
  return fail(
    code,
    mistyped
      ? {
          fix: "The id seems mistyped: its check character is wrong. Copy the whole id from an earlier answer.",
        }
      : {},
  );
}

const inboxNotFound = (id: unknown): Error => notFound("inbox_not_found", "inb", id);
