import { expect, test } from "vitest";
import { createClient } from "./client.ts";

const streaming = (text: string) =>
  new Response(text, { status: 200, headers: { "content-type": "text/event-stream" } });
const broken = (status: number, retryable: boolean) =>
  Response.json({ error: { code: "some_code", type: "api_error", message: "m", retryable } }, { status });

/** A client whose requests get these responses in order; null is a refused connection. */
function clientWithResponses(responses: (Response | null)[]) {
  const last_event_ids: (string | null)[] = [];
  const fetch = async (_url: unknown, init?: RequestInit) => {
    last_event_ids.push(new Headers(init?.headers).get("last-event-id"));
    const next = responses.shift();
    if (next === null || next === undefined) throw new TypeError("connection refused");
    return next;
  };
  return {
    last_event_ids,
    client: createClient({
      baseUrl: "http://service.example",
      apiKey: "k",
      retries: 0,
      fetch,
    }),
  };
}

const FIRST = 'id: 1\nevent: task.received\ndata: {"n":1}\n\n';
const SECOND = 'id: 2\nevent: task.received\ndata: {"n":2}\n\n';

test("a stream waits for a server that is down, then resumes after the last event", async () => {
  const { client, last_event_ids } = clientWithResponses([
    streaming(FIRST),
    null,
    broken(503, true),
    streaming(SECOND),
  ]);
  const stream = client.tasks.stream();
  expect((await stream.next()).value).toEqual({ n: 1 });
  expect((await stream.next()).value).toEqual({ n: 2 });
  expect(last_event_ids).toEqual([null, "1", "1", "1"]);
  await stream.return(undefined);
});

test("a stream that can't be opened at first throws", async () => {
  const { client } = clientWithResponses([null]);
  await expect(client.tasks.stream().next()).rejects.toMatchObject({ code: "connection_failed" });
});

test("a stream throws an error that waiting can't fix", async () => {
  const { client } = clientWithResponses([streaming(FIRST), broken(401, false)]);
  const stream = client.tasks.stream();
  await stream.next();
  await expect(stream.next()).rejects.toMatchObject({ code: "some_code", status: 401 });
});

test("a stream says each time that it is open, and that it is lost", async () => {
  const { client } = clientWithResponses([streaming(FIRST), null, streaming(SECOND)]);
  const said: string[] = [];
  const stream = client.tasks.stream(
    {},
    { onOpen: () => said.push("open"), onLost: () => said.push("lost") },
  );
  await stream.next();
  expect(said).toEqual(["open"]);
  await stream.next();
  // It broke off, and the first attempt to come back failed.
  expect(said).toEqual(["open", "lost", "lost", "open"]);
  await stream.return(undefined);
});
