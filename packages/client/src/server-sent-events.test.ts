import { describe, expect, test } from "vitest";
import { parseServerSentEvents } from "./server-sent-events.ts";

/** Parses a body that arrives in these pieces. */
async function readAll(pieces: (string | Uint8Array)[]) {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces)
        controller.enqueue(typeof piece === "string" ? encoder.encode(piece) : piece);
      controller.close();
    },
  });
  let chunks = 0;
  const events = [];
  for await (const event of parseServerSentEvents(body, () => void chunks++)) events.push(event);
  return { events, chunks };
}

describe("server-sent events", () => {
  test("are parsed the same however the body is split into chunks", async () => {
    const whole = 'id: 7\nevent: task.received\ndata: {"a":"é"}\n\n';
    const bytes = new TextEncoder().encode(whole);
    const expected = [{ id: "7", event: "task.received", data: '{"a":"é"}' }];
    expect((await readAll([whole])).events).toEqual(expected);
    expect((await readAll(Array.from(bytes, (byte) => Uint8Array.of(byte)))).events).toEqual(expected);
    expect((await readAll(Array.from(whole.replaceAll("\n", "\r\n")))).events).toEqual(expected);
    expect((await readAll([whole.replaceAll("\n", "\r\n")])).events).toEqual(expected);
  });

  test("a comment counts as activity but not as an event", async () => {
    expect(await readAll([": still here\n\n"])).toEqual({ events: [], chunks: 1 });
  });

  test("an id without data is a position, not an event", async () => {
    expect((await readAll([": open\nid: 3\n\n"])).events).toEqual([
      { id: "3", event: "message", data: null },
    ]);
  });

  test("several data lines are joined, and unknown fields are ignored", async () => {
    expect((await readAll(["data: a\ndata:b\nretry: 5\n\n"])).events).toEqual([
      { id: undefined, event: "message", data: "a\nb" },
    ]);
  });

  test("an event without its closing empty line is not emitted", async () => {
    expect((await readAll(["data: a\n"])).events).toEqual([]);
  });
});
