import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { LetterslotApiError } from "@letterslot/client";
import { LIMITS } from "@letterslot/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Served, serve } from "../../testing/serve.ts";

const stopping = new AbortController();
let served: Served;
let inbox_id: string;
let api_key: string;

beforeAll(async () => {
  served = await serve({ stopping: stopping.signal });
  const opened = await served.client().accounts.onboard({ username: "ada" });
  api_key = opened.api_key;
  inbox_id = opened.inbox.id;
});
afterAll(() => served.close());

/** Resolves when `count` wait slots are in use. */
async function slotsInUse(count: number): Promise<void> {
  const now = served.clock.now().toISOString();
  const inUse = async () =>
    (
      await served.letterslot.services.storage.find("slots", {
        where: { expires_at: { gt: now } },
        limit: 10,
      })
    ).length;
  await expect.poll(inUse).toBe(count);
}

describe("waits over HTTP", () => {
  test("a slot is free again as soon as a client disconnects", async () => {
    const client = served.client(api_key);
    const disconnect = new AbortController();
    const wait = () =>
      client.messages
        .wait({ inbox_id, wait: 55 }, { signal: disconnect.signal })
        .catch((error: unknown) => error);
    const waits = Array.from({ length: LIMITS.concurrent_waits_per_key }, wait);
    await slotsInUse(LIMITS.concurrent_waits_per_key);
    await expect(client.messages.wait({ inbox_id, wait: 55 })).rejects.toMatchObject({
      status: 429,
      code: "rate_limited",
      retry_after_seconds: 1,
    });
    disconnect.abort();
    expect((await Promise.all(waits)).every((error) => !(error instanceof LetterslotApiError))).toBe(true);
    await slotsInUse(0);
    expect(await client.messages.wait({ inbox_id, wait: 0 })).toMatchObject({ timed_out: true });
  });

  test("a body that arrives after its key was revoked does nothing", async () => {
    const admin = served.client(api_key);
    for (const path of ["/api/v1/inboxes", "/mcp"]) {
      const { api_key: key, id } = await admin.keys.create({ name: "slow" });
      const url = new URL(`${served.base_url}${path}`);
      const call = {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "create_inbox", arguments: {} },
      };
      const body = path === "/mcp" ? JSON.stringify(call) : JSON.stringify({ username: "late" });
      const headers = {
        ...{ authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...{ "content-length": String(body.length), accept: "application/json, text/event-stream" },
      };
      const sending = request(url, { method: "POST", headers });
      const answer = once(sending, "response") as Promise<[IncomingMessage]>;
      sending.write(body.slice(0, 10));
      // Long enough for the server to know whose request it is.
      await new Promise((resolve) => setTimeout(resolve, 200));
      await admin.keys.delete({ key_id: id });
      sending.end(body.slice(10));
      const [response] = await answer;
      response.resume();
      expect(response.statusCode).toBe(401);
    }
    expect((await admin.inboxes.list({})).data).toHaveLength(1);
  });

  test("mail wakes a wait at once", async () => {
    const waiting = served.client(api_key).messages.wait({ inbox_id, wait: 55 });
    await slotsInUse(1);
    await served.receive({
      from: "eve@example.com",
      to: "ada@letterslot.localhost",
      subject: "Now",
      text: "Wake up.",
    });
    expect(await waiting).toMatchObject({ timed_out: false, data: [{ subject: "Now" }] });
  });

  test("a stream without events ends with its cursor, after keep-alive comments", async () => {
    const response = await fetch(`${served.base_url}/api/v1/tasks/stream`, {
      headers: { authorization: `Bearer ${api_key}` },
    });
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const text = response.text();
    await served.clock.advance(LIMITS.stream_ms);
    expect(await text).toMatch(
      /^: open\nid: (\d+)\n\n: still here\n\n: still here\n\nid: \1\nevent: end\ndata: \{"cursor":"\1","reason":"timeout"\}\n\n$/,
    );
  });

  test("an invalid cursor is invalid_cursor", async () => {
    const headers = { authorization: `Bearer ${api_key}`, "last-event-id": "yesterday" };
    const response = await served.fetch(`${served.base_url}/api/v1/tasks/stream`, { headers });
    expect(await response.json()).toMatchObject({ error: { code: "invalid_cursor" } });
  });

  test("a stopping server answers its waits", async () => {
    const { api_key: other, inbox } = await served.client().accounts.onboard({ username: "bob" });
    const waiting = served.client(other).messages.wait({ inbox_id: inbox.id, wait: 55 });
    await slotsInUse(1);
    stopping.abort();
    expect(await waiting).toMatchObject({ timed_out: true });
    expect((await fetch(`${served.base_url}/readyz`)).status).toBe(503);
  });
});
