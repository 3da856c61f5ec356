import type { RequestListener } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { testCertificate } from "../test/certificate.ts";
import { type Receiver, startReceiver } from "../test/receiver.ts";
import { createWebhookHttp, type WebhookHttpOptions } from "./webhook-http.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

const open = (options: WebhookHttpOptions = { allow: ["127.0.0.0/8"] }) => {
  const http = createWebhookHttp(options);
  closing.push(() => http.close());
  return http;
};
const receiver = async (...args: Parameters<typeof startReceiver>): Promise<Receiver> => {
  const started = await startReceiver(...args);
  closing.push(() => started.close());
  return started;
};
const post = (http: ReturnType<typeof open>, url: string, headers: Record<string, string> = {}) =>
  http.post({ url, headers, body: Buffer.from('{"a":"é"}') });

describe("a post", () => {
  test("sends body, headers and query, and returns status and excerpt", async () => {
    const target = await receiver();
    const answer = await post(open(), `${target.url}?key=1#part`, {
      "x-svc-event": "message.received",
      "content-type": "application/json",
    });
    expect(answer).toMatchObject({ status: 200, error: null, excerpt: "ok", retry_after_seconds: null });
    expect(answer.duration_ms).toBeGreaterThan(0);
    expect(target.received).toMatchObject([
      {
        method: "POST",
        path: "/hook?key=1",
        body: '{"a":"é"}',
        headers: { "x-svc-event": "message.received" },
      },
    ]);
  });

  test("reuses its connections", async () => {
    const target = await receiver();
    const http = open();
    for (let round = 0; round < 5; round++) await post(http, target.url);
    expect(target.received).toHaveLength(5);
    expect(target.connections()).toBeLessThanOrEqual(2);
  });

  test("is sent over https only if the certificate is trusted", async () => {
    const target = await receiver(undefined, true);
    expect(await post(open({ allow: ["127.0.0.1"], ca: testCertificate.cert }), target.url)).toMatchObject({
      status: 200,
    });
    expect(await post(open(), target.url)).toMatchObject({
      status: null,
      error: "the request failed (DEPTH_ZERO_SELF_SIGNED_CERT)",
    });
    expect(target.received).toHaveLength(1);
  });

  test("fails if its library cannot be loaded, and succeeds once it can", async () => {
    const target = await receiver();
    const http = open();
    vi.doMock("./connections.ts", () => Promise.reject(new Error("too many open files")));
    expect(await post(http, target.url)).toMatchObject({
      status: null,
      error: expect.stringMatching(/^the request failed/),
    });
    vi.doUnmock("./connections.ts");
    expect(await post(http, target.url)).toMatchObject({ status: 200 });
  });

  test("follows no redirect", async () => {
    const inner = await receiver();
    const outer = await receiver((_, response) => response.writeHead(307, { location: inner.url }).end());
    expect(await post(open(), outer.url)).toMatchObject({ status: 307 });
    expect(inner.received).toEqual([]);
  });

  test("reads 8 KB of a body and stops, however much more follows", async () => {
    const body_bytes = 64 * 1024 * 1024;
    let written = 0;
    const target = await receiver((_, response) => {
      const more = () => {
        do written += 4096;
        while (!response.destroyed && written < body_bytes && response.write("x".repeat(4096)));
        if (written >= body_bytes) response.end();
      };
      response.on("drain", more);
      more();
    });
    const answer = await post(open(), target.url);
    expect([answer.status, answer.excerpt.length]).toEqual([200, 8192]);
    expect(written).toBeLessThan(body_bytes);
  });

  test("ends at its deadline without a response", async () => {
    const target = await receiver(() => undefined);
    expect(await post(open({ allow: ["127.0.0.1"], timeoutMs: 100 }), target.url)).toMatchObject({
      status: null,
      error: "no response in time",
    });
  });

  test("ends at its deadline if the body is slow, and keeps the status", async () => {
    const target = await receiver((_, response) => {
      const timer = setInterval(() => response.write("."), 20);
      response.on("close", () => clearInterval(timer));
    });
    const answer = await post(open({ allow: ["127.0.0.1"], timeoutMs: 500 }), target.url);
    expect(answer).toMatchObject({ status: 200, error: null });
  });

  test("waits one second for a body that trickles in, however far its deadline is", {
    timeout: 30_000,
  }, async () => {
    const target = await receiver((_, response) => {
      const timer = setInterval(() => response.write("."), 20);
      response.on("close", () => clearInterval(timer));
    });
    const answer = await post(open({ allow: ["127.0.0.1"], timeoutMs: 3600_000 }), target.url);
    expect(answer).toMatchObject({ status: 200, error: null });
    expect(answer.excerpt).toMatch(/^\.+$/);
  });

  test("ends at its deadline if the receiver accepts the connection and stays silent", async () => {
    const server = createServer((socket) => socket.resume()).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    closing.push(() => new Promise((resolve) => server.close(resolve)));
    const { port } = server.address() as AddressInfo;
    const http = open({ allow: ["127.0.0.1"], timeoutMs: 100, ca: testCertificate.cert });
    expect((await post(http, `https://127.0.0.1:${port}/`)).status).toBeNull();
    await http.close();
  });

  test("reports a closed port, a broken response and an invalid header", async () => {
    const closedPort = await receiver();
    await closedPort.close();
    const broken = await receiver((request) => request.socket.destroy());
    const garbage = await receiver((request) => request.socket.end("not http at all\r\n\r\n"));
    const http = open();
    expect(await post(http, closedPort.url)).toMatchObject({
      status: null,
      error: "the connection was refused",
    });
    expect(await post(http, broken.url)).toMatchObject({ status: null, error: "the connection was closed" });
    expect((await post(http, garbage.url)).status).toBeNull();
    expect((await post(http, broken.url, { "x-a": "one\r\nx-b: two" })).status).toBeNull();
  });

  test("removes control characters from the excerpt", async () => {
    const target = await receiver((_, response) => response.end("a\u0000b\u001b[31mc\n"));
    expect((await post(open(), target.url)).excerpt).toBe("ab[31mc\n");
  });

  test.each([
    ["120", 120],
    ["0", 0],
    ["-5", null],
    ["soon", null],
    ["Wed, 21 Oct 2015 07:28:00 GMT", 0],
  ])("reads Retry-After %s as %s seconds", async (header, seconds) => {
    const target = await receiver((_, response) => response.writeHead(503, { "retry-after": header }).end());
    expect(await post(open(), target.url)).toMatchObject({ status: 503, retry_after_seconds: seconds });
  });
});

