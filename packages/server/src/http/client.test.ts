import { once } from "node:events";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createClient, LetterslotApiError, whole } from "@letterslot/client";
import { LIMITS } from "@letterslot/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Served, serve } from "../../testing/serve.ts";

describe("the client on a real server", () => {
  let served: Served;
  let client: ReturnType<Served["client"]>;
  let inbox_id: string;

  beforeAll(async () => {
    served = await serve();
    const opened = await served.client().accounts.onboard({ username: "ada" });
    client = served.client(opened.api_key);
    inbox_id = opened.inbox.id;
  });
  afterAll(() => served.close());

  test("a failure is one error with everything that the server said", async () => {
    const failure = await client.inboxes.get({ inbox_id: "inb_mistyped" }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(LetterslotApiError);
    expect(failure).toMatchObject({
      status: 404,
      code: "inbox_not_found",
      type: "not_found",
      retryable: false,
    });
    expect((failure as LetterslotApiError).request_id).toMatch(/^req_/);
    expect((failure as LetterslotApiError).fix).toContain("mistyped");
  });

  test("a list is awaited for one page or iterated over all", async () => {
    const made = [];
    for (const name of ["one", "two", "three"])
      made.unshift((await client.inboxes.create({ username: `list-${name}` })).id);
    const page = await client.inboxes.list({ q: "list-", limit: 2 });
    expect(page).toMatchObject({ object: "list", has_more: true });
    expect(page.data.map(({ id }) => id)).toEqual(made.slice(0, 2));
    const all: string[] = [];
    for await (const inbox of client.inboxes.list({ q: "list-", limit: 2 })) all.push(inbox.id);
    expect(all).toEqual(made);
    const sizes: number[] = [];
    for await (const { data } of client.inboxes.list({ q: "list-", limit: 2 }).pages())
      sizes.push(data.length);
    expect(sizes).toEqual([2, 1]);
  });

  test("a path field cannot leave its segment", async () => {
    await expect(client.inboxes.get({ inbox_id: "../keys" })).rejects.toMatchObject({
      code: "inbox_not_found",
    });
    for (const inbox of ["", ".", ".."])
      await expect(async () => client.inboxes.get({ inbox_id: inbox })).rejects.toThrow(TypeError);
  });

  test("an attachment is returned as bytes with its name and type", async () => {
    const bytes = Buffer.from("Grüße, 42 €");
    const attachments = [
      { filename: "grüße 42 €.txt", content_base64: bytes.toString("base64"), content_type: "text/plain" },
    ];
    const sent = whole(
      await client.messages.send({
        inbox_id,
        to: ["eve@example.com"],
        subject: "Files",
        text: "See there.",
        attachments,
      }),
    );
    const attachment_id = sent.attachments[0]?.id ?? "";
    const download = await client.attachments.get({ inbox_id, message_id: sent.id, attachment_id });
    expect(Buffer.from(download.bytes)).toEqual(bytes);
    expect(download).toMatchObject({
      content_type: expect.stringMatching(/^text\/plain/),
      filename: "grüße 42 €.txt",
    });
    const raw = await client.messages.raw({ inbox_id, message_id: sent.id });
    expect(new TextDecoder().decode(raw.bytes)).toMatch(/^Subject: Files/m);
  });

  test("a send without an Idempotency-Key is sent once even if it is retried", async () => {
    let calls = 0;
    const flaky = createClient({
      baseUrl: served.base_url,
      apiKey: (await client.keys.create({ name: "flaky" })).api_key,
      fetch: async (url, init) => {
        const response = await served.fetch(url, init);
        if (calls++ === 0) throw new TypeError("the connection broke after the server had answered");
        return response;
      },
    });
    const message = await flaky.messages.send({
      inbox_id,
      to: ["eve@example.com"],
      subject: "Only once",
      text: "x",
    });
    expect(message.idempotent).toBe(true);
    expect((await client.messages.list({ inbox_id, subject: "Only once" })).data).toHaveLength(1);
  });

  test("a stream resumes where it was when its connection ends", async () => {
    const owner = await client.owners.create({ inbox_id, email: "boss@example.com" });
    await served.work();
    await client.owners.confirmWithCode({
      inbox_id,
      owner_id: owner.id,
      code: served.codeFor("boss@example.com"),
    });
    const task = (subject: string) =>
      served.receive({ from: "boss@example.com", to: "ada@letterslot.localhost", subject, text: "Please." });
    const subjects: unknown[] = [];
    const opened: (string | null)[] = [];
    let connected: () => void = () => {};
    const watched = createClient({
      baseUrl: served.base_url,
      apiKey: await keyOf(client),
      fetch: async (url, init) => {
        const response = await served.fetch(url, init);
        opened.push(new Headers(init.headers).get("last-event-id"));
        connected();
        return response;
      },
    });
    const isOpen = () => new Promise<void>((resolve) => void (connected = resolve));
    const first = isOpen();
    const stream = watched.tasks.stream();
    const one = stream.next();
    await first;
    await task("One");
    subjects.push(subjectOf(await one));
    const second = isOpen();
    const two = stream.next();
    await served.clock.advance(LIMITS.stream_ms);
    await second;
    await task("Two");
    subjects.push(subjectOf(await two));
    await stream.return(undefined);
    expect(subjects).toEqual(["One", "Two"]);
    expect(opened).toEqual([null, expect.stringMatching(/^\d+$/)]);
  });
});

function subjectOf({ value }: { value?: { data: Record<string, unknown> } | void }): unknown {
  return (value?.data["task"] as { subject: string } | undefined)?.subject;
}

async function keyOf(client: ReturnType<Served["client"]>): Promise<string> {
  return (await client.keys.create({})).api_key;
}

describe("the client on a server that fails", () => {
  type Plan = ((request: IncomingMessage, response: ServerResponse) => void)[];

  const answer =
    (status: number, body: unknown, headers: Record<string, string> = {}) =>
    (_: IncomingMessage, response: ServerResponse) =>
      void response
        .writeHead(status, { "content-type": "application/json", ...headers })
        .end(typeof body === "string" ? body : JSON.stringify(body));
  const busy = answer(
    429,
    { error: { code: "rate_limited", message: "Slow down.", retryable: true } },
    { "retry-after": "0" },
  );
  const fine = answer(200, { id: "x" });

  /**
   * The outcome of a call and the requests it made, on a server of its own, because an abandoned request may
   * still arrive after the next call.
   */
  async function requestsOf<T>(
    plan: Plan,
    call: (client: ReturnType<typeof createClient>) => Promise<T>,
    options: Partial<Parameters<typeof createClient>[0]> = {},
    prefix = "",
  ) {
    const seen: IncomingMessage[] = [];
    const server = createHttpServer((request, response) => plan[seen.push(request) - 1]?.(request, response));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`;
    const outcome = await call(createClient({ baseUrl: base_url, apiKey: "ls_live_x", ...options })).catch(
      (error: unknown) => error,
    );
    server.closeAllConnections();
    server.close();
    return { outcome, requests: seen.map(({ headers }) => headers), urls: seen.map(({ url }) => url) };
  }

  test("a read is retried after 429 and after a broken connection", async () => {
    const broken = (request: IncomingMessage) => void request.socket.destroy();
    const { outcome, requests } = await requestsOf([busy, broken, fine], (client) => client.me.get());
    expect(outcome).toEqual({ id: "x" });
    expect(requests).toHaveLength(3);
  });

  test("a write without idempotency is not retried", async () => {
    const { outcome, requests } = await requestsOf([busy, fine], (client) => client.keys.create({}));
    expect(outcome).toMatchObject({ code: "rate_limited", retryable: true });
    expect(requests).toHaveLength(1);
  });

  test("all attempts of a call share one Idempotency-Key, and each call has its own", async () => {
    const send = (client: ReturnType<typeof createClient>) =>
      client.messages.send({ inbox_id: "a", to: ["e@example.com"], text: "x" });
    const first = await requestsOf([busy, busy, fine], send);
    const keys = first.requests.map((headers) => headers["idempotency-key"]);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    const second = await requestsOf([fine], send);
    expect(second.requests[0]?.["idempotency-key"]).not.toBe(keys[0]);
  });

  test("after its last attempt it fails with the server's last error", async () => {
    const { outcome, requests } = await requestsOf([busy, busy, busy, fine], (client) => client.me.get());
    expect(outcome).toMatchObject({ status: 429, code: "rate_limited", retry_after_seconds: 0 });
    expect(requests).toHaveLength(3);
  });

  test("a Retry-After of more than a minute is left to the caller", async () => {
    const later = answer(
      503,
      { error: { code: "storage_unavailable", message: "Later.", retryable: true } },
      { "retry-after": "3600" },
    );
    const { outcome, requests } = await requestsOf([later, fine], (client) => client.me.get());
    expect(outcome).toMatchObject({ retry_after_seconds: 3600 });
    expect(requests).toHaveLength(1);
  });

  test("an answer that is not an error object is unexpected_answer", async () => {
    const { outcome } = await requestsOf([answer(404, "<html>nginx</html>")], (client) => client.me.get());
    expect(outcome).toMatchObject({ status: 404, code: "unexpected_answer" });
    const notJson = await requestsOf([answer(200, "<html>")], (client) => client.me.get());
    expect(notJson.outcome).toMatchObject({ status: 200, code: "unexpected_answer" });
  });

  test("a server that does not answer in time is timed_out", async () => {
    const { outcome } = await requestsOf([() => {}], (client) => client.me.get(), {
      timeoutMs: 20,
      retries: 0,
    });
    expect(outcome).toMatchObject({ status: null, code: "timed_out" });
  });

  test("a caller that aborts gets its own reason", async () => {
    const reason = new Error("enough");
    const { outcome } = await requestsOf([() => {}], (client) => {
      const controller = new AbortController();
      queueMicrotask(() => controller.abort(reason));
      return client.me.get({}, { signal: controller.signal });
    });
    expect(outcome).toBe(reason);
  });

  test("a path prefix of the server is kept", async () => {
    const { outcome, urls } = await requestsOf([fine], (client) => client.me.get(), {}, "/mail/");
    expect(outcome).toEqual({ id: "x" });
    expect(urls).toEqual(["/mail/api/v1/me"]);
  });
});
