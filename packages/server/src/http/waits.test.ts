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
