import { execFileSync } from "node:child_process";
import { whole } from "@letterslot/client";
import { LIMITS, type Permission } from "@letterslot/core";
import { protectedResourceUrl } from "@letterslot/core/internal";
import { letInApp, type TestAccount } from "@letterslot/core/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signInOverWire } from "../../../../test/support/sign-in-over-wire.ts";
import { type Served, serve } from "../../testing/serve.ts";

const APP = "https://app.example.com";
const GRACE = "grace@example.com";
const BASE_URL = "http://letterslot.test";

let served: Served;
let account: TestAccount;

beforeAll(async () => {
  served = await serve({ corsOrigins: [APP] });
  account = await served.signUp("ada");
  await served.letterslot.operator.accounts.authority.give({ account_id: account.account_id, email: GRACE });
});
afterAll(() => served.close());

const HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

const post = (message: unknown, headers: Record<string, string> = bearer(account.api_key), to = served) =>
  fetch(`${to.base_url}/mcp`, {
    method: "POST",
    headers: { ...HEADERS, ...headers },
    body: typeof message === "string" ? message : JSON.stringify(message),
  });

const request = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 1, method, params });
const callTool = (name: string, args: object = {}) => request("tools/call", { name, arguments: args });
const INITIALIZE = request("initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "test", version: "0" },
});

const codeOf = async (response: Response) =>
  ((await response.json()) as { error?: { code?: string } }).error?.code;

const letIn = (scope: readonly Permission[], resource: "/mcp" | "/api/v1" = "/mcp") =>
  letInApp(served, account, { email: GRACE, scope, resource });

describe("who is let in", () => {
  test.each(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])(
    "a client that speaks %s",
    async (version) => {
      const answer = await post(request("initialize", { ...INITIALIZE.params, protocolVersion: version }));
      expect([answer.status, await answer.json()]).toMatchObject([
        200,
        { result: { protocolVersion: version, serverInfo: { name: "letterslot" } } },
      ]);
      expect(answer.headers.get("mcp-session-id")).toMatch(/^[0-9a-f-]{36}$/);
      expect(answer.headers.get("x-request-id")).toMatch(/^req_/);
    },
  );

  test("an app with a token for it, within its permissions", async () => {
    const { access_token } = await letIn(["inbox_read"]);
    const answer = await post(request("tools/list"), bearer(access_token));
    const { result } = (await answer.json()) as { result: { tools: { name: string }[] } };
    expect(result.tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["get_identity", "list_inboxes"]),
    );
    expect(result.tools.map(({ name }) => name)).not.toContain("read_message");
  });

  test.each<[string, () => Promise<Record<string, string>>, string]>([
    ["nobody without a key", async () => ({}), "invalid_api_key"],
    ["nobody with an invented key", async () => bearer("ls_live_x"), "invalid_api_key"],
    ["nobody with the cookie of a session", async () => ({ cookie: "ls_session=x" }), "invalid_api_key"],
    [
      "no app with a token for the API",
      async () => bearer((await letIn(["inbox_read"], "/api/v1")).access_token),
      "invalid_api_key",
    ],
  ])("%s", async (_, headers, code) => {
    const answer = await post(INITIALIZE, await headers());
    expect(answer.status).toBe(401);
    const challenge = answer.headers.get("www-authenticate");
    expect(challenge).toContain(`resource_metadata="${protectedResourceUrl(BASE_URL, "/mcp")}"`);
    expect(challenge).toContain("scope=");
    expect(await codeOf(answer)).toBe(code);
  });

  test("an app is told what else to ask for, with what it has", async () => {
    const { access_token } = await letIn(["inbox_read", "message_read"]);
    const answer = await post(callTool("send_message"), bearer(access_token));
    expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([
      403,
      `Bearer error="insufficient_scope", scope="inbox_read message_read message_send", resource_metadata="${protectedResourceUrl(BASE_URL, "/mcp")}"`,
    ]);
  });

  test("a key without the permission is told by the tool: nobody can give it more", async () => {
    const { api_key } = await served
      .client(account.api_key)
      .keys.create({ name: "reader", permissions: ["inbox_read"] });
    const answer = await post(callTool("send_message"), bearer(api_key));
    expect([answer.status, await answer.json()]).toMatchObject([200, { result: { isError: true } }]);
  });

  test("a key that acts within a workspace sees its inboxes", async () => {
    const { workspace, inbox } = await openWorkspace();
    const answer = await post(callTool("list_inboxes"), {
      ...bearer(account.api_key),
      "x-letterslot-workspace": workspace,
    });
    const text = JSON.stringify(await answer.json());
    expect(text).toContain(inbox);
    expect(text).not.toContain(account.inbox.email);
  });
});

