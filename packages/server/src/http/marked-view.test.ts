import { createClient } from "@letterslot/client";
import { createTestService } from "@letterslot/core/testing";
import { expect, test } from "vitest";
import { createApp } from "./app.ts";

async function open() {
  const service = createTestService();
  const { api_key, as, inbox } = await service.signUp();
  const app = createApp({ letterslot: service.letterslot });
  const client = createClient({
    baseUrl: "http://letterslot.test",
    apiKey: api_key,
    fetch: async (url, init) => app.request(url, init),
  });
  const message = await as.messages.inject({ inbox_id: inbox.id, from: "ada@example.com", text: "Hello" });
  const get = (query: string) =>
    app.request(`/api/v1/inboxes/${inbox.id}/messages/${message.id}${query}`, {
      headers: { authorization: `Bearer ${api_key}` },
    });
  return { client, inbox_id: inbox.id, message_id: message.id, get };
}

test("view=marked on a message's address asks for the marked view, and the client's messages.marked for the same", async () => {
  const { client, inbox_id, message_id, get } = await open();
  const over_http = await (await get("?view=marked&max_chars=2&offset=1&hidden=true")).json();
  expect(over_http).toMatchObject({ object: "marked_message", id: message_id, chars: 2, next_offset: 3 });
  expect(await client.messages.marked({ inbox_id, message_id, max_chars: 2, offset: 1 })).toMatchObject({
    object: "marked_message",
    chars: 2,
    next_offset: 3,
  });
  expect(await client.messages.get({ inbox_id, message_id })).toMatchObject({ object: "message" });
});

test.each([
  ["?view=full", "unknown_parameter", "view"],
  ["?view=marked&view=marked", "unknown_parameter", "view"],
  ["?view=marked&max_chars=0", "invalid_request", "max_chars"],
  ["?view=marked&limit=3", "unknown_parameter", "limit"],
  ["?hidden=true", "unknown_parameter", "hidden"],
])("%s is refused as %s", async (query, code, param) => {
  const { get } = await open();
  const answer = await get(query);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ error: { code, param } });
});