describe("no socket is opened to", () => {
  const refusedAt = async (url: (port: number) => string, options: WebhookHttpOptions) => {
    const target = await receiver();
    const answer = await post(open(options), url(target.port));
    return { status: answer.status, error: answer.error, connections: target.connections() };
  };

  test.each([
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f000001",
    "017700000001",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "localhost",
  ])("%s over http or https", async (host) => {
    for (const scheme of ["http", "https"]) {
      expect(await refusedAt((port) => `${scheme}://${host}:${port}/`, {})).toMatchObject({
        status: null,
        connections: 0,
      });
    }
  });

  test("a name that resolves to a private address", async () => {
    const lookup = async () => [{ address: "127.0.0.1", family: 4 }];
    expect(await refusedAt((port) => `https://receiver.example.com:${port}/`, { lookup })).toEqual({
      status: null,
      error: "the host's address is not public",
      connections: 0,
    });
  });

  test("a name that resolves to a private address in IPv6 form", async () => {
    const lookup = async () => [
      { address: "::ffff:127.0.0.1", family: 6 },
      { address: "64:ff9b::7f00:1", family: 6 },
    ];
    expect(await refusedAt((port) => `https://receiver.example.com:${port}/`, { lookup })).toMatchObject({
      status: null,
      connections: 0,
    });
  });

  test("a name whose address has changed since the last lookup", async () => {
    const target = await receiver(undefined, true);
    const answers = ["127.0.0.2", "127.0.0.1"];
    const lookup = async () => [{ address: answers.shift() ?? "127.0.0.1", family: 4 }];
    const http = open({ allow: ["127.0.0.2"], lookup, ca: testCertificate.cert });
    const url = `https://receiver.example.com:${target.port}/`;
    expect((await post(http, url)).error).toBe("the connection was refused");
    expect((await post(http, url)).error).toBe("the host's address is not public");
    expect(target.connections()).toBe(0);
  });

  test("a name whose address changes between the check and the connection", async () => {
    const answers = ["127.0.0.2"];
    const lookup = async () => [
      {
        get address() {
          return answers.shift() ?? "127.0.0.1";
        },
        family: 4,
      },
    ];
    const target = await receiver(undefined, true);
    const http = open({ allow: ["127.0.0.2"], lookup, ca: testCertificate.cert });
    expect(await post(http, `https://receiver.example.com:${target.port}/`)).toMatchObject({
      status: null,
      error: "the host's address is not public",
    });
    expect(target.received).toEqual([]);
  });

  test("anything over http outside the allowed networks, whatever the name resolves to", async () => {
    const lookup = async () => [{ address: "127.0.0.1", family: 4 }];
    expect(
      await refusedAt((port) => `http://hooks.internal:${port}/`, { allow: ["10.0.0.0/8"], lookup }),
    ).toMatchObject({
      status: null,
      connections: 0,
    });
  });
});

