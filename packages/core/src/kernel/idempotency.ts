import { hash } from "node:crypto";
import { fail } from "../catalogue/errors.ts";
import { limits } from "../catalogue/limits.ts";
import { iso } from "../model/fields.ts";
import type { IdempotencyRecord } from "../model/idempotency.ts";
import type { StorageReader, StorageWriter } from "../ports/storage.ts";

/** A call under an Idempotency-Key: `settle` keeps its answer in the transaction of its effect. */
export type KeyedCall = Pick<IdempotencyRecord, "account_id" | "key" | "fingerprint">;

/** The fingerprints of the calls that this process is at, by account and key. */
export type CallsInProgress = Map<string, string>;

type Answer = Record<string, unknown>;

const keyForm = /^[A-Za-z0-9\-._~]{1,256}$/;

/**
 * Whether two calls ask the same: operation and input, whatever the order of their keys (decisions, section
 * 1).
 */
export function fingerprintOf(operation: string, input: unknown): string {
  return hash("sha256", `${operation}\n${canonicalJson(input)}`);
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
 * Answers a call under an Idempotency-Key: as the call did that succeeded with it within 24 hours, then
 * `idempotent`, else by `run`, which keeps its answer with its effect. Fails with `invalid_idempotency_key`,
 * `idempotency_key_conflict`, or `idempotency_request_in_progress` while this process is at another call with
 * the key.
 */
export async function answerOnce(
  { storage, callsInProgress }: { storage: StorageReader; callsInProgress: CallsInProgress },
  call: KeyedCall,
  now: Date,
  run: () => Promise<Answer>,
): Promise<Answer> {
  if (!keyForm.test(call.key)) throw fail("invalid_idempotency_key", { param: "Idempotency-Key" });
  const kept = await keptAnswer(storage, call, now);
  if (kept !== undefined) return kept;
  const name = `${call.account_id} ${call.key}`;
  checkSame(call, callsInProgress.get(name));
  if (callsInProgress.has(name)) throw inProgress();
  callsInProgress.set(name, call.fingerprint);
  try {
    return await run();
  } catch (error) {
    // In another process the same call may have been first: then its effect is what this one failed at.
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
 * Keeps a call's answer, in the transaction of its effect: both are there, or neither. Fails when another
 * call with the key had its effect first, so that this one has none.
 */
export async function keepAnswer(
  tx: StorageWriter,
  call: KeyedCall,
  response: Answer,
  now: Date,
): Promise<void> {
  const expires_at = iso(new Date(now.getTime() + limits.idempotency_window_ms));
  const { inserted } = await tx.insert("idempotency", { ...call, response, expires_at });
  if (inserted) return;
  const { account_id, key, fingerprint } = call;
  // The time is the guard: in an embedder's transaction another call, or the sweep, may have come between.
  const over = { account_id, key, expires_at: { lte: iso(now) } };
  const [renewed] = await tx.update("idempotency", over, { fingerprint, response, expires_at });
  if (renewed === undefined) throw inProgress();
}

const inProgress = () => fail("idempotency_request_in_progress", { retry_after_seconds: 1 });

function checkSame({ fingerprint }: Pick<KeyedCall, "fingerprint">, other: string | undefined): void {
  if (other !== undefined && other !== fingerprint)
    throw fail("idempotency_key_conflict", { param: "Idempotency-Key" });
}
