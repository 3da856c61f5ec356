import { afterEach, beforeEach, expect, test } from "vitest";
import { type Served, serve } from "../../testing/serve.ts";

let served: Served;
beforeEach(async () => {
  served = await serve();
});
afterEach(() => served.close());

const published = async () => {
  const answer = await served.fetch(`${served.base_url}/.well-known/approval-keys.json`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  expect(answer.headers.get("cache-control")).toBe("max-age=300");
  return ((await answer.json()) as { keys: Record<string, unknown>[] }).keys;
};

test("the public keys of receipts are anybody's to read; those that were rotated out stay, and say since when", async () => {
  const [first, ...none] = await published();
  expect(none).toEqual([]);
  expect(first).toMatchObject({ kty: "OKP", crv: "Ed25519", kid: expect.any(String), retired_at: null });
  expect(first).not.toHaveProperty("d");
  await served.letterslot.operator.approvalKeys.rotate();
  const both = await published();
  expect(both.map(({ kid, retired_at }) => [kid === first?.["kid"], retired_at === null])).toEqual([
    [true, false],
    [false, true],
  ]);
});
