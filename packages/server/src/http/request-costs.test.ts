import { connect, type Socket } from "node:net";
import { LIMITS } from "@letterslot/core";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { type Served, serve } from "../../testing/serve.ts";

const MEGABYTE = 1024 * 1024;

let served: Served;
let inbox_id: string;
let api_key: string;
/** A key that may only read. */
let reader: string;
beforeAll(async () => {
  served = await serve();
  const opened = await served.client().accounts.onboard({ username: "ada" });
  [api_key, inbox_id] = [opened.api_key, opened.inbox.id];
  reader = (await served.client(api_key).keys.create({ name: "reader", permissions: ["message_read"] }))
    .api_key;
});
afterAll(() => served.close());
afterEach(() => vi.useRealTimers());

/** Sends a head and the beginning of its body; resolves to the socket and its answer. */
function begin(key: string, path: string, length: number, body: Uint8Array | string = "") {
  const { hostname, port } = new URL(served.base_url);
  const socket: Socket = connect({ host: hostname, port: Number(port), noDelay: true });
  socket.on("error", () => undefined);
  socket.write(
    `POST /api/v1${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Length: ${length}\r\n\r\n`,
  );
  socket.write(body);
  const answer = new Promise<string>((resolve) => {
    socket.once("data", (bytes) => resolve(bytes.toString("latin1")));
    socket.once("close", () => resolve("closed"));
  });
  return { socket, answer };
}

describe("before a body is read", () => {
  test.each([
    ["the key", "ls_live_unknown", () => `/inboxes/${inbox_id}/messages`, 1000, "401 "],
    ["the size", "", () => `/inboxes/${inbox_id}/messages`, LIMITS.request_body_bytes + 1, "413 "],
    ["the permission on the inbox of the path", "", () => `/inboxes/${inbox_id}/messages`, 1000, "403 "],
  ])("%s is checked", async (_, key, path, length, status) => {
    const { socket, answer } = begin(key === "" ? reader : key, path(), length);
    expect(await answer).toContain(`HTTP/1.1 ${status}`);
    socket.destroy();
  });

  test("of a key limited to another inbox, the inbox is not found", async () => {
    const client = served.client(api_key);
    const { id } = await client.inboxes.create({ username: "second" });
    const { api_key: scoped } = await client.keys.createForInbox({ inbox_id: id, name: "scoped" });
    const { socket, answer } = begin(scoped, `/inboxes/${inbox_id}/messages`, 1000);
    expect(await answer).toMatch(/^HTTP\/1\.1 404 /);
    socket.destroy();
  });
});

describe("a body", () => {
  test.each(["/inboxes", "/webhooks", "/updates"])(
    "of %s, without attachments, is limited to 1 MB",
    async (path) => {
      const { socket, answer } = begin(api_key, path, MEGABYTE + 1);
      expect(await answer).toMatch(/^HTTP\/1\.1 413 /);
      socket.destroy();
    },
  );

  test("with attachments may be larger, and is parsed beside the event loop", async () => {
    const content_base64 = Buffer.alloc(3 * MEGABYTE, "x").toString("base64");
    const sent = await served.client(api_key).messages.send({
      inbox_id,
      to: ["eve@example.com"],
      text: "Two pages — é 漢字.",
      attachments: [{ filename: "x.txt", content_base64 }],
    });
    expect(sent).toMatchObject({ text: "Two pages — é 漢字.", attachments: [{ size_bytes: 3 * MEGABYTE }] });
  });

  test("of more than 256 KB that is not JSON in UTF-8 is invalid_json", async () => {
    for (const bytes of [
      Buffer.alloc(MEGABYTE / 2, "{"),
      Buffer.alloc(MEGABYTE / 2, 0xff),
      Buffer.from(`["${"x".repeat(MEGABYTE / 2)}"]`),
    ]) {
      const response = await served.fetch(`${served.base_url}/api/v1/inboxes/${inbox_id}/messages`, {
        method: "POST",
        headers: { authorization: `Bearer ${api_key}` },
        body: bytes,
      });
      expect(await response.json()).toMatchObject({ error: { code: "invalid_json" } });
    }
  });

  test("that stops arriving is request_timeout after 30 seconds, and one more for each 256 KB", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const path = `/inboxes/${inbox_id}/messages`;
    const nothing = begin(api_key, path, MEGABYTE);
    const much = begin(
      api_key,
      path,
      4 * MEGABYTE,
      Buffer.alloc(2 * MEGABYTE, `{"text":"${"x".repeat(2 * MEGABYTE)}`),
    );
    let late = "";
    const noteLate = async () => {
      late = await much.answer;
    };
    void noteLate();
    await new Promise((resolve) => setImmediate(resolve));
    await vi.waitFor(() => expect(much.socket.bytesWritten).toBeGreaterThan(2 * MEGABYTE));
    for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(LIMITS.body_ms + 1_000);
    expect(await nothing.answer).toMatch(/^HTTP\/1\.1 408 [^]*"request_timeout"/);
    expect(late).toBe("");
    await vi.advanceTimersByTimeAsync(8_000);
    expect(await much.answer).toMatch(/^HTTP\/1\.1 408 /);
    nothing.socket.destroy();
    much.socket.destroy();
  });

  test("that is over the bytes in flight is too_many_bytes, and the bytes are free again", async () => {
    const path = `/inboxes/${inbox_id}/messages`;
    const part = Buffer.alloc(34 * MEGABYTE, "x").fill('{"text":"', 0, 9);
    const unfinished = [
      begin(api_key, path, LIMITS.request_body_bytes, part),
      begin(api_key, path, LIMITS.request_body_bytes, part),
    ];
    expect(await Promise.race(unfinished.map(({ answer }) => answer))).toMatch(
      /^HTTP\/1\.1 429 [^]*Retry-After: 1[^]*"too_many_bytes"/i,
    );
    for (const { socket } of unfinished) socket.destroy();
    const send = () =>
      served.client(api_key).messages.send({ inbox_id, to: ["eve@example.com"], text: "Again." });
    await vi.waitFor(async () => expect(await send()).toMatchObject({ text: "Again." }), { timeout: 5_000 });
  });
});