describe("a document", () => {
  const get = (url: string, options: WebhookHttpOptions = {}, max_bytes = 5 * 1024) =>
    open({ allow: ["127.0.0.0/8"], ca: testCertificate.cert, ...options }).get({
      url,
      max_bytes,
      timeout_ms: 500,
    });

  test("is fetched over https, with how long it may be kept", async () => {
    const target = await receiver((_, response) => {
      response.setHeader("cache-control", "max-age=60").end('{"a":1}');
    }, true);
    const { body, ...answer } = await get(target.url);
    expect(answer).toEqual({ status: 200, error: null, cache_control: "max-age=60" });
    expect(Buffer.from(body).toString()).toBe('{"a":1}');
    expect(target.received).toMatchObject([{ method: "GET", path: "/hook" }]);
  });

  test.each<[string, RequestListener, object]>([
    ["that is too long", (_, response) => response.end("x".repeat(5 * 1024 + 1)), { status: null }],
    ["that takes too long", (_, response) => void response.write("x"), { status: null }],
    ["that is elsewhere", (_, response) => response.writeHead(302, { location: "/" }).end(), { status: 302 }],
  ])("%s isn't fetched", async (_name, answer, expected) => {
    const target = await receiver(answer, true);
    expect(await get(target.url)).toMatchObject(expected);
    expect(target.received).toHaveLength(1);
  });

  test("isn't fetched over http, nor from a private network", async () => {
    const [plain, secure] = [await receiver(), await receiver(undefined, true)];
    expect((await get(plain.url)).error).toContain("https");
    expect((await get(secure.url, { allow: [] })).error).toContain("not public");
    expect(
      (
        await get(`https://private.example:${secure.port}/`, {
          allow: [],
          lookup: async () => [{ address: "127.0.0.1", family: 4 }],
        })
      ).error,
    ).toBe("the host's address is not public");
    expect([plain.received, secure.received]).toEqual([[], []]);
  });
});

test("a connection goes to the checked address of a name and verifies its certificate", async () => {
  const target = await receiver(undefined, true);
  const lookup = async () => [{ address: "127.0.0.1", family: 4 }];
  const http = open({ allow: ["127.0.0.1"], lookup, ca: testCertificate.cert });
  expect(await post(http, `https://receiver.example.com:${target.port}/hook`)).toMatchObject({ status: 200 });
  expect(await post(http, `https://other.example.com:${target.port}/hook`)).toMatchObject({
    status: null,
    error: "the request failed (ERR_TLS_CERT_ALTNAME_INVALID)",
  });
});

