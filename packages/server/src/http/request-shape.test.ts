import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Served, serve } from "../../testing/serve.ts";

let served: Served;
let key: string;
let limited: string;
let inbox_id: string;

beforeAll(async () => {
  served = await serve();
  const { api_key, inbox } = await served.client().accounts.onboard({ username: "ada" });
  [key, inbox_id] = [api_key, inbox.id];
  const reader = await served.client(key).keys.create({ permissions: ["message_read"] });
  limited = reader.api_key;
});
afterAll(() => served.close());

async function call(method: string, path: string, init: RequestInit & { key?: string | null } = {}) {
  const response = await fetch(`${served.base_url}${path}`, {
    ...init,
    method,
    headers: {
      ...(init.key === null ? {} : { authorization: `Bearer ${init.key ?? key}` }),
      ...init.headers,
    },
  });
  const text = await response.text();
  const json = text.startsWith("{") ? (JSON.parse(text) as { error?: { code: string } }) : undefined;
  return { status: response.status, text, json, code: json?.error?.code, headers: response.headers };
}

describe("a slash at the end of a path", () => {
  test.each([
    "/api/v1/me",
    "/api/v1/inboxes",
    "/docs",
    "/openapi.json",
    "/healthz",
    "/api/v1/owners/confirm",
  ])("changes nothing in the answer of %s", async (path) => {
    const [plain, slashed] = [await call("GET", path), await call("GET", `${path}/`)];
    expect([slashed.status, slashed.text]).toEqual([200, plain.text]);
  });

  test("changes nothing for other methods, with a query, or where nothing is", async () => {
    const body = JSON.stringify({ username: "bo" });
    expect(await call("POST", "/api/v1/inboxes/", { body })).toMatchObject({ json: { username: "bo" } });
    expect(await call("GET", `/api/v1/inboxes/${inbox_id}/?x=1`)).toMatchObject({
      code: "unknown_parameter",
    });
    expect(await call("PUT", "/api/v1/inboxes/")).toMatchObject({ status: 405 });
    expect(await call("GET", "/api/v1/nothing/")).toMatchObject({ code: "route_not_found" });
  });
});

describe("a field that the route does not take there", () => {
  test.each<[string, string, Record<string, unknown> | undefined, string, string]>([
    ["GET", "?limt=5", undefined, "limt", "Did you mean limit?"],
    ["GET", "?inbox_id=x", undefined, "inbox_id", "Send it in the path"],
    ["POST", "?text=x", { to: ["eve@example.com"] }, "text", "Send it in the body"],
    ["POST", "", { to: ["eve@example.com"], text: "x", subjet: "y" }, "subjet", "Did you mean subject?"],
  ])("%s %s %j: %s", async (method, query, given, param, fix) => {
    const body = given === undefined ? {} : { body: JSON.stringify(given) };
    const answer = await call(method, `/api/v1/inboxes/${inbox_id}/messages${query}`, body);
    expect(answer).toMatchObject({ status: 400, code: "unknown_parameter" });
    expect(answer.json?.error).toMatchObject({ param, fix: expect.stringContaining(fix) });
  });
});

describe("a body that isn't JSON as it is", () => {
  const mail = JSON.stringify({ to: ["eve@example.com"], text: "Hi" });
  const path = () => `/api/v1/inboxes/${inbox_id}/messages`;
  const form = { "content-type": "application/x-www-form-urlencoded" };

  test.each<[string, RequestInit, string]>([
    ["a form", { body: "text=Hi", headers: form }, "unsupported_media_type"],
    ["JSON that is declared a form", { body: mail, headers: form }, "unsupported_media_type"],
    [
      "a form with a charset",
      { body: "text=Hi", headers: { "content-type": "Application/X-WWW-Form-Urlencoded; charset=utf-8" } },
      "unsupported_media_type",
    ],
    [
      "a form with files",
      { body: "--x--", headers: { "content-type": "multipart/form-data; boundary=x" } },
      "unsupported_media_type",
    ],
    [
      "gzip",
      { body: gzipSync(mail), headers: { "content-type": "application/json", "content-encoding": "gzip" } },
      "unsupported_content_encoding",
    ],
    [
      "an encoding that nobody knows",
      { body: mail, headers: { "content-encoding": "rot13" } },
      "unsupported_content_encoding",
    ],
  ])("is 415: %s", async (_, init, code) => {
    expect(await call("POST", path(), init)).toMatchObject({ status: 415, code });
  });

  test("is told of only to who may call", async () => {
    const init = { body: "text=Hi", headers: form };
    expect(await call("POST", path(), { ...init, key: limited })).toMatchObject({
      code: "permission_denied",
    });
    expect(await call("POST", path(), { ...init, key: "nobody" })).toMatchObject({ code: "invalid_api_key" });
  });

  test("is JSON with whatever other type, with an identity encoding, or empty", async () => {
    for (const headers of [
      { "content-type": "text/plain" },
      { "content-type": "application/vnd.mail+json" },
      { "content-encoding": "identity" },
    ])
      expect(await call("POST", path(), { body: mail, headers })).toMatchObject({ status: 200 });
    const { json } = await call("POST", path(), { body: mail });
    const { id } = json as unknown as { id: string };
    expect(await call("POST", `${path()}/${id}/read`, { body: "", headers: form })).toMatchObject({
      status: 200,
    });
  });

  test("is 415 where a session begins, and a packed form is on an owner's page", async () => {
    const start = { body: "email=grace@example.com", headers: form, key: null };
    expect(await call("POST", "/api/v1/owners/session/start", start)).toMatchObject({ status: 415 });
    expect(await call("POST", "/api/v1/owners/session", start)).toMatchObject({ status: 415 });
    const packed = { body: gzipSync("token=x"), headers: { ...form, "content-encoding": "gzip" } };
    expect(await call("POST", "/api/v1/owners/confirm", packed)).toMatchObject({ status: 415 });
  });
});

test("null for an optional field is as if left out", async () => {
  const body = JSON.stringify({ to: ["eve@example.com"], text: "Hi", html: null, cc: null, client_id: null });
  const sent = await call("POST", `/api/v1/inboxes/${inbox_id}/messages`, { body });
  expect(sent).toMatchObject({ status: 200, json: { cc: [], html: null, client_id: null } });
  const required = JSON.stringify({ to: null, text: "Hi" });
  expect(await call("POST", `/api/v1/inboxes/${inbox_id}/messages`, { body: required })).toMatchObject({
    status: 400,
  });
});
