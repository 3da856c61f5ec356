import { type Route, routes } from "@letterslot/client/routes";
import { LIMITS } from "@letterslot/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Served, serve } from "../../testing/serve.ts";

let served: Served;
let key: string;
let inbox_id: string;

beforeAll(async () => {
  served = await serve();
  const opened = await served.client().accounts.onboard({ username: "ada" });
  key = opened.api_key;
  inbox_id = opened.inbox.id;
});
afterAll(() => served.close());

/** Calls with the key by default; returns status, headers and JSON. */
async function call(
  method: string,
  path: string,
  options: {
    body?: string | Uint8Array<ArrayBuffer>;
    headers?: Record<string, string>;
    key?: string | null;
  } = {},
) {
  const bearer = options.key === undefined ? key : options.key;
  const headers = { ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }), ...options.headers };
  const init = { method, headers, ...(options.body === undefined ? {} : { body: options.body }) };
  const response = await served.fetch(`${served.base_url}${path}`, init);
  const body = (await response.json()) as { error?: Record<string, unknown> } & Record<string, unknown>;
  return {
    status: response.status,
    headers: response.headers,
    body,
    code: body.error?.["code"],
    param: body.error?.["param"],
  };
}

const send = (fields: Record<string, unknown>, headers: Record<string, string> = {}) =>
  call("POST", `/api/v1/inboxes/${inbox_id}/messages`, { body: JSON.stringify(fields), headers });

describe("errors", () => {
  test("an error says what happened, links to its documentation, and says what to do next", async () => {
    const { status, headers, body } = await call("GET", "/api/v1/inboxes/nobody");
    expect(status).toBe(404);
    expect(body.error).toMatchObject({
      type: "not_found",
      code: "inbox_not_found",
      docs_url: "http://letterslot.test/docs#inbox_not_found",
      request_id: headers.get("x-request-id"),
      retryable: false,
    });
    expect(body.error?.["fix"]).toMatch(/\.$/);
  });

  test("an unknown path is route_not_found", async () => {
    expect(await call("GET", "/api/v1/nothing")).toMatchObject({ status: 404, code: "route_not_found" });
    expect(await call("GET", "/nothing")).toMatchObject({ status: 404, code: "route_not_found" });
  });

  test("an unsupported method is method_not_allowed and lists the supported ones", async () => {
    const answer = await call("PUT", "/api/v1/inboxes");
    expect(answer).toMatchObject({ status: 405, code: "method_not_allowed" });
    expect(answer.headers.get("allow")?.split(", ").toSorted()).toEqual(["GET", "HEAD", "POST"]);
  });

  test("Allow names every method of a path, by whatever route, and no other", async () => {
    const paths = [...Object.values<Route>(routes).map(({ path }) => path), "/api/v1/owners/confirm"];
    const at = (method: string, path: string) =>
      fetch(`${served.base_url}${path}`, { method, ...(method === "POST" ? { body: "[" } : {}) });
    for (const path of new Set(paths.map((each) => each.replace(/:\w+/g, "x")))) {
      const allowed = (await at("PUT", path)).headers.get("allow")?.split(", ") ?? [];
      expect(allowed.length, path).toBeGreaterThan(0);
      expect(allowed.includes("HEAD"), path).toBe(allowed.includes("GET"));
      for (const method of ["GET", "POST", "PATCH", "DELETE"]) {
        const { status } = await at(method, path);
        expect([path, method, status !== 405]).toEqual([path, method, allowed.includes(method)]);
      }
    }
    const batch = await at("PUT", "/api/v1/inboxes/batch");
    expect(batch.headers.get("allow")?.split(", ").toSorted()).toEqual([
      "DELETE",
      "GET",
      "HEAD",
      "PATCH",
      "POST",
    ]);
  });

  test("an unexpected error is internal_error to the client and logged in full", async () => {
    const lines: Record<string, unknown>[] = [];
    const note = (fields: Record<string, unknown>) => void lines.push(fields);
    const broken = await serve({ log: { info() {}, warn: note, error: note } });
    const { api_key } = await broken.client().accounts.onboard({ username: "bob" });
    broken.letterslot.services.storage.find = () => Promise.reject(new Error("disk of the secret server"));
    const response = await broken.fetch(`${broken.base_url}/api/v1/inboxes`, {
      headers: { authorization: `Bearer ${api_key}` },
    });
    const text = await response.text();
    await broken.close();
    expect(response.status).toBe(500);
    expect(text).toContain("internal_error");
    expect(text).not.toContain("disk");
    expect(lines.map(({ error }) => String(error))).toContain("Error: disk of the secret server");
  });
});

