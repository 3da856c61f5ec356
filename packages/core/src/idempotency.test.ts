import { expect, test } from "vitest";
import { createMemoryStorage } from "../testing/memory-storage.ts";
import { claimKey, type IdempotencyClaim, settleKey } from "./idempotency.ts";
import { limits } from "./limits.ts";

const start = new Date("2026-01-01T00:00:00.000Z");
const later = new Date(start.getTime() + limits.idempotency_lease_ms);
const call = (lease: string) => ({ account_id: "acct_1", key: "k", fingerprint: "f", lease });
const inProgress = { code: "idempotency_request_in_progress" };

function open() {
  const storage = createMemoryStorage();
  const settle = (claim: IdempotencyClaim, said: string) => storage.transaction((tx) => settleKey(tx, claim, { said }));
  return { storage, settle };
}

test("a key is with the call that has it for as long as its lease, and then with one other", async () => {
  const { storage, settle } = open();
  const first = await claimKey(storage, call("first"), start);
  await expect(claimKey(storage, call("second"), new Date(later.getTime() - 1))).rejects.toMatchObject(inProgress);
  const [second, third] = await Promise.allSettled([
    claimKey(storage, call("second"), later),
    claimKey(storage, call("third"), later),
  ]);
  expect([second.status, third.status]).toEqual(["fulfilled", "rejected"]);
  expect(third).toMatchObject({ reason: inProgress });
  await settle(call("second"), "by the second");
  expect(first).toMatchObject({ claim: { lease: "first" } });
  expect(await claimKey(storage, call("fourth"), later)).toEqual({ response: { said: "by the second" } });
});

test("a call whose key went to another has no effect", async () => {
  const { storage, settle } = open();
  await claimKey(storage, call("first"), start);
  await claimKey(storage, call("second"), later);
  await expect(settle(call("first"), "too late")).rejects.toMatchObject(inProgress);
  expect(await storage.find("idempotency", { where: {}, limit: 2 })).toMatchObject([{ lease: "second", response: null }]);
});
