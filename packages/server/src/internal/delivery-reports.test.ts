import { afterAll, beforeAll, expect, test } from "vitest";
import { type Served, serve } from "../../testing/serve.ts";

const SECRET = "a-secret-that-both-sides-know";
let served: Served;
beforeAll(async () => {
  served = await serve({ reportsSecret: SECRET });
});
afterAll(() => served?.close());

const post = (body: unknown, secret = SECRET, base_url = served.base_url) =>
  fetch(`${base_url}/api/v1/internal/delivery-reports`, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
const report = {
  provider_id: "x",
  recipient: "ada@example.com",
  type: "bounced",
  at: "2026-01-01T00:00:00Z",
};
const codeOf = async (response: Response) =>
  ((await response.json()) as { error: { code: string } }).error.code;

test("takes at most a thousand reports, with the operator's secret alone", async () => {
  const ok = await post({ reports: [report] });
  expect([ok.status, await ok.json()]).toEqual([
    200,
    { object: "delivery_reports", accepted: 0, repeated: 0, ignored: 1 },
  ]);
  expect(await codeOf(await post({ reports: [report] }, "guessed"))).toBe("invalid_operator_secret");
  expect((await post({ reports: Array.from({ length: 1_000 }, () => report) })).status).toBe(200);
  for (const wrong of [
    { reports: [] },
    { reports: Array.from({ length: 1_001 }, () => report) },
    { reports: [{ ...report, message_id: "<x@y>" }] },
    { reports: [{ ...report, provider_id: undefined }] },
    { reports: [{ ...report, type: "opened" }] },
    { reports: [{ ...report, at: "yesterday" }] },
    { reports: [{ ...report, more: 1 }] },
  ])
    expect((await post(wrong)).status).toBe(400);
  expect((await post(`{"reports":[${JSON.stringify(report)}],"x":"${"x".repeat(1_100_000)}"}`)).status).toBe(
    413,
  );
});

test("is not there without a secret", async () => {
  const without = await serve();
  expect((await post({ reports: [report] }, SECRET, without.base_url)).status).toBe(404);
  await without.close();
});