describe("authentication", () => {
  test("no key, a wrong key and another scheme are 401", async () => {
    const basic = await call("GET", "/api/v1/me", { key: null, headers: { authorization: "Basic YTpi" } });
    for (const answer of [
      await call("GET", "/api/v1/me", { key: null }),
      await call("GET", "/api/v1/me", { key: "ls_live_wrong" }),
      basic,
    ]) {
      expect(answer).toMatchObject({ status: 401, code: "invalid_api_key" });
      expect(answer.headers.get("www-authenticate")).toMatch(
        /^Bearer resource_metadata="[^"]+\/\.well-known\/oauth-protected-resource\/api\/v1", scope="[a-z_ ]+"$/,
      );
    }
  });

  test("a bad key on a public operation is 401 and opens no account", async () => {
    expect(await call("POST", "/api/v1/keys", { key: "ls_live_wrong", body: "{}" })).toMatchObject({
      status: 401,
      code: "invalid_api_key",
    });
    const basic = await call("POST", "/api/v1/keys", {
      key: null,
      headers: { authorization: "Basic YTpi" },
      body: "{}",
    });
    expect(basic).toMatchObject({ status: 401, code: "invalid_api_key" });
    expect(await call("POST", "/api/v1/keys", { key: null, body: "{}" })).toMatchObject({ status: 200 });
  });
});

describe("input", () => {
  test("an unknown field is unknown_parameter, with its name", async () => {
    expect(await call("POST", "/api/v1/inboxes", { body: '{"colour":"red"}' })).toMatchObject({
      code: "unknown_parameter",
      param: "colour",
    });
    expect(await call("GET", "/api/v1/inboxes?colour=red")).toMatchObject({
      code: "unknown_parameter",
      param: "colour",
    });
  });

  test("a field has one place; elsewhere it is unknown_parameter", async () => {
    const other = "inb_00000000000000000000";
    expect(await send({ inbox_id: other, to: ["eve@example.com"], text: "x" })).toMatchObject({
      status: 400,
      param: "inbox_id",
    });
    expect(await call("GET", `/api/v1/inboxes/${inbox_id}?inbox_id=${other}`)).toMatchObject({
      code: "unknown_parameter",
      param: "inbox_id",
    });
    expect(await call("POST", "/api/v1/inboxes?username=eve", { body: "{}" })).toMatchObject({
      code: "unknown_parameter",
      param: "username",
    });
    expect(await call("DELETE", `/api/v1/inboxes/${inbox_id}`, { body: '{"force":true}' })).toMatchObject({
      code: "unknown_parameter",
      param: "force",
    });
  });

  test.each(["{", "[]", "null", '"text"', "7", "{'a':1}", '{"a":1}x'])(
    "the body %s is invalid_json",
    async (body) => {
      expect(await call("POST", "/api/v1/inboxes", { body })).toMatchObject({
        status: 400,
        code: "invalid_json",
      });
    },
  );

  test("a body that is not UTF-8 is invalid_json", async () => {
    const body = new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
    expect(await call("POST", "/api/v1/inboxes", { body })).toMatchObject({ code: "invalid_json" });
  });

  test("no body is an empty object", async () => {
    expect(await call("POST", "/api/v1/inboxes")).toMatchObject({ status: 200 });
  });

  test("__proto__ is a field like any other, and unknown", async () => {
    const answer = await call("POST", "/api/v1/inboxes", { body: '{"__proto__":{"username":"eve"}}' });
    expect(answer).toMatchObject({ code: "unknown_parameter", param: "__proto__" });
    expect(await call("GET", "/api/v1/inboxes?__proto__=1")).toMatchObject({
      code: "unknown_parameter",
      param: "__proto__",
    });
    expect(await call("GET", "/api/v1/inboxes?constructor=1")).toMatchObject({
      code: "unknown_parameter",
      param: "constructor",
    });
  });

  test("the last of repeated JSON keys wins", async () => {
    const { body } = await call("POST", "/api/v1/inboxes", {
      body: '{"display_name":"One","display_name":"Two"}',
    });
    expect(body["display_name"]).toBe("Two");
  });

  test("a body over 35 MB is refused, whatever its declared length", async () => {
    const { body } = new Response(new Uint8Array(LIMITS.request_body_bytes + 1));
    const response = await served.fetch(`${served.base_url}/api/v1/inboxes`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
      body,
      duplex: "half",
    });
    expect(response.status).toBe(413);
    expect(await response.text()).toContain("request_too_large");
  });

  test("without a key, or without attachments, a body is limited to 1 MB", async () => {
    const body = JSON.stringify({ username: "x".repeat(1024 * 1024) });
    expect(await call("POST", "/api/v1/onboard", { key: null, body })).toMatchObject({
      status: 413,
      code: "request_too_large",
    });
    expect(await call("POST", "/api/v1/inboxes", { body })).toMatchObject({
      status: 413,
      code: "request_too_large",
    });
  });

  test.each(["%zz", "%E0%A4%A", "%00", "%2e%2e", "a%2fb", "none"])(
    "the path segment %j matches no inbox",
    async (segment) => {
      expect(await call("GET", `/api/v1/inboxes/${segment}/messages`)).toMatchObject({ status: 404 });
    },
  );

  test.each(["0", "-1", "201", "abc", "1.5", "", "0x10", "1e1"])(
    "the limit %j is invalid_limit",
    async (limit) => {
      expect(await call("GET", `/api/v1/inboxes?limit=${limit}`)).toMatchObject({
        status: 400,
        code: "invalid_limit",
        param: "limit",
      });
    },
  );

  test("a repeated query field is a list", async () => {
    const listed = await call("GET", `/api/v1/inboxes/${inbox_id}/messages?label=unread&label=received`);
    expect(listed).toMatchObject({ status: 200, body: { object: "list", data: [] } });
    expect(await call("GET", "/api/v1/inboxes?limit=1&limit=2")).toMatchObject({
      status: 400,
      code: "invalid_limit",
    });
  });

  test("an inbox named batch can be changed at its own address", async () => {
    expect(await call("PATCH", "/api/v1/inboxes/batch", { body: '{"display_name":"x"}' })).toMatchObject({
      status: 404,
      code: "inbox_not_found",
    });
  });
});