async function openWorkspace() {
  const made = whole(
    await served.client(account.api_key).workspaces.create({ name: "Team", inbox_quota: 5 }),
  );
  const inbox = whole(await served.client(made.api_key ?? "").inboxes.create({ username: "team" }));
  return { workspace: made.id, inbox: inbox.email };
}

describe("a person's cookie", () => {
  const EVIL = "https://evil.example";
  /** The headers of browsers that describe the calling page. */
  const pages: [string, Record<string, string>, number][] = [
    ["this site's own page", { origin: BASE_URL, "sec-fetch-site": "same-origin" }, 401],
    ["a page of a configured origin", { origin: APP, "sec-fetch-site": "cross-site" }, 401],
    ["a page of another origin", { origin: EVIL, "sec-fetch-site": "cross-site" }, 403],
    ["a form of another site in an old browser", { origin: "null" }, 403],
    ["a link or an image of another site", { "sec-fetch-site": "cross-site" }, 401],
    ["a program", {}, 401],
  ];
  const calls: [string, (headers: Record<string, string>) => Promise<Response>][] = [
    ["begin", (headers) => post(INITIALIZE, headers)],
    ["list tools", (headers) => post(request("tools/list"), headers)],
    [
      "wait for a code",
      (headers) => post(callTool("wait_for_code", { inbox: account.inbox.id, wait: 1 }), headers),
    ],
    [
      "send mail",
      (headers) =>
        post(callTool("send_message", { inbox: account.inbox.id, to: ["a@b.example"], text: "x" }), headers),
    ],
    [
      "send a form",
      (headers) => post(JSON.stringify(request("tools/list")), { ...headers, "content-type": "text/plain" }),
    ],
  ];

  let cookie: string;
  beforeAll(async () => {
    ({ cookie = "" } = await signInOverWire(served, GRACE));
  });

  test.each(pages)("opens nothing to %s, and no answer may be read with it", async (_, page, status) => {
    const session = await fetch(`${served.base_url}/api/v1/owners/session`, { headers: { cookie } });
    expect(session.status).toBe(200);
    const sent = served.transport.attempts.length;
    for (const [what, call] of calls) {
      const answer = await call({ cookie, ...page });
      expect([what, answer.status]).toEqual([what, status]);
      const credentials = answer.headers.get("access-control-allow-credentials");
      const allowed = answer.headers.get("access-control-allow-origin");
      expect([what, credentials, allowed]).toEqual([what, null, page["origin"] === APP ? APP : null]);
      expect(answer.headers.getSetCookie()).toEqual([]);
      expect(await codeOf(answer)).toBe(status === 403 ? "origin_not_allowed" : "invalid_api_key");
    }
    expect(served.transport.attempts).toHaveLength(sent);
  });

  test("adds nothing to a key's permissions beside it", async () => {
    const { api_key } = await served
      .client(account.api_key)
      .keys.create({ name: "reader", permissions: ["inbox_read"] });
    const answer = await post(callTool("wait_for_code", { inbox: account.inbox.id }), {
      ...{ cookie, origin: BASE_URL, "sec-fetch-site": "same-origin" },
      ...bearer(api_key),
    });
    expect([answer.status, await answer.json()]).toMatchObject([200, { result: { isError: true } }]);
  });
});

