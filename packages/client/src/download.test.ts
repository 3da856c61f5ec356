import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { createClient } from "./client.ts";

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

/** A client of a server that answers every request with `answer`. */
async function clientOf(answer: (outgoing: ServerResponse) => void, timeout_ms: number) {
  const server = createServer((_, outgoing) => answer(outgoing)).listen(0, "127.0.0.1");
  await once(server, "listening");
  undo.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return createClient({
    baseUrl: `http://127.0.0.1:${port}`,
    apiKey: "key",
    retries: 0,
    timeoutMs: timeout_ms,
  });
}

const HEADERS = {
  "content-type": "application/zip",
  "content-length": "6",
  "content-disposition": 'attachment; filename="all.zip"',
};

/** Sends the pieces as they are taken from it, and nothing more. */
function answering(...pieces: string[]) {
  const sent: ServerResponse[] = [];
  return {
    next: () => void sent[0]?.write(pieces.shift() ?? ""),
    sent,
    answer(outgoing: ServerResponse) {
      sent.push(outgoing);
      outgoing.writeHead(200, HEADERS);
      outgoing.flushHeaders();
    },
  };
}

test("a file comes piece by piece, with its name and size", async () => {
  const { answer, next } = answering("one", "two");
  const client = await clientOf(answer, 60_000);
  const file = await client.exports.download({ export_id: "exp_1" });
  expect(file).toMatchObject({ content_type: "application/zip", filename: "all.zip", size_bytes: 6 });
  const reader = file.stream.getReader();
  for (const piece of ["one", "two"]) {
    next();
    const { value } = await reader.read();
    expect(Buffer.from(value ?? []).toString()).toBe(piece);
  }
  expect(await reader.read()).toEqual({ done: true, value: undefined });
});

test("a file whose size isn't said", async () => {
  const client = await clientOf((outgoing) => {
    outgoing.flushHeaders();
    outgoing.end("x");
  }, 60_000);
  const { stream, ...facts } = await client.exports.download({ export_id: "exp_1" });
  expect(facts).toEqual({ content_type: "application/octet-stream", filename: null, size_bytes: null });
  expect(await new Response(stream).text()).toBe("x");
});

test("a file may take longer than the time of a call, as long as something comes", async () => {
  const { answer, sent } = answering();
  const client = await clientOf(answer, 400);
  const { stream } = await client.exports.download({ export_id: "exp_1" });
  let received = "";
  const writing = setInterval(() => sent[0]?.write("a"), 100);
  undo.push(() => clearInterval(writing));
  for await (const piece of stream) received += Buffer.from(piece).toString();
  expect(received).toBe("aaaaaa");
});

test("a file that stops coming fails, and its connection is closed", async () => {
  const { answer, next, sent } = answering("one");
  const client = await clientOf(answer, 200);
  const { stream } = await client.exports.download({ export_id: "exp_1" });
  next();
  const closed = once(sent[0] as ServerResponse, "close");
  await expect(new Response(stream).arrayBuffer()).rejects.toMatchObject({ code: "timed_out" });
  await closed;
});

test("a file whose connection breaks fails: nothing takes a part of it for all", async () => {
  const { answer, next, sent } = answering("one");
  const client = await clientOf(answer, 60_000);
  const { stream } = await client.exports.download({ export_id: "exp_1" });
  const reader = stream.getReader();
  next();
  await reader.read();
  sent[0]?.destroy();
  await expect(reader.read()).rejects.toMatchObject({ code: "connection_failed" });
});

test("a file that nobody wants any more is left, and its connection closed", async () => {
  const { answer, sent } = answering();
  const client = await clientOf(answer, 60_000);
  const { stream } = await client.exports.download({ export_id: "exp_1" });
  const closed = once(sent[0] as ServerResponse, "close");
  await stream.cancel();
  await closed;
  expect(sent[0]?.writableFinished).toBe(false);
});

test("a caller's signal ends a file, too", async () => {
  const { answer } = answering();
  const client = await clientOf(answer, 60_000);
  const stop = new AbortController();
  const { stream } = await client.exports.download({ export_id: "exp_1" }, { signal: stop.signal });
  const reading = new Response(stream).arrayBuffer();
  stop.abort(new Error("enough"));
  await expect(reading).rejects.toThrow("enough");
});
