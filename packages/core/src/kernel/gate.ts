import { type ErrorCode, fail, LetterslotError } from "../catalogue/errors.ts";
import { isId, looksLikeId } from "../catalogue/ids.ts";
import { holdsAny, PERMISSION_NAMES } from "../catalogue/permissions.ts";
import type { Download, StreamedDownload } from "../model/attachments.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import { type AccountCaller, AGENTS, type Caller, callerId, reachesInbox } from "./access/caller.ts";
import { readableBy } from "./access/readable-by.ts";
import type { Rights } from "./access/rights.ts";
import { checkNotSuspended } from "./access/suspended.ts";
import { isHeardOf } from "./addresses/reachable.ts";
import type { Services } from "./context.ts";
import { answerOnce, fingerprintOf, type KeyedCall } from "./idempotency.ts";
import { findInbox, findTrashedInbox } from "./inbox/find.ts";
import { checkInput } from "./input/check-input.ts";
import { omitNulls } from "./input/omit-nulls.ts";
import type { LetterSubject, LetterSubjects } from "./letters/letter-token.ts";
import type { Operation } from "./operation.ts";
import { unitOfWork } from "./unit-of-work.ts";

/** The options of a call besides its input. */
export interface CallOptions {
  /** Makes a repeated call answer what the first one did, within 24 hours; for operations that are `idempotent`. */
  idempotencyKey?: string;
  /** Ends the call's wait, as when its caller hangs up. */
  signal?: AbortSignal;
}

/** The options of a call whose answer is sent on. */
export interface SentOn extends CallOptions {
  /** A download may come as a stream that is read as it is sent, rather than as all its bytes. */
  streamed?: true;
}

/**
 * Calls an operation; there is no other way to do so. Checks in this order: the caller, whether the account is
 * suspended, the inbox scope, the permission, the input, the record, idempotency. Parses the answer with the output
 * schema, so that it contains nothing else; replays an earlier call's result only to callers who may read it.
 */
export async function callOperation(
  services: Services,
  caller: Caller,
  name: string,
  operation: Operation,
  given: Record<string, unknown>,
  options: SentOn = {},
): Promise<unknown> {
  const now = services.clock.now();
  const raw = withoutNulls(operation, given);
  checkCaller(caller, operation);
  if (operation.scope === "public") {
    if (operation.in_account === true && caller.type !== "public") {
      await inboxUnlessSuspended(services, caller, operation, raw);
      checkPermission(caller, operation);
    }
    checkKeyed(operation, options);
    const input = checkInput(operation, raw);
    const letter = await letterOf(services, operation, input, now);
    const ctx = contextOf(services, caller, now, options, { letter });
    return finish(operation, await collected(operation, await operation.run(ctx, input), options));
  }
  if (caller.type === "public") throw fail("invalid_api_key");

  const inbox = await inboxUnlessSuspended(services, caller, operation, raw);
  checkPermission(caller, operation);
  operation.authorize?.(caller, raw, inbox);
  checkKeyed(operation, options);
  const input = checkInput(operation, raw);
  if (operation.scope === "inbox" && inbox === undefined) throw inboxNotFound(raw["inbox_id"]);

  const { idempotencyKey: key } = options;
  const { account_id } = caller;
  const keyed =
    key === undefined || operation.idempotent !== true
      ? undefined
      : { account_id, key, fingerprint: await fingerprintOf(services, name, raw) };
  const rights = rightsOf(services, caller, name, operation, raw);
  const ctx = contextOf(services, caller, now, options, { keyed, inbox, rights });
  const replayed = await operation.replay?.(ctx, input);
  if (replayed !== undefined)
    return readableBy(caller, finish(operation, { ...(replayed as object), idempotent: true }));
  const run = () => operation.run(ctx, input) as Promise<Record<string, unknown>>;
  const answer = keyed === undefined ? await run() : await answerOnce(services, keyed, now, run);
  const shown = finish(operation, await collected(operation, answer, options));
  return answer["idempotent"] === true ? readableBy(caller, shown) : shown;
}