describe("a file", () => {
  const fileAt = (url: string, options: WebhookHttpOptions = {}, timeout_ms = 10_000) =>
    open({ allowFiles: ["127.0.0.0/8"], ca: testCertificate.cert, ...options }).file({ url, timeout_ms });
  const read = async (found: Awaited<ReturnType<typeof fileAt>>) => {
    if (found.error !== null) throw new Error(found.error);
    const pieces: Uint8Array[] = [];
    for await (const piece of found.bytes) pieces.push(piece);
    return Buffer.concat(pieces);
  };

  test("is fetched over https as it is, piece by piece", async () => {
    const bytes = Buffer.alloc(3_000_000, "%PDF");
    const target = await receiver((_, response) => {
      response.setHeader("content-type", "application/pdf").end(bytes);
    }, true);
    const found = await fileAt(target.url);
    expect(found).toMatchObject({ error: null, content_type: "application/pdf" });
    expect(Buffer.compare(await read(found), bytes)).toBe(0);
    expect(target.received).toMatchObject([
      { method: "GET", path: "/hook", headers: { "accept-encoding": "identity" } },
    ]);
    expect(target.received[0]?.headers).not.toHaveProperty("cookie");
  });

  test.each<[string, RequestListener, string]>([
    ["elsewhere", (_, response) => response.writeHead(302, { location: "/" }).end(), "answered 302"],
    ["missing", (_, response) => response.writeHead(404).end("secret"), "the server answered 404"],
    ["a part", (_, response) => response.writeHead(206).end("x"), "answered 206"],
    [
      "compressed",
      (_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end("x"),
      "compressed",
    ],
    ["silent", () => undefined, "no response in time"],
    ["gone", (request) => request.socket.destroy(), "the connection was closed"],
  ])("that is %s isn't fetched", async (_name, answer, error) => {
    const target = await receiver(answer, true);
    const found = await fileAt(target.url, {}, 500);
    expect(found).toEqual({ error: expect.stringContaining(error), refused: false });
    expect(target.received).toHaveLength(1);
  });

  test("that stops coming, or takes too long, ends with an error", async () => {
    const stopping = await receiver((_, response) => {
      response.writeHead(200, { "content-length": 100 }).write("x");
      setImmediate(() => response.destroy());
    }, true);
    await expect(fileAt(stopping.url).then(read)).rejects.toThrow(/closed|terminated|aborted/);
    const slow = await receiver((_, response) => {
      const timer = setInterval(() => response.write("."), 20);
      response.on("close", () => clearInterval(timer));
    }, true);
    await expect(fileAt(slow.url, {}, 300).then(read)).rejects.toThrow(/timeout/);
  });

  test("that nobody reads to its end frees its connection", async () => {
    const closed = Promise.withResolvers<void>();
    const target = await receiver((_, response) => {
      response.on("close", closed.resolve);
      response.write(Buffer.alloc(1_000_000));
    }, true);
    const found = await fileAt(target.url);
    if (found.error !== null) throw new Error(found.error);
    await found.bytes.next();
    await found.bytes.return(undefined);
    expect(await closed.promise).toBeUndefined();
  });

  test("comes from no private address, also where webhooks go there, and not over http", async () => {
    const [plain, secure] = [await receiver(), await receiver(undefined, true)];
    const allow = ["127.0.0.0/8"];
    const lookup = async () => [{ address: "127.0.0.1", family: 4 }];
    for (const [url, options] of [
      [plain.url, {}],
      [secure.url, { allow, allowFiles: [] }],
      [`https://127.1:${secure.port}/`, { allow, allowFiles: [], development: true }],
      [`https://files.example.com:${secure.port}/`, { allow, allowFiles: [], lookup }],
      [`https://user@127.0.0.1:${secure.port}/`, {}],
    ] as [string, WebhookHttpOptions][])
      expect(await fileAt(url, options)).toEqual({ error: expect.any(String), refused: true });
    expect([plain.connections(), secure.connections()]).toEqual([0, 0]);
  });
});
