import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Served, serve } from "../../testing/serve.ts";

let served: Served;
beforeAll(async () => {
  served = await serve({});
});
afterAll(() => served.close());

async function statusFor(authorization: string[]): Promise<number | undefined> {
  const sent = request(`${served.base_url}/api/v1/me`);
  sent.setHeader("authorization", authorization);
  sent.end();
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}

test("a repeated header is not read as either of its values", async () => {
  const { api_key } = await served.signUp("ada");
  expect(await statusFor([`Bearer ${api_key}`])).toBe(200);
  expect(await statusFor([`Bearer ${api_key}`, "Bearer another"])).toBe(401);
  expect(await statusFor([`Bearer ${api_key}`, `Bearer ${api_key}`])).toBe(401);
});

test("HEAD on a stream answers its headers once and leaves no wait behind", async () => {
  const { api_key } = await served.signUp("grace");
  const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const headers = { authorization: `Bearer ${api_key}` };
  const { status, headers: answered } = await fetch(`${served.base_url}/api/v1/tasks/stream`, {
    method: "HEAD",
    headers,
  });
  expect([status, answered.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"]);
  const held = { where: { expires_at: { gt: served.clock.now().toISOString() } }, limit: 10 };
  await expect.poll(() => served.letterslot.services.storage.find("slots", held)).toEqual([]);
  expect(errors).not.toHaveBeenCalled();
  errors.mockRestore();
});
