import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Served, serve } from "../testing/serve.ts";

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

test("a header that comes twice is not read as one of the two", async () => {
  const { api_key } = await served.signUp("ada");
  expect(await statusFor([`Bearer ${api_key}`])).toBe(200);
  expect(await statusFor([`Bearer ${api_key}`, "Bearer another"])).toBe(401);
  expect(await statusFor([`Bearer ${api_key}`, `Bearer ${api_key}`])).toBe(401);
});
