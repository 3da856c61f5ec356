import { describe, expect, test } from "vitest";
import { eventsIn } from "./server-sent-events.ts";

/** What a body is read as that comes in these pieces. */
async function read(pieces: (string | Uint8Array)[]) {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces)
        controller.enqueue(typeof piece === "string" ? encoder.encode(piece) : piece);
      controller.close();
    },
  });
  let heard = 0;
  const events = [];
  for await (const event of eventsIn(body, () => void heard++)) events.push(event);
  return { events, heard };
}

describe("server-sent events", () => {
  test("have an id, a type and data, however they are cut", async () => {
    const whole = 'id: 7\nevent: task.received\ndata: {"a":"é"}\n\n';
    const bytes = new TextEncoder().encode(whole);
    const expected = [{ id: "7", event: "task.received", data: '{"a":"é"}' }];
    expect((await read([whole])).events).toEqual(expected);
    expect((await read(Array.from(bytes, (byte) => Uint8Array.of(byte)))).events).toEqual(expected);
    expect((await read(Array.from(whole.replaceAll("\n", "\r\n")))).events).toEqual(expected);
    expect((await read([whole.replaceAll("\n", "\r\n")])).events).toEqual(expected);
  });

  test("comments are heard and are no events", async () => {
    expect(await read([": still here\n\n"])).toEqual({ events: [], heard: 1 });
  });

  test("an id alone is a place and no event", async () => {
    expect((await read([": open\nid: 3\n\n"])).events).toEqual([{ id: "3", event: "message", data: null }]);
  });

  test("several data lines are one text, and fields that nobody knows are passed over", async () => {
    expect((await read(["data: a\ndata:b\nretry: 5\n\n"])).events).toEqual([
      { id: undefined, event: "message", data: "a\nb" },
    ]);
  });

  test("what is not ended by an empty line is no event yet", async () => {
    expect((await read(["data: a\n"])).events).toEqual([]);
  });
});