/**
 * Makes the checks that don't need a call's input: the kind of caller, the inbox scope and the permission, in the order
 * of `callOperation`, which repeats them. `known` are the fields of the path; for an operation whose path doesn't name
 * an inbox, only the kind of caller is checked.
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
 * Whether a caller may call an operation at all: the checks of `callOperation` that precede the input. A particular
 * call may still be refused.
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

/** Creates one context for every scope: the parts that a scope lacks are undefined, and hidden by its type. */
function contextOf(
  services: Services,
  caller: Caller,
  now: Date,
  options: CallOptions,
  found: {
    keyed?: KeyedCall | undefined;
    inbox?: InboxRecord | undefined;
    letter?: unknown;
    rights?: Rights;
  },
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

/** Creates the check that a long-running call repeats: it renews the caller and repeats the gate's checks. */
function rightsOf(
  services: Services,
  caller: AccountCaller,
  name: string,
  operation: Operation,
  raw: Record<string, unknown>,
): Rights {
  const others = operation.scope === "inbox" ? [] : [raw["inbox_id"], raw["inbox_ids"]].flat();
  const check = async () => {
    const renewed = await services.renewCaller(services, caller);
    checkCaller(renewed, operation);
    checkKeepsReach(caller, renewed);
    const inbox = await inboxUnlessSuspended(services, renewed, operation, raw);
    checkPermission(renewed, operation);
    operation.authorize?.(renewed, raw, inbox);
    if (operation.scope === "inbox" && inbox === undefined) throw inboxNotFound(raw["inbox_id"]);
    for (const id of others)
      if (typeof id === "string" && (await findInbox(services, renewed.account_id, id, false)) === undefined)
        throw inboxNotFound(id);
  };
  const sharedName = () => {
    const { type, account_id, permissions, inbox_ids } = caller;
    const id = type === "app" ? caller.token_hash : callerId(caller);
    const named = [raw["inbox_id"], raw["inbox_ids"]];
    return JSON.stringify([name, named, type, id, account_id, permissions, inbox_ids]);
  };
  return { check, watch: (onEnd) => services.rightsWatch.watch(sharedName(), check, onEnd) };
}

/** Fails when a caller may read less than when its call began, because the call's results were chosen by that reach. */
function checkKeepsReach(before: AccountCaller, now: AccountCaller): void {
  const keepsInboxes = before.inbox_ids?.every((id) => reachesInbox(now, id)) ?? now.inbox_ids === null;
  if (!keepsInboxes) throw fail("inbox_not_found");
  const held = now.permissions;
  const lost =
    held === null ? undefined : (before.permissions ?? PERMISSION_NAMES).find((each) => !held.includes(each));
  if (lost !== undefined) throw fail("permission_denied", { param: lost });
}

/** Checks the kind of caller. Fails with `owner_only`, `key_only` or `invalid_api_key`. */
function checkCaller(caller: Pick<Caller, "type">, { callers }: Operation): void {
  if (callers === undefined || callers.includes(caller.type)) return;
  if (caller.type === "public") throw fail(callers.includes("key") ? "invalid_api_key" : "session_required");
  throw fail(AGENTS.some((type) => type === caller.type) ? "owner_only" : "key_only");
}

/** Returns the subject of the letter token in the input, for operations that belong to a letter. */
async function letterOf(
  services: Services,
  { letter }: Operation,
  { token }: Record<string, unknown>,
  now: Date,
): Promise<unknown> {
  if (letter === undefined || typeof token !== "string") return undefined;
  const subject = await services.letterTokens[letter](services, token, now);
  const reader = readerOf(subject);
  if (reader !== undefined) await isHeardOf(services.storage, reader);
  return subject;
}

/** Returns the address of the person who followed a letter's link, if mail to it has bounced lately or may have. */
function readerOf(subject: LetterSubjects[LetterSubject]): string | undefined {
  if ("owner" in subject) return subject.owner.hard_bounces > 0 ? subject.owner.email : undefined;
  return "email" in subject ? subject.email : undefined;
}

/**
 * Returns the inbox that the call names, as `inboxInScope` finds it. Fails first with `account_suspended` if suspension
 * blocks the operation; both are read at once.
 */
async function inboxUnlessSuspended(
  services: Services,
  caller: AccountCaller,
  operation: Operation,
  raw: Record<string, unknown>,
): Promise<InboxRecord | undefined> {
  const inbox = inboxInScope(services, caller, operation, raw);
  // The rejection is handled below, unless the account is suspended.
  inbox.catch(() => undefined);
  if (endsWithSuspension(operation)) await checkNotSuspended(services, caller.account_id);
  return inbox;
}

/**
 * Whether suspension blocks an operation: all that agents can call, unless marked otherwise. Owners' own actions stay
 * open.
 */
const endsWithSuspension = ({ callers, while_suspended }: Operation): boolean =>
  while_suspended !== true && (callers === undefined || AGENTS.some((type) => callers.includes(type)));

/** Returns the inbox that the call names. Fails with a 404 first when a scoped key names another inbox. */
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
        ? ((await findInbox(services, caller.account_id, named, mayBeNamed(operation, named))) ??
          (operation.inbox_in_trash ? await findTrashedInbox(services, caller.account_id, named) : undefined))
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

/** Whether an operation accepts this name of an inbox in place of its id. */
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
    // `param` names no permission, because none would help.
    throw fail("permission_denied", {
      message: "This key is limited to single inboxes; this operation needs the whole account.",
    });
  }
}

/** The input without nulls that mean nothing. In a change they would mean to clear a field that can't be cleared. */
function withoutNulls(
  { input, patches }: Operation,
  given: Record<string, unknown>,
): Record<string, unknown> {
  const kept = omitNulls(input, given);
  if (patches !== true || kept === given) return kept;
  const nulls = Object.entries(given).filter(([, value]) => value === null);
  return nulls.length === 0 ? kept : { ...kept, ...Object.fromEntries(nulls) };
}

/**
 * Rejects an Idempotency-Key on a write that can't honour it, since its caller would rely on it and repeat the call.
 */
function checkKeyed(
  { effect, idempotent }: Operation,
  { idempotencyKey: idempotency_key }: CallOptions,
): void {
  if (idempotency_key !== undefined && effect === "write" && idempotent !== true)
    throw fail("idempotency_not_supported", { param: "Idempotency-Key" });
}

/** A download with all its bytes, unless they are sent on as they are read. */
async function collected({ answers }: Operation, answer: unknown, { streamed }: SentOn): Promise<unknown> {
  if (answers !== "bytes" || streamed === true) return answer;
  const download = answer as Download | StreamedDownload;
  if ("bytes" in download) return download;
  const pieces: Uint8Array[] = [];
  for await (const piece of download.stream) pieces.push(piece);
  return { bytes: Buffer.concat(pieces), headers: download.headers };
}

function finish(operation: Operation, answer: unknown): unknown {
  const { answers, already_shown = answers !== undefined, output } = operation;
  return already_shown ? answer : output.parse(answer);
}

/** Returns a 404 that distinguishes a mistyped id from an unknown one. */
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