describe("the order of checks", () => {
  test("scope is checked before permission, and permission before the body", async () => {
    const owner = served.client(key);
    const other = await owner.inboxes.create({});
    const scoped = await owner.keys.create({ inbox_id, permissions: ["inbox_read"] });
    const path = (id: string) => `/api/v1/inboxes/${id}/messages?to=nobody`;
    const options = { key: scoped.api_key, body: "{" };
    expect(await call("POST", path(other.id), options)).toMatchObject({
      status: 404,
      code: "inbox_not_found",
    });
    expect(await call("POST", path(inbox_id), options)).toMatchObject({
      status: 403,
      code: "permission_denied",
      param: "message_send",
    });
    expect(await call("POST", path(inbox_id), { body: "{" })).toMatchObject({ status: 400 });
    expect(await call("POST", path(inbox_id), { body: "{", key: "wrong" })).toMatchObject({ status: 401 });
  });
});

describe("idempotency", () => {
  test("the same key and request replays the answer with 200 and a header", async () => {
    const headers = { "idempotency-key": "send-1" };
    const mail = { to: ["eve@example.com"], subject: "Once", text: "Only once." };
    const first = await send(mail, headers);
    const again = await send({ text: "Only once.", subject: "Once", to: ["eve@example.com"] }, headers);
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    expect(first.body).toMatchObject({ idempotent: false });
    expect(again).toMatchObject({ status: 200, body: { id: first.body["id"], idempotent: true } });
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(await send({ ...mail, subject: "Twice" }, headers)).toMatchObject({
      status: 409,
      code: "idempotency_key_conflict",
    });
  });

  test.each(["", "a b", "ä", "x".repeat(257)])("the key %j is invalid_idempotency_key", async (name) => {
    const encoded = Buffer.from(name, "utf8").toString("latin1");
    expect(await send({ to: ["eve@example.com"], text: "x" }, { "idempotency-key": encoded })).toMatchObject({
      status: 400,
      code: "invalid_idempotency_key",
    });
  });

  test("reply-all answers 201, its replay 200", async () => {
    await served.receive({
      from: "eve@example.com",
      to: "ada@letterslot.localhost",
      subject: "Hello",
      text: "Hi both",
    });
    const { data } = await served.client(key).messages.list({ inbox_id, direction: "inbound" });
    const path = `/api/v1/inboxes/${inbox_id}/messages/${data[0]?.id}/reply-all`;
    const reply = { body: '{"text":"Hi"}', headers: { "idempotency-key": "reply-1" } };
    expect(await call("POST", path, reply)).toMatchObject({ status: 201, body: { idempotent: false } });
    expect(await call("POST", path, reply)).toMatchObject({ status: 200, body: { idempotent: true } });
  });
});

describe("other routes", () => {
  test("answers forbid caching and content sniffing", async () => {
    const { headers } = await call("GET", "/api/v1/me");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

  test("health reports that the process runs and storage answers", async () => {
    expect(await (await fetch(`${served.base_url}/healthz`)).json()).toEqual({ status: "ok" });
    expect((await fetch(`${served.base_url}/readyz`)).status).toBe(200);
  });

  test("readiness is 503 if storage does not answer", async () => {
    const broken = await serve();
    broken.letterslot.services.storage.ping = () => Promise.reject(new Error("gone"));
    const { status } = await fetch(`${broken.base_url}/readyz`);
    await broken.close();
    expect(status).toBe(503);
  });

  test("the log contains requests without their query", async () => {
    const lines: Record<string, unknown>[] = [];
    const logged = await serve({ log: { info: (fields) => void lines.push(fields), warn() {}, error() {} } });
    await fetch(`${logged.base_url}/api/v1/owners/confirm?token=very-secret`);
    await logged.close();
    expect(lines).toEqual([
      expect.objectContaining({ method: "GET", path: "/api/v1/owners/confirm", status: 400 }),
    ]);
    expect(JSON.stringify(lines)).not.toContain("very-secret");
  });
});
