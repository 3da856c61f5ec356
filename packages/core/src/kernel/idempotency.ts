import { createHash, hash } from "node:crypto";
import { fail } from "../catalogue/errors.ts";
import { LIMITS } from "../catalogue/limits.ts";
import { iso } from "../model/fields.ts";
import type { IdempotencyRecord } from "../model/idempotency.ts";
import type { StorageReader, StorageWriter } from "../ports/storage.ts";
import { isLongJson, jsonTexts } from "./json-texts.ts";
import type { Work } from "./work.ts";

/** A call with an Idempotency-Key; `recordIdempotentAnswer` stores its answer. */
export type KeyedCall = Pick<IdempotencyRecord, "account_id" | "key" | "fingerprint">;

/** Fingerprints of the calls that this process is running, by account and key. */
export type CallsInProgress = Map<string, string>;

type Answer = Record<string, unknown>;

const KEY_FORM = /^[A-Za-z0-9\-._~]{1,256}$/;

/** Longer input is hashed over several turns of the event loop, so many characters in each. */
const HASHED_PER_TURN_CHARS = 1_000_000;

/**
 * A hash of the operation and its input, independent of key order; equal calls have equal fingerprints. Lets
 * others have the event loop while it hashes long input.
 */
export async function fingerprintOf(
  { yieldToEventLoop }: { yieldToEventLoop: () => Promise<void> },
  operation: string,
  input: unknown,
): Promise<string> {
  if (!isLongJson(input, HASHED_PER_TURN_CHARS))
    return hash("sha256", `${operation}\n${canonicalJson(input)}`);
  const hashed = createHash("sha256").update(`${operation}\n`);
  let left = HASHED_PER_TURN_CHARS;
  for (const text of jsonTexts(input, { sorted: true })) {
    hashed.update(text);
    left -= text.length;
    if (left > 0) continue;
    await yieldToEventLoop();
    left = HASHED_PER_TURN_CHARS;
  }
  return hashed.digest("hex");
}

/** JSON with sorted keys and without undefined values. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  fields.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`).join(",")}}`;
}

/**
 * Runs a call with an Idempotency-Key at most once: when a call with the key succeeded within 24 hours,
 * returns its answer with `idempotent: true`; otherwise calls `run`, which stores its answer with its effect.
 * Fails with `invalid_idempotency_key`, `idempotency_key_conflict`, or `idempotency_request_in_progress`
 * while this process runs another call with the key.
 */
export async function answerOnce(
  { storage, callsInProgress }: { storage: StorageReader; callsInProgress: CallsInProgress },
  call: KeyedCall,
  now: Date,
  run: () => Promise<Answer>,
): Promise<Answer> {
  if (!KEY_FORM.test(call.key)) throw fail("invalid_idempotency_key", { param: "Idempotency-Key" });
  const kept = await keptAnswer(storage, call, now);
  if (kept !== undefined) return kept;
  const name = `${call.account_id} ${call.key}`;
  checkSame(call, callsInProgress.get(name));
  if (callsInProgress.has(name)) throw inProgress();
  callsInProgress.set(name, call.fingerprint);
  try {
    return await run();
  } catch (error) {
    // The same call may have succeeded in another process, and made this one fail.
    const first = await keptAnswer(storage, call, now);
    if (first === undefined) throw error;
    return first;
  } finally {
    callsInProgress.delete(name);
  }
}

async function keptAnswer(
  storage: StorageReader,
  { account_id, key, fingerprint }: KeyedCall,
  now: Date,
): Promise<Answer | undefined> {
  const [kept] = await storage.find("idempotency", { where: { account_id, key }, limit: 1 });
  if (kept === undefined || kept.expires_at <= iso(now)) return undefined;
  checkSame({ fingerprint }, kept.fingerprint);
  return { ...kept.response, idempotent: true };
}

/**
 * Stores a call's answer in the transaction of its effect. Fails with `idempotency_request_in_progress` when
 * another call with the key was first, so that this one has no effect.
 */
export async function keepAnswer(
  tx: StorageWriter,
  call: KeyedCall,
  response: Answer,
  now: Date,
): Promise<void> {
  const expires_at = iso(new Date(now.getTime() + LIMITS.idempotency_window_ms));
  const { inserted } = await tx.insert("idempotency", { ...call, response, expires_at });
  if (inserted) return;
  const { account_id, key, fingerprint } = call;
  // The condition on the time guards against another call, or the sweep, coming in between.
  const over = { account_id, key, expires_at: { lte: iso(now) } };
  const [renewed] = await tx.update("idempotency", over, { fingerprint, response, expires_at });
  if (renewed === undefined) throw inProgress();
}

/**
 * Stores an idempotent operation's answer in the transaction of its effect. Does nothing without an
 * Idempotency-Key.
 */
export async function recordIdempotentAnswer(
  { keyed, now }: { keyed: KeyedCall | undefined; now: Date },
  tx: StorageWriter,
  answer: Answer,
): Promise<void> {
  if (keyed !== undefined) await keepAnswer(tx, keyed, answer, now);
}

/**
 * Runs an operation's one transaction: its result is the call's answer, stored with its effect. `kept` is what
 * of the answer may be stored; all of it by default.
 */
export function answerInTransaction<T extends Answer>(
  ctx: {
    keyed: KeyedCall | undefined;
    now: Date;
    transaction<R>(run: (work: Work) => Promise<R>): Promise<R>;
  },
  run: (work: Work) => Promise<T>,
  kept: (answer: T) => Answer = (answer) => answer,
): Promise<T> {
  return ctx.transaction(async (work) => {
    const answer = await run(work);
    await recordIdempotentAnswer(ctx, work, kept(answer));
    return answer;
  });
}

const inProgress = () => fail("idempotency_request_in_progress", { retry_after_seconds: 1 });

function checkSame({ fingerprint }: Pick<KeyedCall, "fingerprint">, other: string | undefined): void {
  if (other !== undefined && other !== fingerprint)
    throw fail("idempotency_key_conflict", { param: "Idempotency-Key" });
}
