import { hash } from "node:crypto";
import { z } from "zod";
import { fail } from "./errors.ts";
import { limits } from "./limits.ts";
import type { Storage, Transaction } from "./ports/storage.ts";
import { iso, Timestamp } from "./schema.ts";

/** A call under an Idempotency-Key: who may finish it, and, once it has succeeded, what it answered. */
export const IdempotencyRecord = z.object({
  account_id: z.string(),
  key: z.string(),
  fingerprint: z.string(),
  /** Names the call that may finish; null once it has. */
  lease: z.string().nullable(),
  lease_expires_at: Timestamp,
  /** The answer of the call that succeeded. */
  response: z.record(z.string(), z.unknown()).nullable(),
  expires_at: Timestamp,
});
export type IdempotencyRecord = z.infer<typeof IdempotencyRecord>;

/** A claim on a key: the call that holds it settles it in the transaction of its effect. */
export interface IdempotencyClaim {
  account_id: string;
  key: string;
  lease: string;
}

const keyForm = /^[A-Za-z0-9\-._~]{1,256}$/;

/** Whether two calls ask the same: operation and input, whatever the order of their keys (decisions, section 1). */
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
 * Claims a key for a call: answers the claim, or the stored response of the call that succeeded with it. Fails with
 * `invalid_idempotency_key`, `idempotency_key_conflict` or `idempotency_request_in_progress`. A claim whose process died is free
 * again when its lease ends.
 */
export async function claimKey(
  storage: Storage,
  call: { account_id: string; key: string; fingerprint: string; lease: string },
  now: Date,
): Promise<{ claim: IdempotencyClaim } | { response: Record<string, unknown> }> {
  if (!keyForm.test(call.key)) throw fail("invalid_idempotency_key", { param: "Idempotency-Key" });
  const { account_id, key, fingerprint, lease } = call;
  const fresh = {
    account_id,
    key,
    fingerprint,
    lease,
    lease_expires_at: iso(new Date(now.getTime() + limits.idempotency_lease_ms)),
    response: null,
    expires_at: iso(new Date(now.getTime() + limits.idempotency_window_ms)),
  };
  const { record, inserted } = await storage.insert("idempotency", fresh);
  if (inserted) return { claim: { account_id, key, lease } };

  const over = record.expires_at <= iso(now);
  if (!over && record.fingerprint !== fingerprint) throw fail("idempotency_key_conflict", { param: "Idempotency-Key" });
  if (!over && record.response !== null) return { response: record.response };
  if (!over && record.lease_expires_at > iso(now)) throw fail("idempotency_request_in_progress", { retry_after_seconds: 1 });

  // Its window is over, or its process died before its effect was committed: take it over, but only one of us.
  const taken = await storage.update(
    "idempotency",
    { account_id, key, lease_expires_at: record.lease_expires_at, ...(record.lease === null ? {} : { lease: record.lease }) },
    fresh,
  );
  if (taken.length === 0) throw fail("idempotency_request_in_progress", { retry_after_seconds: 1 });
  return { claim: { account_id, key, lease } };
}

/** Writes the answer in the transaction of the effect: both are there, or neither. Fails when another call took the key over. */
export async function settleKey(tx: Transaction, claim: IdempotencyClaim, response: Record<string, unknown>): Promise<void> {
  const settled = await tx.update("idempotency", { ...claim }, { lease: null, response });
  if (settled.length === 0) throw fail("idempotency_request_in_progress", { retry_after_seconds: 1 });
}

/** Gives a key back after a call that failed: only successes are stored. */
export async function releaseKey(storage: Storage, claim: IdempotencyClaim): Promise<void> {
  await storage.delete("idempotency", { ...claim });
}