describe("pages in browsers", () => {
  test.each([
    ["BASE_URL's own", BASE_URL, 200],
    ["a configured origin", APP, 200],
    ["a page that got its own name to lead here", "http://evil.example.com", 403],
    ["a page without an origin", "null", 403],
    ["an origin that begins like ours", `${BASE_URL}.evil.example`, 403],
  ])("%s", async (_, origin, status) => {
    const answer = await post(INITIALIZE, { ...bearer(account.api_key), origin });
    expect(answer.status).toBe(status);
    if (status === 403) expect(await codeOf(answer)).toBe("origin_not_allowed");
  });

  test("are refused before their key is looked at", async () => {
    expect((await post(INITIALIZE, { origin: "http://evil.example.com" })).status).toBe(403);
  });

  test("of a configured origin may send and read the protocol's headers", async () => {
    const preflight = await fetch(`${served.base_url}/mcp`, {
      method: "OPTIONS",
      headers: { origin: APP, "access-control-request-method": "POST" },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-headers")).toMatch(/mcp-method.*mcp-session-id/);
    const answer = await post(INITIALIZE, { ...bearer(account.api_key), origin: APP });
    expect(answer.headers.get("access-control-allow-origin")).toBe(APP);
    expect(answer.headers.get("access-control-expose-headers")).toContain("mcp-session-id");
  });
});

describe("bodies", () => {
  const padded = (name: string, args: object, bytes: number) =>
    callTool(name, { ...args, text: "x".repeat(bytes) });
  const LARGE = LIMITS.small_body_bytes + 1_000;

  test("a large one may only call a tool that writes mail", async () => {
    const refused = await post(padded("list_inboxes", {}, LARGE));
    expect([refused.status, await codeOf(refused)]).toEqual([413, "request_too_large"]);
    const taken = await post(padded("send_message", { inbox_id: account.inbox.id }, LARGE));
    expect([taken.status, await taken.json()]).toMatchObject([200, { result: { isError: true } }]);
  });

  test("a large one is refused unread to a key that may not send", async () => {
    const { api_key } = await served
      .client(account.api_key)
      .keys.create({ name: "reader", permissions: ["inbox_read"] });
    const refused = await post(padded("send_message", {}, LARGE), bearer(api_key));
    expect([refused.status, await codeOf(refused)]).toEqual([413, "request_too_large"]);
  });

  test("a large one is refused unread where its header names a small tool", async () => {
    const refused = await post(padded("send_message", {}, LARGE), {
      ...bearer(account.api_key),
      "mcp-name": "list_inboxes",
    });
    expect(refused.status).toBe(413);
  });

  test.each([
    ["no JSON", "{", 400],
    ["several messages in one", [INITIALIZE, INITIALIZE], 400],
    ["a form", "a=b", 415],
  ])("%s is refused", async (_, body, status) => {
    const type = status === 415 ? { "content-type": "application/x-www-form-urlencoded" } : {};
    expect((await post(body, { ...bearer(account.api_key), ...type })).status).toBe(status);
  });

  test.each(["GET", "DELETE", "PUT"])("%s is no method of it", async (method) => {
    const answer = await fetch(`${served.base_url}/mcp`, { method, headers: bearer(account.api_key) });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
  });
});

describe("what may be kept of an answer", () => {
  test("nobody but the client keeps a list of tools", async () => {
    const answer = await post(
      request("tools/list", {
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientInfo": { name: "test", version: "0" },
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      }),
      { ...bearer(account.api_key), "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" },
    );
    expect(await answer.json()).toMatchObject({ result: { cacheScope: "private" } });
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });
});

test("without it, the path is not there", async () => {
  const without = await serve({ mcp: false });
  const answer = await post(INITIALIZE, bearer(account.api_key), without);
  expect([answer.status, await codeOf(answer)]).toEqual([404, "route_not_found"]);
  await without.close();
});

test("the server starts without what only MCP needs", () => {
  const program = `
    import { registerHooks } from "node:module";
    registerHooks({
      load(url, context, next) {
        if (/packages\\/mcp\\/|@modelcontextprotocol/.test(url)) console.log(url);
        return next(url, context);
      },
    });
    const { createApp } = await import(${JSON.stringify(new URL("app.ts", import.meta.url).href)});
    console.log(typeof createApp);`;
  const said = execFileSync(process.execPath, ["--input-type=module", "--eval", program], {
    encoding: "utf8",
  });
  expect(said).toBe("function\n");
});
