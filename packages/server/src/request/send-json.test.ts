import { request } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Served, serve } from "../../testing/serve.ts";

let served: Served;
let key: string;
beforeAll(async () => {
  served = await serve();
  key = (await served.client().accounts.onboard({ username: "ada" })).api_key;
});
afterAll(() => served.close());

function get(path: string, accept?: string): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, ...(accept === undefined ? {} : { accept }) };
  return new Promise((resolve, reject) => {
    request(`${served.base_url}${path}`, { headers }, (response) => {
      response.toArray().then((chunks) => resolve(chunks.join("")), reject);
    })
      .on("error", reject)
      .end();
  });
}

test.each([
  ["an answer", "/api/v1/inboxes/ada"],
  ["a list", "/api/v1/inboxes"],
  ["an error", "/api/v1/inboxes/nobody"],
])("%s has lines for whoever takes anything, as curl does, and one for others", async (_, path) => {
  const withoutRequest = (text: string): unknown =>
    JSON.parse(text, (name, value: unknown) => (name === "request_id" ? "" : value));
  const forPeople = await get(path, "*/*");
  expect(forPeople).toBe(`${JSON.stringify(JSON.parse(forPeople), null, 2)}\n`);
  for (const accept of [undefined, "application/json", "application/json, */*;q=0.5"]) {
    const forPrograms = await get(path, accept);
    expect(forPrograms).not.toContain("\n");
    expect(withoutRequest(forPrograms)).toEqual(withoutRequest(forPeople));
  }
});
