import { expect, test } from "vitest";
import { afterFailure, checkClaim, isClaimed, repeatsReport } from "./rules.ts";

const now = "2026-01-01T00:00:00.000Z";
const later = "2026-01-01T00:00:00.001Z";
const held = { claim: { expires_at: later }, claim_token: "hash", status: "in_progress" as const };

test("a task is claimed until its lease ends", () => {
  expect(isClaimed(held, now)).toBe(true);
  expect(isClaimed(held, later)).toBe(false);
  expect(isClaimed({ claim: null }, now)).toBe(false);
});

test("a report needs the token and a live lease", () => {
  expect(() => checkClaim(held, "hash", now)).not.toThrow();
  expect(() => checkClaim(held, "other", now)).toThrow(/hold/);
  expect(() => checkClaim(held, "hash", later)).toThrow(/hold/);
});

test("a report is repeated when the same worker ended the claim the same way", () => {
  const ended = { claim: null, claim_token: "hash", status: "done" as const };
  expect(repeatsReport(ended, "hash", "done")).toBe(true);
  expect(repeatsReport(ended, "hash", "pending")).toBe(false);
  expect(repeatsReport(ended, "other", "done")).toBe(false);
  expect(repeatsReport({ ...ended, claim: held.claim }, "hash", "done")).toBe(false);
});

test("the fifth failure is the last", () => {
  expect(afterFailure({ attempts: 4 })).toEqual({ status: "pending", result: null });
  expect(afterFailure({ attempts: 5 })).toEqual({ status: "done", result: '"failed"' });
});
