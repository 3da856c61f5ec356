import { afterAll, beforeAll, expect, test } from "vitest";
import { type Served, serve } from "../../testing/serve.ts";

let served: Served;
beforeAll(async () => {
  served = await serve();
});
afterAll(() => served?.close());

test("what HTTP and MCP refuse to a key is listed, without its words; what isn't a key's isn't", async () => {
  const { inbox, api_key, as } = await served.signUp("agent");
  const limited = await as.keys.create({ permissions: ["message_read", "event_read", "draft_write"] });
  const { base_url } = served;
  const call = (path: string, init: RequestInit, key = limited.api_key) =>
    fetch(`${base_url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...init.headers },
    });
  const body = JSON.stringify({ to: ["olga@owner.example"], text: "words" });
  const denied = await call(`/api/v1/inboxes/${inbox.id}/messages`, { method: "POST", body });
  expect(denied.status).toBe(403);
  expect((await call("/api/v1/refusals?limit=0", {})).status).toBe(400);
  expect((await call("/api/v1/webhooks", {}, "ls_live_none")).status).toBe(401);
  const message = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: {
      name: "read_message",
      arguments: { inbox_id: inbox.id, message_id: "msg_00000000000000000000" },
    },
  };
  const tool = await call("/mcp", {
    method: "POST",
    body: JSON.stringify(message),
    headers: { accept: "application/json, text/event-stream" },
  });
  expect(await tool.text()).toContain("message_not_found");
  await served.letterslot.refusals.write();
  const { data } = await served.client(api_key).refusals.list({});
  expect(data.map(({ operation, source, status, error }) => [operation, source, status, error.code])).toEqual(
    [
      ["messages.marked", "mcp", 404, "message_not_found"],
      ["refusals.list", "http", 400, "invalid_limit"],
      ["messages.send", "http", 403, "permission_denied"],
    ],
  );
  expect(data[2]).toMatchObject({
    key_id: limited.id,
    inbox_id: inbox.id,
    request_id: denied.headers.get("x-request-id"),
    error: { type: "authentication_error", param: "message_send" },
  });
  expect(JSON.stringify(data)).not.toMatch(/olga|words|msg_/);
});
